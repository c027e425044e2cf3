// Everything that an attempt left becomes reachable from a ref (I2), and what is in it that somebody should know is found.
// The worktree stays leased as long as a fix round may go on in it.

import { type AttemptId, splitAttemptId, type TextHash } from "../../../core/ids.ts";
import type { Task } from "../../../core/plan.ts";
import type { Ended, RunState } from "../../../core/run-state.ts";
import { type Lease, type Saved, type Shadow, saveAttempt } from "../../../git/index.ts";
import { formatCommitTitle } from "../commit-title.ts";
import type { Effects } from "../driver.ts";
import { giveBack } from "../give-back.ts";
import { withHandedHidden } from "../hidden-files.ts";
import { rootFor } from "../place.ts";
import { tearDown } from "../prepare.ts";
import { keepReports, reportsOf, reportText } from "../reports.ts";
import { liveAttempt, type Site, taskOf, workAwaited } from "../site.ts";
import { findingsSearch } from "./findings.ts";
import { keepOfFailed } from "./keeping.ts";

export function saveEffect(site: Site): Effects["save"] {
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
      title: formatCommitTitle(plan.commitMessage, task),
      ...{ history: task.history, maxBytes: plan.saveMaxBytes },
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
      ignored: saved.ignored.count,
      kept,
      stays: kept === null && isToStay(site, hands.state()) ? lease.slot.path : null,
    } as const;
    await keepOfFailed(site, hands, body, kept ?? rootFor(site, lease));
    await hands.record(body);
    search.recorded(findings);
    await releaseSettled(site, hands.state());
  };
}

/** There is nothing to see where they work in the user's own folder. */
function isToStay({ workFolder }: Site, { policy }: RunState): boolean {
  return policy.keepWorktrees && workFolder === null;
}

/** Report files of its needs. */
async function handedTo({ folder }: Site, state: RunState, { needs }: Task): Promise<string[]> {
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
  { folder, masker }: Site,
  { task, ended, attempt, from }: Reporting,
): Promise<TextHash | null> {
  if (task.access !== "read-only") return null;
  const kept = await keepReports(folder.path, { attempt, from, patterns: task.reports });
  if (kept === null || kept.files.length === 0) return ended.said;
  const said = ended.said === null ? null : await folder.text(ended.said);
  return folder.putText(masker.text(await reportText(said ?? "", kept)));
}

/** What exceeds the cap is not removed: its worktree stays, and is named. */
async function keepWhatIsLeft(site: Site, lease: Lease, { leftBehind }: Saved): Promise<string | null> {
  if (leftBehind.length === 0 || lease.attempt === null) return null;
  await tearDown(site, lease);
  return site.pool.keep(lease, lease.attempt);
}

/** Gives back the worktrees of attempts whose work is saved and that nobody goes on with. */
export async function releaseSettled(site: Site, state: RunState): Promise<void> {
  for (const lease of site.pool.leases()) {
    if (lease.attempt === null) continue;
    const { task } = splitAttemptId(lease.attempt);
    const i = state.index.indexOf.get(task);
    const now = i === undefined ? null : taskOf(state, task).now;
    const isSaved = now?.past.some(({ id }) => id === lease.attempt) ?? false;
    const isAwaited = [workAwaited(now?.fix ?? null), now?.open?.after?.attempt].includes(lease.attempt);
    if (isSaved && !isAwaited) await giveBack(site, lease, state);
  }
}
