// Submodules in worktrees of plait: what the user's checkout has of them, at the commits that a tree records, without a network.
// Each gets a git dir of its own in its folder that borrows the objects of the checkout's, so nothing is cloned, an agent's
// commits and branches stay there until they are saved, and the folder can be moved and removed as a whole.

import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { type Oid, oid } from "../core/ids.ts";
import { otherCommand } from "../core/text/command.ts";
import { fix, plainText, sentence } from "../core/text/sentence.ts";
import type { IndexedTree } from "./checkout.ts";
import { GITLINK } from "./diff.ts";
import { isGitFailure } from "./failure.ts";
import { exists, isRealFolder, readFileOrNull } from "./files.ts";
import { below, type RawPath, rawFields, shown, splitEntry, splitOnce } from "./raw-path.ts";
import { refCall } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { type GitCall, type GitOutput, linesOf, textOf } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";

/** A submodule that a tree records. */
type Recorded = { readonly name: string; readonly path: RawPath; readonly commit: Oid };

type CallOptions = Pick<GitCall, "allow" | "stdin">;

/** Where submodules of one repository are looked for: in its checkout, and below its git dirs. */
type Holder = {
  readonly workTree: string | null;
  readonly gitDirs: readonly string[];
  /** Calls git on the objects of that repository. What may be absent is asked for so that a failure is no answer. */
  readonly call: (args: readonly string[], options?: CallOptions) => Promise<GitOutput>;
};

const INIT = otherCommand("git", "submodule update", ["--init", "--recursive"]);

/** Thrown where the checkout does not have the recorded commit: only the user can fetch it. */
export class MissingSubmodule extends Error {
  override readonly name = "MissingSubmodule";
  readonly problem: string;
  readonly hint = fix("run", INIT);

  constructor(path: string, commit: Oid) {
    const problem = `submodule ${path}: commit ${commit.slice(0, 7)} is not in your checkout`;
    super(plainText(sentence`${problem}; ${fix("run", INIT)}`));
    this.problem = problem;
  }
}

export type ToFill = {
  readonly root: string;
  readonly tree: Oid;
  /** Files in them that git does not know stay, such as what a setup installed. */
  readonly keepUntracked?: boolean;
};

/** Fills every submodule of the tree that the checkout has; the others stay empty folders, as they are there. */
export async function fillSubmodules(shadow: Shadow, { root, tree, keepUntracked }: ToFill): Promise<void> {
  if (!shadow.repository.hasSubmodules) return;
  const holder = superproject(shadow.repository);
  await fillAll(shadow.repository, holder, { root, tree, keepUntracked: keepUntracked ?? false });
}

/** The repository of the checkout that has a submodule's commits; null where it is not initialized there. */
export function findModule(shadow: Shadow, path: RawPath, tree: Oid): Promise<string | null> {
  return findIn(superproject(shadow.repository), path, tree);
}

export function findNestedModule(
  repository: Repository,
  module: string,
  { path, tree }: { readonly path: RawPath; readonly tree: Oid },
): Promise<string | null> {
  return findIn(inModule(repository, module, null), path, tree);
}

async function findIn(holder: Holder, path: RawPath, tree: Oid): Promise<string | null> {
  const found = (await listRecorded(holder, tree)).find((one) => one.path === path);
  return found === undefined ? null : resolveModule(holder, found);
}

/** Submodules whose recorded commit the checkout lacks, and those that it has not initialized. */
export async function checkSubmodules(
  repository: Repository,
  tree: Oid,
): Promise<{ readonly missing: MissingSubmodule | null; readonly empty: readonly string[] }> {
  if (!repository.hasSubmodules) return { missing: null, empty: [] };
  const holder = superproject(repository);
  const empty: string[] = [];
  for (const recorded of await listRecorded(holder, tree)) {
    const module = await resolveModule(holder, recorded);
    if (module === null) empty.push(shown(recorded.path));
    else if (!(await hasCommit(inModule(repository, module, null), recorded.commit)))
      return { missing: new MissingSubmodule(shown(recorded.path), recorded.commit), empty };
  }
  return { missing: null, empty };
}

/** The submodules that an index has, at the commits that it records. */
export async function listGitlinks(
  shadow: Shadow,
  { path: workTree, index }: IndexedTree,
): Promise<{ readonly path: RawPath; readonly commit: Oid }[]> {
  const { stdout } = await callShadow(shadow, { args: ["ls-files", "-s", "-z"], workTree, index });
  const links = rawFields(stdout).filter((entry) => entry.startsWith(GITLINK));
  return links.map(splitEntry).map(({ words, path }) => ({ path, commit: oid(words[1] ?? "") }));
}

/** Empties the folders that an index has submodules in: `git clean` does not look into them. */
export async function emptySubmodules(shadow: Shadow, tree: IndexedTree): Promise<void> {
  if (!shadow.repository.hasSubmodules || !(await exists(tree.index))) return;
  for (const { path } of await listGitlinks(shadow, tree))
    await rm(below(tree.path, path), { recursive: true, force: true });
}

/** A repository of a submodule, for calls that only know its folder. */
export async function moduleRepository(repository: Repository, module: string): Promise<Repository> {
  const isShallow = await exists(join(module, "shallow"));
  return { ...repository, commonDir: module, gitDir: module, workTree: null, isShallow };
}

function superproject(repository: Repository): Holder {
  const { workTree, gitDir, commonDir } = repository;
  const call: Holder["call"] = (args, options) => refCall(repository, args, options);
  return { workTree, gitDirs: [gitDir, commonDir], call };
}

function inModule(repository: Repository, module: string, workTree: string | null): Holder {
  const call: Holder["call"] = (args, options) =>
    refCall({ ...repository, commonDir: module }, args, options);
  return { workTree, gitDirs: [module], call };
}

type Filling = { readonly root: string; readonly tree: Oid; readonly keepUntracked: boolean };

async function fillAll(repository: Repository, holder: Holder, filling: Filling): Promise<void> {
  const { root, tree, keepUntracked } = filling;
  for (const recorded of await listRecorded(holder, tree)) {
    const module = await resolveModule(holder, recorded);
    if (module === null) continue;
    const { path, commit } = recorded;
    const workTree = holder.workTree === null ? null : below(holder.workTree, path).toString();
    const inside = inModule(repository, module, workTree);
    if (!(await hasCommit(inside, commit))) throw new MissingSubmodule(shown(path), commit);
    const folder = below(root, path).toString();
    if (!keepUntracked || !(await isRealFolder(folder))) await rm(folder, { recursive: true, force: true });
    await borrow(repository, { folder, module, commit });
    await fillAll(repository, inside, { root: folder, tree: commit, keepUntracked });
  }
}

/** What the tree says, by `.gitmodules` and by the links themselves; names that would lead elsewhere are left alone, as git does. */
async function listRecorded(holder: Holder, tree: Oid): Promise<Recorded[]> {
  const names = await readNames(holder, tree);
  if (names.size === 0) return [];
  const paths = [...names.keys()].map((path) => Buffer.from(path, "latin1").toString());
  return (await listTree(holder, tree, paths)).flatMap(({ mode, object, path }): Recorded[] => {
    const name = names.get(path);
    return mode === GITLINK && name !== undefined ? [{ name, path, commit: object }] : [];
  });
}

/** The names of submodules by their paths, as `.gitmodules` of the tree has them. */
async function readNames(holder: Holder, tree: Oid): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const [file] = await listTree(holder, tree, [".gitmodules"]);
  if (file === undefined || !file.mode.startsWith("100")) return names; // git does not read a link either
  const args = ["config", `--blob=${file.object}`, "-z", "--get-regexp", "^submodule\\..*\\.path$"];
  const { stdout } = await holder.call(args, { allow: [1] }).catch((error: unknown) => {
    if (isGitFailure(error, "corrupt")) return { stdout: Buffer.alloc(0) }; // not a config: an agent may write anything
    throw error;
  });
  for (const entry of rawFields(stdout)) {
    const cut = entry.indexOf("\n");
    const name = entry.slice("submodule.".length, cut - ".path".length);
    const path = entry.slice(cut + 1).replace(/\/+$/, "");
    if (cut >= 0 && isPlainName(name) && isPlainName(path)) names.set(path, name);
  }
  return names;
}

type TreeEntry = { readonly mode: string; readonly object: Oid; readonly path: RawPath };

/** Those of the paths that the tree has. */
async function listTree({ call }: Holder, tree: Oid, paths: readonly string[]): Promise<TreeEntry[]> {
  const { stdout } = await call(["ls-tree", "-z", tree, "--", ...paths]);
  return rawFields(stdout).map((entry) => {
    const { words, path } = splitEntry(entry);
    const [mode = "", , object = ""] = words;
    return { mode, object: oid(object), path };
  });
}

async function hasCommit({ call }: Holder, commit: Oid): Promise<boolean> {
  const stdin = `${commit}^{commit}\n`;
  return textOf(await call(["cat-file", "--batch-check=%(objectname)"], { stdin })) === commit; // else "<name> missing"
}

const isPlainName = (name: string): boolean =>
  name !== "" && !isAbsolute(name) && !name.split("/").includes("..");

async function resolveModule(
  { workTree, gitDirs }: Holder,
  { name, path }: Recorded,
): Promise<string | null> {
  const own = workTree === null ? null : await readPointer(below(workTree, path).toString());
  for (const folder of [own, ...gitDirs.map((dir) => join(dir, "modules", name))]) {
    if (folder === null || !(await exists(join(folder, "HEAD")))) continue;
    const common = await readFileOrNull(join(folder, "commondir")); // a linked worktree has one
    return common === null ? folder : resolve(folder, common.toString().trim());
  }
  return null;
}

/** The git dir of a folder: `.git` itself, or where that file points. */
async function readPointer(folder: string): Promise<string | null> {
  const path = join(folder, ".git");
  if (await isRealFolder(path)) return path;
  const text = (await readFileOrNull(path))?.toString() ?? ""; // not initialized
  return text.startsWith("gitdir: ") ? resolve(folder, text.slice("gitdir: ".length).trim()) : null;
}

type Borrowed = { readonly folder: string; readonly module: string; readonly commit: Oid };

/** A git dir without objects of its own, whose HEAD is the commit, and the files of that. */
async function borrow(repository: Repository, { folder, module, commit }: Borrowed): Promise<void> {
  const dir = join(folder, ".git");
  await rm(dir, { recursive: true, force: true });
  await mkdir(join(dir, "objects", "info"), { recursive: true });
  await mkdir(join(dir, "refs"), { recursive: true });
  await writeFile(join(dir, "objects", "info", "alternates"), `${join(module, "objects")}\n`);
  if (await exists(join(module, "shallow"))) await copyFile(join(module, "shallow"), join(dir, "shallow"));
  await writeFile(join(dir, "config"), await borrowedConfig(repository, module));
  await writeFile(join(dir, "HEAD"), `${commit}\n`);
  await repository.git({
    args: ["read-tree", "--reset", "-u", commit],
    cwd: folder,
    env: { GIT_DIR: dir, GIT_WORK_TREE: folder },
  });
}

/** Its remotes, so that an agent finds them where it would in the checkout; nothing that runs. */
async function borrowedConfig({ git, objectFormat }: Repository, module: string): Promise<string> {
  const args = ["config", "--file", join(module, "config"), "--get-regexp", "^remote\\..*\\.(url|fetch)$"];
  const remotes = linesOf(await git({ args, cwd: module, env: { GIT_DIR: module }, allow: [1] }));
  const version = objectFormat === "sha256" ? "1\n[extensions]\n\tobjectformat = sha256" : "0";
  const sections = remotes.map((line) => {
    const [key, value] = splitOnce(line, " ");
    const name = key.slice("remote.".length, key.lastIndexOf("."));
    return `[remote ${JSON.stringify(name)}]\n\t${key.slice(key.lastIndexOf(".") + 1)} = ${JSON.stringify(value)}\n`;
  });
  return `[core]\n\tbare = false\n\trepositoryformatversion = ${version}\n${sections.join("")}`;
}
