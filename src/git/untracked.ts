// What lies in a work tree and git does not track. From the user's checkout nothing else is copied to its own place: what is tracked
// comes by the checkout of a commit, as it was committed. git matches the patterns itself, in the words of .gitignore.

import type { Oid } from "../core/ids.ts";
import type { IndexedTree } from "./checkout.ts";
import { rawFields, shown, splitOnce } from "./raw-path.ts";
import type { Repository } from "./repository.ts";
import type { Git } from "./run.ts";
import { callShadow, type Shadow } from "./shadow.ts";

/** What these patterns name in the user's checkout: files, and folders that a pattern names as a whole, those with a slash. */
export async function untrackedNamed(
  { git, workTree }: Repository,
  patterns: readonly string[],
): Promise<string[]> {
  if (workTree === null || patterns.length === 0) return [];
  const args = ["ls-files", "-z", "-o", "-i", "--directory", ...asExcludes(patterns)];
  return asNamed((await git({ args, cwd: workTree })).stdout);
}

/** Untracked folders of the user's checkout that git ignores as a whole, or does not ignore; each with a slash. */
export async function listUntrackedFolders(
  { git, workTree }: Repository,
  kind: "ignored" | "not-ignored",
): Promise<string[]> {
  if (workTree === null) return [];
  const only = kind === "ignored" ? ["-i"] : [];
  const args = ["ls-files", "-z", "-o", ...only, "--exclude-standard", "--directory"];
  return asNamed((await git({ args, cwd: workTree })).stdout).filter((path) => path.endsWith("/"));
}

/**
 * Files whose name begins with .env, ignored or not, without those that `include` takes out again. What lies in a folder that
 * is ignored as a whole (dependencies, build output) is somebody else's and not looked at.
 */
export async function untrackedEnvFiles(
  { git, workTree }: Repository,
  include: readonly string[],
): Promise<string[]> {
  if (workTree === null) return [];
  const list = async (...args: string[]) =>
    asNamed((await git({ args: ["ls-files", "-z", "-o", ...args], cwd: workTree })).stdout);
  const [ignored, others] = await Promise.all([
    list("-i", "--exclude-standard", "--directory"),
    list("--exclude-standard"),
  ]);
  const isMeant = (path: string) => ENV_FILE.test(path) && !DEPENDENCIES.test(path);
  const open = others.filter(isMeant);
  const own = await spared({ git, workTree }, open);
  const found = [...ignored.filter(isMeant), ...open.filter((path) => !own.has(path))];
  const isNarrowed = include.some((pattern) => pattern.startsWith("!"));
  if (!isNarrowed || found.length === 0) return found;
  return list("-i", ...asExcludes([".env*", ...include]), "--", ...found);
}

/** Those that a .gitignore spares by a line with `!`: they are to be committed, and may be an agent's to write. */
async function spared(
  { git, workTree }: Pick<Repository, "git"> & { readonly workTree: string },
  paths: readonly string[],
): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const args = ["check-ignore", "-z", "-v", "--stdin"];
  // This command refuses literal paths; behind ./ nothing in a path is magic.
  const stdin = paths.map((path) => `./${path}\0`).join("");
  const env = { GIT_LITERAL_PATHSPECS: "0" };
  const { stdout } = await git({ args, cwd: workTree, stdin, env, allow: [1] });
  // Four fields each: file, line, pattern, path.
  const fields = stdout.toString("utf8").split("\0");
  const names = fields.filter((_, i) => i % 4 === 3 && fields[i - 1]?.startsWith("!"));
  return new Set(names.map((name) => name.slice("./".length)));
}

/** Whether a path is ignored, as a file or as a folder. It need not exist. */
export async function isIgnored(git: Git, root: string, path: string): Promise<boolean> {
  const args = ["check-ignore", "-z", "--no-index", "--stdin"];
  const env = { GIT_LITERAL_PATHSPECS: "0" };
  const stdin = `./${path}\0./${path}/\0`;
  return (await git({ args, cwd: root, stdin, env, allow: [1] })).stdout.length > 0;
}

const ENV_FILE = /(?:^|\/)\.env[^/]*$/;
/** For a repository that forgot to ignore them. */
const DEPENDENCIES = /(?:^|\/)(?:node_modules|\.?venv|site-packages)\//;

/** Everything untracked in a worktree, ignored or not; a folder without a tracked file counts as one, with a slash. */
export async function untrackedIn(shadow: Shadow, { path, index }: IndexedTree): Promise<string[]> {
  return asNamed((await callShadow(shadow, { args: EVERYTHING, workTree: path, index })).stdout);
}

/** Every file of a worktree as it was checked out, with its content as git names it. */
export async function listIndexed(
  shadow: Shadow,
  { path, index }: IndexedTree,
): Promise<{ readonly path: string; readonly oid: string }[]> {
  const { stdout } = await callShadow(shadow, { args: ["ls-files", "-s", "-z"], workTree: path, index });
  return rawFields(stdout).map((entry) => {
    const [oid, path] = splitOnce(entry, "\t");
    return { path: shown(path), oid };
  });
}

/** Which of these files are in a worktree with another content than in a tree. */
export async function listChangedFiles(
  shadow: Shadow,
  { path, index }: IndexedTree,
  { tree, files }: { readonly tree: Oid; readonly files: readonly string[] },
): Promise<string[]> {
  if (files.length === 0) return [];
  const args = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", tree, "--", ...files];
  const { stdout } = await callShadow(shadow, { args, workTree: path, index });
  return rawFields(stdout).map(shown);
}

/** The same as `untrackedIn`, in a repository of its own. */
export async function untrackedInClone({ git }: Pick<Repository, "git">, folder: string): Promise<string[]> {
  return asNamed((await git({ args: EVERYTHING, cwd: folder })).stdout);
}

const EVERYTHING = ["ls-files", "-z", "-o", "--directory", "--no-empty-directory"];

const asExcludes = (patterns: readonly string[]): string[] =>
  patterns.map((pattern) => `--exclude=${pattern}`);

/**
 * git names a folder also where all that is in it happens to match, and then what is in it too: such a folder is not meant. A
 * name that is not one line of UTF-8 is left out: nobody can have written it.
 */
function asNamed(stdout: Buffer): string[] {
  const paths = rawFields(stdout)
    .map((path) => ({
      path: shown(path),
      isText: Buffer.from(path, "latin1").equals(Buffer.from(shown(path))),
    }))
    .flatMap(({ path, isText }) => (isText && !path.includes("\n") ? [path] : []))
    .sort();
  // Sorted, a folder comes right before what is in it.
  return paths.filter((path, i) => !(path.endsWith("/") && paths[i + 1]?.startsWith(path)));
}
