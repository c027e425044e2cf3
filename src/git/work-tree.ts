// A folder of files → a tree, as `git add -A` would make it, and where that gives up, all that can be had. The index is a
// copy of plait's private one: what the agent did to its own index or left locked there does not matter.
//
// Paths are listed first and added by name. So sizes are known before a byte is read, a file that vanishes meanwhile is
// simply gone, and one that cannot be read costs itself alone (`add -A` dies with the first).

import { chmod, lstat, rm } from "node:fs/promises";
import { type Oid, oid } from "../core/ids.ts";
import type { IndexedTree } from "./checkout.ts";
import { isGitFailure } from "./failure.ts";
import { below, foldersAbove, type RawPath, rawFields, rawInput, shown, toRaw } from "./raw-path.ts";
import { textOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";
import { listGitlinks } from "./submodules.ts";

/** Something that is not in the tree: it stays where it is, and the report names it. */
export type LeftBehind = {
  readonly path: string;
  readonly why: "too-large" | "refused-name" | "unreadable" | "nested-history";
  readonly bytes: number;
};

export type WorkTree = {
  readonly path: string;
  /** A copy that may be written. */
  readonly index: string;
  /** How many bytes of new content are taken at most. */
  readonly maxBytes: number;
  /** Absent on purpose (sparse rules of the agent's own): not a deletion. */
  readonly absent: ReadonlySet<RawPath>;
};

export type ScannedTree = {
  readonly tree: Oid;
  readonly leftBehind: readonly LeftBehind[];
  /** Repositories inside, whose files are in the tree. */
  readonly nested: readonly RawPath[];
};

export async function scanWorkTree(shadow: Shadow, work: WorkTree): Promise<ScannedTree> {
  const { paths, nested, closed } = await listChanges(shadow, work);
  const { within, tooLarge } = await weigh(work, paths);
  const { unreadable, sawRefused } = await addPaths(shadow, work, within);
  const skipped = new Set([...tooLarge.keys(), ...unreadable]);
  const refused = sawRefused ? (await list(shadow, work)).paths.filter((path) => !skipped.has(path)) : [];
  const tree = await callShadow(shadow, { args: ["write-tree"], index: work.index, durable: true });
  const leave = (why: LeftBehind["why"]) => (path: RawPath) => ({
    path: shown(path),
    why,
    bytes: tooLarge.get(path) ?? 0,
  });
  const leftBehind = [
    ...[...tooLarge.keys()].map(leave("too-large")),
    ...[...unreadable, ...closed].map(leave("unreadable")),
    ...refused.map(leave("refused-name")),
  ];
  return { tree: oid(textOf(tree)), leftBehind, nested };
}

/** An index entry below a nested repository makes git take that for a plain folder. */
const SEED = ".plait-seed";
/** The name of the empty blob, which git knows without having it. */
const EMPTY_BLOB = {
  sha1: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  sha256: "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
};

/**
 * Everything changed, deleted or new. Listed again as long as that brings something to light: a folder where a file was,
 * a repository inside another.
 */
async function listChanges(shadow: Shadow, work: WorkTree) {
  const nested = new Set<RawPath>();
  for (;;) {
    const { paths, closed } = await list(shadow, work);
    const replaced = await replacedByFolders(shadow, work, paths);
    const fresh = paths.filter((path) => path.endsWith("/") && !nested.has(path));
    if (replaced.length + fresh.length === 0) {
      return { paths: await reachable(shadow, work, paths), nested: [...nested], closed };
    }
    for (const path of fresh) nested.add(path);
    await forgetPaths(shadow, work, replaced);
    // The seeds go by themselves: there is no such file, so they are listed as deleted with the rest.
    const blob = EMPTY_BLOB[shadow.repository.objectFormat];
    const seeds = fresh.map((path) => `100644 ${blob}\t${path}${SEED}`);
    await updateIndex(shadow, work, ["--add", "--replace", "-z", "--index-info"], rawInput(seeds));
  }
}

/** Where a file was there is a folder now. git lists what is in it only when it has forgotten the file. */
async function replacedByFolders(
  shadow: Shadow,
  work: WorkTree,
  paths: readonly RawPath[],
): Promise<RawPath[]> {
  const found = await Promise.all(paths.map((path) => lstat(below(work.path, path)).catch(() => null)));
  const folders = paths.filter((path, i) => found[i]?.isDirectory() && !path.endsWith("/"));
  if (folders.length === 0) return [];
  const submodules = new Set((await listGitlinks(shadow, work)).map(({ path }) => path));
  return folders.filter((path) => !submodules.has(path));
}

async function forgetPaths(shadow: Shadow, work: WorkTree, paths: readonly RawPath[]): Promise<void> {
  if (paths.length > 0) await updateIndex(shadow, work, ["--force-remove", "-z", "--stdin"], rawInput(paths));
}

/** What git lists, after opening the folders that it could not look into. */
async function list(shadow: Shadow, { path, index }: WorkTree) {
  const hidden = shadow.hidden.map((pattern) => `--exclude=${pattern}`);
  const args = ["ls-files", "-z", "-o", "-m", "-d", "--exclude-standard", ...hidden];
  const opened = new Set<RawPath>();
  for (;;) {
    const { stdout, stderr } = await callShadow(shadow, { args, workTree: path, index });
    // Only a warning for git, which says 0: but what is in there is not in the list.
    const warnings = stderr.matchAll(/^warning: could not open directory '(.*)\/': /gm);
    const closed = [...warnings].map(([, name = ""]) => toRaw(name));
    const fresh = closed.filter((folder) => !opened.has(folder));
    if (fresh.length === 0) return { paths: [...new Set(rawFields(stdout))], closed };
    for (const folder of fresh) {
      opened.add(folder);
      await chmod(below(path, folder), 0o700).catch(() => undefined); // not ours: named as unreadable
    }
  }
}

/**
 * Without what only seems to be there: below a link to a folder git sees the files of that folder under a second name,
 * and `update-index` refuses them. Their entries go.
 */
async function reachable(shadow: Shadow, work: WorkTree, paths: readonly RawPath[]): Promise<RawPath[]> {
  const links = new Map<RawPath, boolean>();
  const behindLink: RawPath[] = [];
  const kept: RawPath[] = [];
  for (const path of paths) {
    if (work.absent.has(path) && (await lstat(below(work.path, path)).catch(() => null)) === null) continue;
    (await isBelowLink(work.path, path, links)) ? behindLink.push(path) : kept.push(path);
  }
  await forgetPaths(shadow, work, behindLink);
  return kept;
}

async function isBelowLink(root: string, path: RawPath, known: Map<RawPath, boolean>): Promise<boolean> {
  for (const folder of foldersAbove(path)) {
    let isLink = known.get(folder);
    if (isLink === undefined) {
      isLink = await lstat(below(root, folder)).then(
        (found) => found.isSymbolicLink(),
        () => false, // it is gone, and with it what was below: a deletion
      );
      known.set(folder, isLink);
    }
    if (isLink) return true;
  }
  return false;
}

/** As much as the limit allows, small files first: what is left out is the few that are large. */
async function weigh({ path: root, maxBytes }: WorkTree, paths: readonly RawPath[]) {
  const sizes = await Promise.all(
    paths.map(async (path) => {
      const found = await lstat(below(root, path)).catch(() => null); // deleted
      return [path, found?.isFile() ? found.size : 0] as const;
    }),
  );
  const tooLarge = new Map<RawPath, number>();
  let total = 0;
  for (const [path, bytes] of [...sizes].sort(([, a], [, b]) => a - b)) {
    total += bytes;
    if (total > maxBytes && bytes > 0) tooLarge.set(path, bytes);
  }
  return { within: paths.filter((path) => !tooLarge.has(path)), tooLarge };
}

/** Large files are streamed, not read into memory: 400 MB took 395 MB of memory without this, 5 with it. */
const STREAM_LARGE = "core.bigFileThreshold=50m";

export async function updateIndex(
  shadow: Shadow,
  { path, index }: IndexedTree,
  args: readonly string[],
  stdin: Buffer,
): Promise<{ readonly stderr: string }> {
  await rm(`${index}.lock`, { force: true }); // ours: left by a call of ours that died
  const call = { workTree: path, index, stdin, durable: "batch", config: [STREAM_LARGE] } as const;
  return callShadow(shadow, { args: ["update-index", ...args], ...call });
}

/**
 * Takes the files as they are now, also that they are gone. A batch that fails changes nothing, so it is halved until the
 * paths that cannot be read are alone. `sawRefused`: git skipped names that it never takes, such as `.GIT/x`.
 */
async function addPaths(
  shadow: Shadow,
  work: IndexedTree,
  paths: readonly RawPath[],
): Promise<{ readonly unreadable: readonly RawPath[]; readonly sawRefused: boolean }> {
  if (paths.length === 0) return { unreadable: [], sawRefused: false };
  try {
    const args = ["--add", "--remove", "--replace", "-z", "--stdin"];
    const { stderr } = await updateIndex(shadow, work, args, rawInput(paths));
    return { unreadable: [], sawRefused: stderr.includes("Ignoring path ") };
  } catch (error) {
    if (!isGitFailure(error, "other", "read-only", "not-found", "corrupt")) throw error;
    if (error.failure.stderr.includes("insufficient permission for adding an object")) throw error; // not the file's fault
    const [first] = paths;
    if (paths.length === 1 && first !== undefined) return addOne(shadow, work, first);
    const middle = paths.length >> 1;
    const left = await addPaths(shadow, work, paths.slice(0, middle));
    const right = await addPaths(shadow, work, paths.slice(middle));
    return {
      unreadable: [...left.unreadable, ...right.unreadable],
      sawRefused: left.sawRefused || right.sawRefused,
    };
  }
}

/** One more try: the file may have vanished meanwhile, or only be closed to its owner. */
async function addOne(shadow: Shadow, work: IndexedTree, path: RawPath) {
  const file = below(work.path, path);
  const found = await lstat(file).catch(() => null); // vanished
  if (found?.isFile() && (found.mode & 0o400) === 0) await chmod(file, found.mode | 0o400);
  try {
    await updateIndex(shadow, work, ["--add", "--remove", "--replace", "-z", "--stdin"], rawInput([path]));
    return { unreadable: [], sawRefused: false };
  } catch (error) {
    if (!isGitFailure(error, "other", "read-only", "not-found", "corrupt")) throw error;
    return { unreadable: [path], sawRefused: false };
  }
}
