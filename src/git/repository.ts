// A repository as plait finds it, and the reasons not to start in it. All reading: nothing of the user's is changed here.

import { mkdtemp, realpath, rmdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Revision } from "../core/facts.ts";
import { oid, type RefName, refName } from "../core/ids.ts";
import { otherCommand } from "../core/text/command.ts";
import { command, fix, type Sentence, sentence } from "../core/text/sentence.ts";
import { errorText } from "../util/errno.ts";
import {
  configFlag,
  configValue,
  type GitConfig,
  type GitVersion,
  isAtLeast,
  parseConfig,
  parseVersion,
} from "./config.ts";
import { isGitFailure } from "./failure.ts";
import { hasFilters, type LargeFiles, readTreeFacts } from "./repository-facts.ts";
import { retryGit } from "./retry-git.ts";
import { type Git, linesOf, textOf } from "./run.ts";

/** Everything plait knows of a repository while it runs there. */
export type Repository = {
  readonly git: Git;
  readonly version: GitVersion;
  /** `$C`: what all worktrees share. */
  readonly commonDir: string;
  /** The git dir of the worktree that plait was started in; the same as `commonDir` in the main one. */
  readonly gitDir: string;
  /** The root of that worktree; null in a bare repository. */
  readonly workTree: string | null;
  readonly head: Head;
  readonly objectFormat: "sha1" | "sha256";
  readonly refStorage: string;
  readonly identity: Identity;
  /** As it was when the repository was opened. */
  readonly config: GitConfig;
  readonly ignoresCase: boolean;
  readonly isShallow: boolean;
  readonly hasSubmodules: boolean;
  readonly largeFiles: LargeFiles;
  /** The folder outside any repository that this one, plait's own and without a file, stands in for; null: it is the user's. */
  readonly standsInFor: string | null;
};

/** Where HEAD is. A HEAD without a commit is refused, so there is none here. */
export type Head =
  | { readonly kind: "branch"; readonly ref: RefName; readonly at: Revision }
  | { readonly kind: "detached"; readonly at: Revision };

export type Identity = { readonly name: string; readonly email: string };

/** Why plait does not start here: what is wrong, and what to type. */
export type RepositoryRefusal = { readonly message: string; readonly hint: Sentence } & {
  readonly reason:
    | "no-git"
    | "old-git"
    | "not-a-repository"
    /** There is one, and git does not read it. */
    | "unusable"
    | "unborn"
    | "branch-named-plait"
    | "mirror"
    | "read-only"
    | "no-lfs";
};

export type Opened =
  | { readonly ok: true; readonly repository: Repository }
  | { readonly ok: false; readonly refusal: RepositoryRefusal };

/** Used where the user has set none, so that work can be saved all the same. */
export const OWN_IDENTITY: Identity = { name: "plait", email: "plait@localhost" };

export async function openRepository(git: Git, folder: string): Promise<Opened> {
  try {
    return await retryGit(async () => {
      const version = parseVersion(await git({ args: ["version"], cwd: folder }));
      if (version === null) return refuse("old-git", "git (unknown version)");
      if (!isAtLeast(version, 2, 38)) return refuse("old-git", `git ${version.major}.${version.minor}`);
      return openWith(git, version, folder);
    });
  } catch (error) {
    if (isGitFailure(error, "no-git")) return refuse("no-git", folder);
    if (!isGitFailure(error, "not-a-repository")) throw error;
    const said = error.failure.stderr.trim();
    return refuse(NOWHERE.test(said) ? "not-a-repository" : "unusable", folder, said);
  }
}

/** Said where neither the folder nor any above it is one; not of one that belongs to somebody else, or is half gone. */
const NOWHERE = /not a git repository \(or any/;

async function openWith(git: Git, version: GitVersion, folder: string): Promise<Opened> {
  const place = await locate(git, folder);
  const [listed, { head, hasBranchNamedPlait }] = await Promise.all([
    git({ args: ["config", "-z", "--list", "--includes", "--show-scope"], cwd: folder }),
    readHead(git, folder),
  ]);
  // "command" is what our own call said: not the user's hooks path, not the user's signing.
  const config = parseConfig(listed.stdout).filter(({ scope }) => scope !== "command");
  if (head === null) return refuse("unborn", place.commonDir);
  // With it refs/heads/plait/<run>/integration cannot exist: a name is a file or a folder, not both.
  if (hasBranchNamedPlait) return refuse("branch-named-plait", place.commonDir);
  if (isMirror(config)) return refuse("mirror", place.commonDir);
  const problem = await writeProblem(place.commonDir);
  if (problem !== null) return refuse("read-only", place.commonDir, problem);
  const tree = await readTreeFacts(git, { folder, commit: head.at.commit, config });
  if (tree.largeFiles === "missing" && hasFilters(config, "lfs")) return refuse("no-lfs", place.commonDir);
  const refStorage = configValue(config, "extensions.refstorage") ?? "files";
  const shared = {
    standsInFor: null,
    identity: userIdentity(config) ?? OWN_IDENTITY,
    ignoresCase: configFlag(config, "core.ignorecase"),
  };
  return { ok: true, repository: { git, version, ...place, head, config, refStorage, ...shared, ...tree } };
}

type Place = Pick<Repository, "commonDir" | "gitDir" | "workTree" | "objectFormat" | "isShallow">;

async function locate(git: Git, folder: string): Promise<Place> {
  const asked = ["--git-common-dir", "--absolute-git-dir", "--show-object-format", "--is-shallow-repository"];
  const inside = ["--is-inside-work-tree"];
  const args = ["rev-parse", "--path-format=absolute", ...asked, ...inside];
  const [commonDir = "", gitDir = "", format, shallow, isInside] = linesOf(await git({ args, cwd: folder }));
  const root =
    isInside === "true" ? textOf(await git({ args: ["rev-parse", "--show-toplevel"], cwd: folder })) : null;
  return {
    commonDir: await realpath(commonDir),
    gitDir: await realpath(gitDir),
    workTree: root === null ? null : await realpath(root),
    objectFormat: format === "sha256" ? "sha256" : "sha1",
    isShallow: shallow === "true",
  };
}

async function readHead(git: Git, folder: string) {
  const stdin = "HEAD^{commit}\nHEAD^{tree}\nrefs/heads/plait\n";
  const [found, symbolic] = await Promise.all([
    git({ args: ["cat-file", "--batch-check=%(objectname)"], cwd: folder, stdin }),
    git({ args: ["symbolic-ref", "-q", "HEAD"], cwd: folder, allow: [1] }),
  ]);
  const [commit = "", tree = "", plait = ""] = linesOf(found);
  const isThere = (answer: string) => /^[0-9a-f]+$/.test(answer); // else "<name> missing"
  return { head: headOf(), hasBranchNamedPlait: isThere(plait) };

  function headOf(): Head | null {
    if (!isThere(commit)) return null;
    const at = { commit: oid(commit), tree: oid(tree) };
    if (symbolic.code !== 0) return { kind: "detached", at };
    return { kind: "branch", ref: refName(textOf(symbolic)), at };
  }
}

/** Its next `fetch --prune` would delete every ref of ours. */
function isMirror(config: GitConfig): boolean {
  return config.some(
    ({ key, value }) => /^remote\..*\.fetch$/.test(key) && /^\+?refs\/\*:refs\/\*$/.test(value ?? ""),
  );
}

/** Tried, not asked: permission bits say nothing about a read-only mount, and nothing to root. */
async function writeProblem(commonDir: string): Promise<string | null> {
  for (const folder of [commonDir, join(commonDir, "objects"), join(commonDir, "refs")]) {
    try {
      await rmdir(await mkdtemp(join(folder, "plait-probe-")));
    } catch (error) {
      return errorText(error);
    }
  }
  return null;
}

/** Who the user is; null when git has not been told. */
export function userIdentity(config: GitConfig): Identity | null {
  const [name, email] = [configValue(config, "user.name"), configValue(config, "user.email")];
  return name && email ? { name, email } : null;
}

function refuse(reason: RepositoryRefusal["reason"], where: string, said = ""): Opened {
  const [message, hint] = TEXTS[reason](where, said);
  return { ok: false, refusal: { reason, message, hint } };
}

const FIRST_COMMIT = sentence`${command(otherCommand("git", "add", "-A"))} && ${command(
  otherCommand("git", "commit", ["-m", "start"]),
)}`;

function noRepository(where: string, said: string): [message: string, hint: Sentence] {
  return [
    `${where} is not in a usable git repository: ${said.split("\n", 1)[0]}`,
    sentence`change to a repository, or create one: ${command(otherCommand("git", "init"))} && ${FIRST_COMMIT}`,
  ];
}

const TEXTS: Record<
  RepositoryRefusal["reason"],
  (where: string, said: string) => [message: string, hint: Sentence]
> = {
  "no-git": () => ["git is not on the PATH", "install git 2.38 or newer: https://git-scm.com/downloads"],
  "old-git": (name) => [
    `${name} is too old: plait needs 2.38 or newer`,
    "upgrade git: https://git-scm.com/downloads",
  ],
  "not-a-repository": noRepository,
  unusable: noRepository,
  unborn: (where) => [
    `the repository at ${where} has no commits`,
    sentence`create the first one: ${FIRST_COMMIT}`,
  ],
  "branch-named-plait": () => [
    "a branch named plait is in the way of plait's branches (plait/…)",
    fix("rename it", otherCommand("git", "branch", ["-m", "plait", "plait-old"])),
  ],
  mirror: (where) => [
    `the repository at ${where} is a mirror: its next fetch would delete saved work`,
    fix("use a plain clone", otherCommand("git", "clone", [basename(where), "work"])),
  ],
  "read-only": (where, said) => [
    `cannot write to the repository at ${where}: ${said}`,
    "make it writable, or use a clone",
  ],
  "no-lfs": () => [
    "this repository uses Git LFS, but git-lfs is not installed",
    "install it: https://git-lfs.com",
  ],
};

/**
 * What is around a folder, for those who only want to know where files belong: a repository without a commit, which no run can
 * start in, is one here.
 */
type Around =
  | { readonly kind: "work-tree"; readonly root: string }
  /** In no repository, or git is not there to say. */
  | { readonly kind: "outside" }
  /** In a repository that has no files here: a bare one, or inside of .git. */
  | { readonly kind: "no-files" }
  /** There is one, and git does not read it. */
  | { readonly kind: "unusable"; readonly said: string };

export async function probeRepository(git: Git, folder: string): Promise<Around> {
  try {
    return await retryGit(() => findWorkTree(git, folder));
  } catch (error) {
    if (isGitFailure(error, "no-git")) return { kind: "outside" };
    if (!isGitFailure(error, "not-a-repository")) throw error;
    const said = error.failure.stderr.trim();
    return NOWHERE.test(said) ? { kind: "outside" } : { kind: "unusable", said };
  }
}

async function findWorkTree(git: Git, folder: string): Promise<Around> {
  const inside = textOf(await git({ args: ["rev-parse", "--is-inside-work-tree"], cwd: folder }));
  if (inside !== "true") return { kind: "no-files" };
  const root = textOf(await git({ args: ["rev-parse", "--show-toplevel"], cwd: folder }));
  return { kind: "work-tree", root: await realpath(root) };
}

/** The name that git would put on a commit; null where it has not been told one. */
export async function userName(git: Git, folder: string): Promise<string | null> {
  try {
    const name = textOf(await git({ args: ["config", "user.name"], cwd: folder, allow: [1] }));
    return name.trim() === "" ? null : name;
  } catch (error) {
    if (isGitFailure(error, "no-git")) return null;
    throw error;
  }
}
