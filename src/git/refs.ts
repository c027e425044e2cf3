// Names of ours in git, in one place. A run id or task id goes into them as it is: core/ids.ts lets nothing through that a
// ref or a folder could not carry, so the encoding is the identity and reading it back is certain. No id begins with a
// dot or holds a `~`, `@` or `/`: names that do are free for us.
//
//   refs/heads/plait/<run>/integration        where tasks are merged
//   refs/heads/plait/<run>/tasks/<task>/<n>   the branch that the n-th attempt works on
//   refs/plait/<run>/<task>/<n>               everything that attempt left
//   refs/plait/<run>/<task>/<n>-tmp/…         while a save is under way

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Revision } from "../core/facts.ts";
import {
  type AttemptId,
  attemptId,
  type Oid,
  oid,
  parseRunId,
  parseTaskId,
  type RefName,
  type RunId,
  refName,
  splitAttemptId,
} from "../core/ids.ts";
import { splitOnce } from "./raw-path.ts";
import type { Repository } from "./repository.ts";
import { type GitCall, type GitOutput, linesOf, textOf } from "./run.ts";

export function integrationRef(run: RunId): RefName {
  return refName(`refs/heads/plait/${run}/integration`);
}

export function attemptBranch(run: RunId, attempt: AttemptId): RefName {
  return refName(`refs/heads/plait/${run}/tasks/${attempt}`);
}

export function savedRef(run: RunId, attempt: AttemptId): RefName {
  return refName(`refs/plait/${run}/${attempt}`);
}

export function temporaryRefs(run: RunId, attempt: AttemptId): string {
  return `refs/plait/${run}/${attempt}-tmp`;
}

/** Whose saved work a ref holds; null for every other ref. */
export function parseSavedRef(ref: string): { readonly run: RunId; readonly attempt: AttemptId } | null {
  const [, run = "", task = "", n = ""] = /^refs\/plait\/([^/]+)\/([^/]+)\/(\d+)$/.exec(ref) ?? [];
  const [runId, taskId] = [parseRunId(run), parseTaskId(task)];
  if (!runId.ok || !taskId.ok) return null;
  return { run: runId.id, attempt: attemptId(taskId.id, Number(n)) };
}

/** For people: refs/heads/main is main. */
export function shortName(ref: string): string {
  return ref.replace(/^refs\/heads\//, "");
}

/** The folder of a repository among the worktrees of all: readable, and its own. */
export function repositoryFolder(commonDir: string): string {
  const name = basename(commonDir) === ".git" ? basename(dirname(commonDir)) : basename(commonDir, ".git");
  const hash = createHash("sha256").update(commonDir).digest("hex").slice(0, 8);
  return `${name.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^[.-]+/, "") || "repository"}-${hash}`;
}

/** Trailers that say which task a commit is of. */
export function trailers(run: RunId, attempt: AttemptId): string {
  const { task, n } = splitAttemptId(attempt);
  return `Plait-Run: ${run}\nPlait-Task: ${task}\nPlait-Attempt: ${n}\n`;
}

/** Every ref and what it points to. */
export type RefTable = ReadonlyMap<string, Oid>;

export async function readRefs(repository: Repository, prefix = ""): Promise<RefTable> {
  const args = ["for-each-ref", "--format=%(objectname) %(refname)", ...(prefix === "" ? [] : [prefix])];
  return new Map(
    linesOf(await refCall(repository, args)).map((line) => {
      const [commit, ref] = splitOnce(line, " ");
      return [ref, oid(commit)];
    }),
  );
}

/** Those below the prefix whose commits are all in the branch; none where there is no such branch. */
export async function mergedInto(
  repository: Repository,
  branch: RefName,
  prefix: string,
): Promise<ReadonlySet<string>> {
  if ((await readRef(repository, branch)) === null) return new Set();
  const args = ["for-each-ref", "--format=%(refname)", `--merged=${branch}`, prefix];
  return new Set(linesOf(await refCall(repository, args)));
}

/** Whether a branch or tag of the user, or of a server, has the commit; plait's own branches do not count. */
export async function isOnUserBranch(repository: Repository, commit: Oid): Promise<boolean> {
  const places = ["refs/heads", "refs/remotes", "refs/tags"];
  const args = ["for-each-ref", "--format=%(refname)", `--contains=${commit}`, ...places];
  const found = await refCall(repository, args, { allow: [128, 129] }); // the commit is gone
  return found.code === 0 && linesOf(found).some((ref) => !ref.startsWith("refs/heads/plait/"));
}

/** Whether git could make a branch of this name. */
export async function isBranchName(repository: Repository, name: string): Promise<boolean> {
  const args = ["check-ref-format", "--branch", name];
  return (await refCall(repository, args, { allow: [1, 128] })).code === 0;
}

/** What a ref points to; null when there is none. */
export async function readRef(repository: Repository, ref: string): Promise<Oid | null> {
  const loose =
    repository.refStorage === "files" && LOOSE.test(ref) ? await readLoose(repository, ref) : null;
  if (loose !== null) return loose;
  const args = ["rev-parse", "--verify", "-q", "--end-of-options", ref];
  const found = await refCall(repository, args, { allow: [1] });
  return found.code === 0 ? oid(linesOf(found).at(-1) ?? "") : null;
}

/** A file of its own holds it, unless it is packed: then git is asked, as for everything that is not the name of a ref. */
const LOOSE = /^refs\/(?:heads|plait)\/[\w./-]+$/;

async function readLoose({ commonDir }: Repository, ref: string): Promise<Oid | null> {
  const text = await readFile(join(commonDir, ref), "latin1").catch(() => ""); // packed, or a folder
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})\n$/.test(text) ? oid(text.trim()) : null;
}

/** Refs are the one thing that is done on the repository itself, not on the shadow. */
export function refCall(
  { git, commonDir }: Repository,
  args: readonly string[],
  options: Pick<GitCall, "allow" | "durable" | "stdin"> = {},
): Promise<GitOutput> {
  return git({ args, cwd: commonDir, env: { GIT_DIR: commonDir }, ...options });
}

/** Old value for "must not exist yet". */
export function noOid({ objectFormat }: Pick<Repository, "objectFormat">): string {
  return "0".repeat(objectFormat === "sha256" ? 64 : 40);
}

/** A commit of the repository with its tree. */
export async function readRevision(repository: Repository, commit: Oid): Promise<Revision> {
  const args = ["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`];
  return { commit, tree: oid(textOf(await refCall(repository, args))) };
}
