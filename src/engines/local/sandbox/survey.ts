// The user's machine as the policy needs it: which of the usual places are there, by their real paths. A mount follows links, so a link
// is never taken for what it leads to.

import { lstat, mkdir, realpath, stat } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { Env, Grant } from "../../../core/plan.ts";
import { HIDDEN_PLACES, HOME_CACHES, HOME_TOOLS, type SandboxSurroundings } from "./policy.ts";

export type ToSurvey = {
  readonly env: Env;
  /** Must not be seen, as far as they are there. */
  readonly closed: readonly string[];
  readonly grants: readonly Grant[];
  /** Where caches of the run are kept. */
  readonly cacheFolder: string;
};

export async function surveySurroundings({
  env,
  closed,
  grants,
  cacheFolder,
}: ToSurvey): Promise<SandboxSurroundings> {
  const { HOME = "/root", PATH = "" } = env;
  const home = await realpath(HOME);
  const shared = await keepReal(HIDDEN_PLACES);
  const real = await Promise.all(closed.map((path) => realpath(path).catch(() => null)));
  const hiding = [...shared, home, ...real.filter((path) => path !== null)];
  const isHidden = (path: string): boolean => hiding.some((folder) => path.startsWith(`${folder}/`));
  const bins = PATH.split(delimiter).filter((folder) => /\/(?:s?bin|shims|\.bin)$/.test(folder));
  const tools = await keepReal([...HOME_TOOLS.map((path) => join(home, path)), ...bins]);
  const resolver = await realpath("/etc/resolv.conf").catch(() => null);
  const system = await keepReal(["/run/current-system", "/run/wrappers"]);
  return {
    home,
    shared,
    closed: real.filter((path): path is string => path !== null && path !== "/" && path !== home),
    tools: [
      ...tools,
      ...system,
      ...(await listToolHomes(process.execPath, home)),
      ...(resolver === null ? [] : [resolver]),
    ].filter(isHidden),
    grants: await readGrants(grants, home),
    caches: await Promise.all(
      HOME_CACHES.map(async (name) => {
        const by = join(cacheFolder, name.replace(".", ""));
        await mkdir(by, { recursive: true, mode: 0o700 });
        return { path: join(home, name), by, isWritable: true };
      }),
    ),
  };
}

/** Those that are there and are folders themselves. */
async function keepReal(paths: readonly string[]): Promise<string[]> {
  const kept = await Promise.all(
    paths.map(async (path) => ((await isRealFolder(path)) && (await realpath(path)) === path ? [path] : [])),
  );
  return [...new Set(kept.flat())];
}

const isRealFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false, // not there, or not to be reached
  );

/** A grant that is a link is refused: what it leads to may be another place by the time it is mounted. */
async function readGrants(grants: readonly Grant[], home: string): Promise<SandboxSurroundings["grants"]> {
  const readable: string[] = [];
  const writable: string[] = [];
  for (const grant of grants) {
    if (grant.kind !== "path") continue;
    const path = resolveGrant(grant.path, home);
    if (await isGrantable(path)) (grant.isWritable ? writable : readable).push(path);
  }
  return { readable, writable };
}

const resolveGrant = (path: string, home: string): string =>
  resolve(path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path);

async function isGrantable(path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => null); // nothing there: nothing to let through
  return real === path;
}

/** Why a grant cannot be given; null where it can, or nothing is there yet. */
export async function findGrantProblem(grant: Grant, home: string): Promise<string | null> {
  if (grant.kind !== "path") return null;
  const path = resolveGrant(grant.path, home);
  const real = await realpath(path).catch(() => null);
  return real === null || real === path ? null : `${path} is a link, or below one: it leads to ${real}`;
}

/** The package that a program belongs to, so that it finds its own files; the file alone where it belongs to none. */
export async function listToolHomes(program: string, home: string): Promise<string[]> {
  if (!isAbsolute(program)) return [];
  const real = await realpath(program).catch(() => null);
  if (real === null || !(await stat(real)).isFile()) return [];
  // A package.json in the home itself says nothing about the program.
  const isTooWide = (folder: string): boolean => `${home}/`.startsWith(`${folder === "/" ? "" : folder}/`);
  for (
    let folder = dirname(real), level = 0;
    level < 5 && !isTooWide(folder);
    folder = dirname(folder), level += 1
  )
    if (await isPackage(folder)) return [real, folder];
  const prefix = /\/s?bin$/.test(dirname(real)) ? dirname(dirname(real)) : null;
  return [real, ...(prefix === null || isTooWide(prefix) ? [] : [prefix])];
}

const isPackage = (folder: string): Promise<boolean> =>
  stat(join(folder, "package.json")).then(
    (found) => found.isFile(),
    () => false,
  );
