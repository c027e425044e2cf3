// Everything that an attempt left becomes reachable from a ref (I2), and what is in it that somebody should know is found.
// The worktree stays leased as long as a fix round may go on in it.

import type { Revision } from "../../../core/facts.ts";
import { type AttemptId, splitAttemptId, type TextHash } from "../../../core/ids.ts";
import type { Task } from "../../../core/plan.ts";
import type { Ended, RunState } from "../../../core/run-state.ts";
import { type Lease, type Saved, type Shadow, saveAttempt } from "../../../git/index.ts";
import { formatCommitSubject } from "../commit-message.ts";
import type { Effects } from "../driver.ts";
import { withHandedHidden } from "../hidden-files.ts";
import { rootFor } from "../place.ts";
import { releaseWorktree, tearDown } from "../prepare.ts";
import { isSetUpResult } from "../prepared/set-ups.ts";
import { keepReports, reportsOf, reportText } from "../reports.ts";
import { liveAttempt, type RunContext, taskOf, workAwaited } from "../run-context.ts";
import { findingsSearch } from "./findings.ts";
import { keepOfFailed } from "./keeping.ts";

export function saveEffect(site: RunContext): Effects["save"] {
  const search = findingsSearch(site);
  return async ({ attempt }, hands) => {
    const { pool, folder } = site;
    const live = liveAttempt(hands.state(), attempt);
    if (live.stage.kind !== "save") return;
    const { ended } = live.stage;
    const { task } = taskOf(hands.state(), splitAttemptId(attempt).task);
    const { plan } = hands.state().index;
    // Without a worktree, because plait ended before it was made: the base is all there is to save.
    const lease = pool.leaseOf(attempt) ?? (await pool.acquire(attempt, live.base));
    const handed = await handedTo(site, hands.state(), task);
    const toSave = {
      ...{ run: site.run, runDir: folder.path, attempt, at: ended.at },
      title: await formatCommitSubject(site, plan.commitMessage, task),
      ...{ history: task.history, maxBytes: plan.saveMaxBytes },
      isGiven: (path: string) => site.copies.has(path) || isSetUpResult(task.prepare.setup, path),
    };
    const save = (shadow: Shadow) => saveAttempt(shadow, lease, toSave);
    const saved =
      task.access === "write"
        ? await withHandedHidden(site, { plan, attempt, files: handed }, save)
        : await save(site.shadow);
    const kept = await keepWhatIsLeft(site, lease, saved);
    const findings = await search.in(saved, {
      ...{ task, plan, attempt, startedAt: live.startedAt, endedAt: ended.at },
      isFix: live.continues !== null,
      fitted: findFittedPaths(hands.state(), live.base),
      isPerson: live.author === "person",
      isDone: ended.failure === null,
      root: kept ?? rootFor(site, lease),
      handed,
    });
    const body = {
      type: "attempt.saved",
      attempt,
      ref: saved.ref,
      result: saved.result,
      changed: saved.changed,
      findings,
      report: await reportOf(site, { task, ended, attempt, from: kept ?? rootFor(site, lease) }),
      ignored: saved.ignored,
      kept,
      stays: kept === null && isToStay(site, hands.state()) ? lease.slot.path : null,
    } as const;
    await keepOfFailed(site, hands, body, kept ?? rootFor(site, lease));
    await hands.record(body);
    search.recorded(findings);
    await releaseSettled(site, hands.state());
  };
}

/** Paths in conflict with a target that moved: whoever resolves it changes them for all tasks. */
function findFittedPaths({ targetFix }: RunState, base: Revision): readonly string[] {
  return targetFix?.join.result.commit === base.commit ? targetFix.paths : [];
}

/** There is nothing to see where they work in the user's own folder. */
const isToStay = ({ workFolder }: RunContext, { policy }: RunState): boolean =>
  policy.keepWorktrees && workFolder === null;

/** Report files of its needs. */
async function handedTo({ folder }: RunContext, state: RunState, { needs }: Task): Promise<string[]> {
  const handed = needs.map(async (id) => {
    const { phase } = taskOf(state, id).now;
    const kept = phase.kind === "passed" ? await reportsOf(folder.path, phase.attempt) : null;
    return kept?.files.map(({ path }) => path) ?? [];
  });
  return (await Promise.all(handed)).flat();
}

type Reporting = {
  readonly task: Task;
  readonly ended: Ended;
  readonly attempt: AttemptId;
  readonly from: string;
};

/** What a read-only task has to say: its last words, and the files that its plan names. Those stay as they are; the text is masked. */
async function reportOf(
  { folder, masker }: RunContext,
  { task, ended, attempt, from }: Reporting,
): Promise<TextHash | null> {
  if (task.access !== "read-only") return null;
  const kept = await keepReports(folder.path, { attempt, from, patterns: task.reports });
  if (kept === null || kept.files.length === 0) return ended.said;
  const said = ended.said === null ? null : await folder.text(ended.said);
  return folder.putText(masker.text(await reportText(said ?? "", kept)));
}

/** What exceeds the cap is not removed: its worktree stays, and is named. */
async function keepWhatIsLeft(site: RunContext, lease: Lease, { leftBehind }: Saved): Promise<string | null> {
  if (leftBehind.length === 0 || lease.attempt === null) return null;
  await tearDown(site, lease);
  return site.pool.keep(lease, lease.attempt);
}

/** Gives back the worktrees of attempts whose work is saved and that nobody goes on with. */
export async function releaseSettled(site: RunContext, state: RunState): Promise<void> {
  for (const lease of site.pool.leases()) {
    if (lease.attempt === null) continue;
    const { task } = splitAttemptId(lease.attempt);
    const i = state.index.indexOf.get(task);
    const now = i === undefined ? null : taskOf(state, task).now;
    const isSaved = now?.past.some(({ id }) => id === lease.attempt) ?? false;
    const isAwaited = [workAwaited(now?.fix ?? null), now?.open?.after?.attempt].includes(lease.attempt);
    if (isSaved && !isAwaited) await releaseWorktree(site, lease, state);
  }
}
