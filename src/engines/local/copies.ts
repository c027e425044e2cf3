// What the worktrees of a run get from the user's checkout: found once, at the start of a driver, so that what is copied, what
// is hidden from git and what may not be merged is the same list.

import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, join, normalize } from "node:path";
import type { PreparationKey } from "../../core/ids.ts";
import { expandBraces } from "../../core/ownership/braces.ts";
import { type CopyTo, type Plan, type Preparation, preparationKey } from "../../core/plan.ts";
import { type Repository, trackedIn, untrackedEnvFiles, untrackedNamed } from "../../git/index.ts";
import { secretsOf } from "../../process/mask/secrets.ts";
import { ifMissing, onErrno } from "../../util/errno.ts";
import { throughFolders } from "./copy-tree.ts";
import { type RunFolder, writeWhole } from "./run-folder.ts";

/** What a worktree gets. */
export type CopyList = {
  /** Where it is in the worktree: files, and folders as a whole. */
  readonly paths: readonly string[];
  /** Which of these lie elsewhere in the checkout, and where. */
  readonly sources: ReadonlyMap<string, string>;
};

export type Copies = Awaited<ReturnType<typeof findCopies>>;

export async function findCopies(repository: Repository, { prepare, tasks }: Plan, folder: RunFolder) {
  const found = new Map<PreparationKey, CopyList>();
  for (const one of [prepare, ...tasks.map((task) => task.prepare)]) {
    const key = preparationKey(one);
    if (!found.has(key)) found.set(key, await copiesFor(repository, one));
  }
  const all = new Set([
    ...(await earlierCopies(folder)),
    ...[...found.values()].flatMap(({ paths }) => paths),
  ]);
  // Before the first of them is copied: a worktree that this driver leaves behind is saved by one that may find fewer.
  if (all.size > 0) await writeWhole(folder.copies, `${JSON.stringify([...all].sort())}\n`);
  return {
    of: (asked: Preparation): CopyList => {
      const list = found.get(preparationKey(asked));
      if (list === undefined) throw new Error("this preparation is not in the original plan of the run");
      return list;
    },
    /** Of all tasks, also what an earlier driver copied. */
    all: [...all].sort() as readonly string[],
    /** Whether a path is one of these, or lies in one. */
    has: (path: string): boolean => isAmong(all, path),
  };
}

/** What the user's checkout has for a worktree with this preparation. */
export async function copiesFor(
  repository: Repository,
  { copy, include, envFiles }: Preparation,
): Promise<CopyList> {
  const patterns = copy.filter((one) => typeof one === "string").flatMap(patternsOf);
  const namesDependencies = patterns.some((pattern) => pattern.includes("node_modules"));
  const [named, included, env, sources] = await Promise.all([
    untrackedNamed(repository, patterns),
    untrackedNamed(repository, include),
    envFiles ? untrackedEnvFiles(repository, include) : [],
    copiedElsewhere(
      repository,
      copy.filter((one) => typeof one !== "string"),
    ),
  ]);
  // `**` does not mean the files of other people, by the thousand.
  const meant = named.filter((path) => namesDependencies || !/(?:^|\/)node_modules\/./.test(path));
  const paths = [...meant, ...included, ...env].map((path) => path.replace(/\/$/, ""));
  return { paths: [...new Set([...paths, ...sources.keys()])].sort(), sources };
}

/** By its place in the worktree: where each file lies. What git tracks there is no copy, and may be worked on. */
async function copiedElsewhere(
  repository: Repository,
  copies: readonly CopyTo[],
): Promise<Map<string, string>> {
  const { workTree } = repository;
  const sources = new Map<string, string>();
  if (workTree === null || copies.length === 0) return sources;
  for (const { from, to } of copies)
    for (const way of await filesBelow(join(workTree, from))) {
      const path = normalize(join(to, way));
      if (!sources.has(path)) sources.set(path, normalize(join(from, way)));
    }
  const places = copies.map(({ to }) => normalize(to));
  for (const path of await trackedIn(repository, workTree, places)) sources.delete(path);
  return sources;
}

/** The ways to all files in a folder; an empty one to a file itself. */
async function filesBelow(path: string): Promise<string[]> {
  const found = await lstat(path).catch(ifMissing(null));
  if (found === null) return [];
  if (!found.isDirectory()) return [""];
  const files: string[] = [];
  await throughFolders([""], async (folder) => {
    const entries = await readdir(join(path, folder), { withFileTypes: true });
    const ways = entries.map((entry) => ({ entry, way: join(folder, entry.name) }));
    files.push(...ways.filter(({ entry }) => !entry.isDirectory()).map(({ way }) => way));
    return ways.filter(({ entry }) => entry.isDirectory()).map(({ way }) => way);
  });
  return files;
}

/** In the words of .gitignore, tied to the root; there are no braces in them. */
function patternsOf(written: string): string[] {
  const path = written.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "");
  const expanded = expandBraces(path);
  const texts = expanded.kind === "texts" ? expanded.texts : [path];
  return texts.map((text) => `/${text}`);
}

/** Whether a path is one of these, or lies in one. */
export function isAmong(paths: ReadonlySet<string>, path: string): boolean {
  return [...foldersTo(path)].some((one) => paths.has(one));
}

function* foldersTo(path: string): Generator<string> {
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) yield path.slice(0, end);
  yield path;
}

/** What any driver of the run has copied. */
export async function earlierCopies({ copies }: RunFolder): Promise<readonly string[]> {
  return JSON.parse(await readFile(copies, "utf8").catch(onErrno({ ENOENT: "[]" }))); // written above, whole or not at all
}

/** Values in the .env files that agents get to see: to be masked where they are printed, and kept out of what is merged. */
export async function copiedSecrets(checkout: string, { all }: Pick<Copies, "all">): Promise<string[]> {
  const secrets: string[] = [];
  for (const path of all.filter((one) => /^\.env/.test(basename(one)))) {
    const text = await readFile(join(checkout, path), "utf8").catch(() => ""); // a folder, or gone: then nobody sees it
    for (const [, name = "", value = ""] of text.slice(0, MOST_OF_A_FILE).matchAll(SETTING)) {
      secrets.push(...secretsOf({ [name]: value.trim().replace(/^(["'])(.*)\1$/s, "$2") }));
    }
  }
  return secrets;
}

const MOST_OF_A_FILE = 65_536;
const SETTING = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=(.*)$/gm;
