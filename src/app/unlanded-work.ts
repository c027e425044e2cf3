// Work that would be lost with its run: merged but on none of the user's branches, or saved but never merged.

import { hasUnmerged, isMergedOnly, lastLanding } from "../core/landing.ts";
import { taskAt } from "../core/run-index.ts";
import type { RunState, TaskState } from "../core/run-state.ts";
import { formatNotLanded } from "../core/select/landing-text.ts";
import { entries } from "../core/sorted-map.ts";
import { otherCommand, plait } from "../core/text/command.ts";
import { count, listed, shortOid, shortRef } from "../core/text/figures.ts";
import { fix, plainText } from "../core/text/sentence.ts";
import { diffStats, integrationRef, isOnUserBranch, mergedInto, type Repository } from "../git/index.ts";
import type { KnownRun } from "./runs.ts";

/** What would be lost and how to save it; null where nothing would be lost. */
export async function describeUnlanded(
  repository: Repository,
  { run, state }: KnownRun,
): Promise<{ readonly why: string; readonly hints: readonly string[] } | null> {
  const lost = await describeLostLanding(repository, state);
  if (lost !== null) return lost;
  const isOnlyHere = isMergedOnly(state) && !(await isOnTarget(repository, state));
  const merged = isOnlyHere ? listTasks(state, ({ phase }) => phase.kind === "merged") : [];
  const saved = listTasks(state, hasUnmerged);
  if (merged.length + saved.length === 0) return null;
  // Where a part has landed, how many files the rest has is not known from the state.
  const isAll = merged.length > 0 && state.landedTip === null;
  const pairs = isAll ? [{ from: state.base.tree, to: state.tip.tree }] : [];
  const [diff] = await diffStats(repository, pairs, { maxFiles: 0 });
  const files = diff ? ` (${count(diff.files, "file")})` : "";
  const all: readonly [readonly string[], string][] = [
    [merged, `${formatNotLanded(merged.length)}: ${listed(merged)}${files}`],
    [saved, `saved work of ${count(saved.length, "task")} not merged: ${listed(saved)}`],
  ];
  const why = all.flatMap(([tasks, text]) => (tasks.length > 0 ? [text] : [])).join("; ");
  const keep =
    merged.length > 0 ? fix("land it", plait("land", run)) : fix("turn it into a branch", plait("rescue"));
  const remove = fix("or remove it", plait("clean", run, { force: true }));
  return { why, hints: [keep, remove].map((one) => plainText(one)) };
}

/** A branch that was reset no longer has what landed on it. */
async function describeLostLanding(repository: Repository, state: RunState) {
  const { run } = state;
  const landing = lastLanding(state)?.landing;
  if (landing === undefined || landing.from === landing.to.commit) return null;
  const { commit } = landing.to;
  if (await isOnUserBranch(repository, commit)) return null;
  const keep = fix("keep it on a branch", otherCommand("git", "branch", [run, shortOid(commit)]));
  const remove = fix("or remove it", plait("clean", run, { force: true }));
  const why = `it landed on ${shortRef(landing.target)} as ${shortOid(commit)}, which is not on any branch now`;
  return { why, hints: [keep, remove].map((one) => plainText(one)) };
}

/** The user merged the integration branch by hand. */
async function isOnTarget(repository: Repository, { run, target }: RunState): Promise<boolean> {
  const branch = integrationRef(run);
  return target !== null && (await mergedInto(repository, target, branch)).has(branch);
}

function listTasks(state: RunState, isMeant: (task: TaskState) => boolean): string[] {
  return [...entries(state.tasks)].flatMap(([i, task]) => (isMeant(task) ? [taskAt(state.index, i).id] : []));
}
