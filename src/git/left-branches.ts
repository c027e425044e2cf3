// Branches that parallel-orchestra left: work that it took for done and had not merged, `parallel-orchestra/<task>-<8 hex>`.

import { join } from "node:path";
import { type Oid, oid } from "../core/ids.ts";
import type { Command } from "../core/plan.ts";
import { shellQuote } from "../util/shell-quote.ts";
import { exists } from "./files.ts";
import { rawFields, shown, splitOnce } from "./raw-path.ts";
import { refCall } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { linesOf } from "./run.ts";

export type LeftBranch = { readonly task: string; readonly branch: string; readonly commit: Oid };

const PREFIX = "refs/heads/parallel-orchestra/";

/**
 * Of each task the newest whose commits are not all in HEAD. One that is older than a merge of the task was another try of it,
 * which nobody wanted.
 */
export async function leftBranches(repository: Repository): Promise<readonly LeftBranch[]> {
  const args = [
    ...["for-each-ref", "--sort=-committerdate"],
    "--format=%(objectname) %(refname) %(committerdate:unix)",
    ...[`--no-merged=${repository.head.at.commit}`, PREFIX],
  ];
  const merged = await mergedAt(repository);
  const found = new Map<string, LeftBranch>();
  for (const line of linesOf(await refCall(repository, args))) {
    const [commit = "", ref = "", at = "0"] = line.split(" ", 3);
    const task = /^(.+)-[0-9a-f]{8}$/.exec(ref.slice(PREFIX.length))?.[1];
    if (task === undefined || found.has(task) || Number(at) <= (merged.get(task) ?? -1)) continue;
    found.set(task, { task, branch: ref.replace("refs/heads/", ""), commit: oid(commit) });
  }
  return [...found.values()];
}

const MERGED = "Merge parallel-orchestra task ";

/** By task: when parallel-orchestra merged it last, in seconds. */
async function mergedAt(repository: Repository): Promise<ReadonlyMap<string, number>> {
  const { commit } = repository.head.at;
  const args = ["log", "--merges", "-n", "5000", `--grep=^${MERGED}`, "--format=%ct %s", commit];
  const times = new Map<string, number>();
  for (const line of linesOf(await refCall(repository, args))) {
    const [at, subject] = splitOnce(line, " ");
    const task = subject.startsWith(MERGED) ? subject.slice(MERGED.length).trim() : "";
    times.set(task, Math.max(times.get(task) ?? 0, Number(at)));
  }
  return times;
}

/**
 * What brings such a branch into a tree: a merge, as the user. Files that were copied there from the user's own folder and committed
 * along would keep the result from landing, and some are nobody else's business: where there are any, the work comes without
 * them and without the history that holds them.
 */
export async function mergeLeftBranch(repository: Repository, left: LeftBranch): Promise<Command> {
  const { name, email } = repository.identity;
  const git = [
    ...["git", "-c", `user.name=${name}`, "-c", `user.email=${email}`],
    ...["-c", "commit.gpgsign=false", "-c", "merge.conflictStyle=merge"],
  ];
  const message = `Merge parallel-orchestra task ${left.task}`;
  const copied = await copiedPaths(repository, left.commit);
  const how = copied.length === 0 ? ["--no-ff", "--no-commit"] : ["--squash"];
  const merge = [...git, "merge", ...how, "--no-verify", "-q", left.commit];
  const commit = [...git, "commit", "--no-verify", "--allow-empty", "-q", "-m", message];
  const remove = ["git", "rm", "-r", "-q", "-f", "--ignore-unmatch", "--", ...copied];
  const steps = copied.length === 0 ? [merge, commit] : [merge, remove, commit];
  return { kind: "shell", line: steps.map((words) => words.map(shellQuote).join(" ")).join(" && ") };
}

const NEVER_MEANT = [".claude/CLAUDE.md", ".claude/settings.local.json"];

/** Below .claude, new in the branch, and lying in the user's checkout without being tracked. */
async function copiedPaths({ git, workTree, commonDir, head }: Repository, branch: Oid): Promise<string[]> {
  const range = `${head.at.commit}...${branch}`;
  const args = ["diff", "--name-only", "--diff-filter=A", "-z", range, "--", ".claude"];
  const { stdout } = await git({ args, cwd: workTree ?? commonDir });
  const added = rawFields(stdout).map(shown);
  const isThere = await Promise.all(
    added.map(async (path) => workTree !== null && exists(join(workTree, path))),
  );
  return added.filter((path, i) => isThere[i] === true || NEVER_MEANT.includes(path));
}
