import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Caps } from "../core/caps.ts";
import { OUTSIDE, type PlanFiles } from "../formats/format.ts";
import { isInside } from "./folders.ts";
import { readText } from "./read-text.ts";

type Around = Pick<PlanFiles, "folder" | "cwd" | "home"> & {
  /** The folder as typed. */
  readonly named: string;
  readonly caps: Caps;
};

/**
 * The files around a plan, as its format reads them, and a record of what was read. Names may be listed anywhere; texts are those of
 * the folder and its repository only, links followed, so a plan from somebody else shows nobody's files but its own.
 */
export function planFiles(asked: Around): PlanFiles & { readonly texts: () => ReadonlyMap<string, string> } {
  const { named, caps, ...around } = asked;
  const { folder } = around;
  const texts = new Map<string, string>();
  let places: Promise<Places> | null = null;
  const isOutside = async (path: string, real: string) => {
    places ??= placesOf(folder);
    return !(await rootsFor(path, await places)).some((root) => isInside(root, real));
  };
  return {
    ...around,
    named,
    texts: () => texts,
    read: async (path) => {
      const file = join(named, path);
      const asked = join(folder, path);
      const real = await realpath(asked).catch(() => null); // why it failed is told by reading it
      if (real !== null && (await isOutside(path, real)))
        return { ok: false, file, isMissing: false, problem: OUTSIDE };
      const read = await readText(real ?? asked, caps.maxPlanBytes);
      if (!read.ok) return { ok: false, file, isMissing: read.reason === "missing", problem: read.detail };
      texts.set(file, read.text);
      return { ok: true, file, text: read.text };
    },
    names: async (path) => (await readdir(join(folder, path)).catch(() => [])).sort(), // none: nothing is in it
    lookAt: async (path) => {
      const asked = join(folder, path);
      const found = await Promise.all([lstat(asked), stat(asked), realpath(asked)]).catch(() => null); // not there
      if (found === null) return null;
      const [itself, end, real] = found;
      const isLink = itself.isSymbolicLink();
      return { isFolder: end.isDirectory(), isLink, isOutside: await isOutside(path, real) };
    },
    isFolder: async (path) => (await stat(path).catch(() => null))?.isDirectory() ?? false, // not there: none
    repositoryAt,
  };
}

type Places = { readonly folder: string; readonly repositories: readonly string[] };

/** A folder that is reached through a link belongs to the repository that it lies in, and to that of the link. */
async function placesOf(folder: string): Promise<Places> {
  const real = await realpath(folder).catch(() => folder); // not there: nothing in it is
  const found = await Promise.all([folder, real].map(repositoryAt));
  const repositories = await Promise.all(found.flatMap((one) => (one === null ? [] : [realpath(one)])));
  return { folder: real, repositories };
}

/** Without a repository a path that climbs is its asker's, who has looked at it, and counts from where it climbs to. */
async function rootsFor(path: string, { folder, repositories }: Places): Promise<readonly string[]> {
  if (repositories.length > 0) return [folder, ...repositories];
  return [resolve(folder, /^(?:\.\.(?:\/|$))*/.exec(path)?.[0] ?? "")];
}

/** The folder at or above this one that holds `.git`. */
export async function repositoryAt(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if (await lstat(join(at, ".git")).catch(() => null)) return at; // not there: look further up
    if (dirname(at) === at) return null;
  }
}
