import { fix } from "../../../core/text/sentence.ts";
// Sends findings to the agents of a run: the run is resumed from the checked branch, and its tasks are reopened with their briefs.

import type { RunCommand } from "../../../core/decide.ts";
import type { Revision } from "../../../core/facts.ts";
import type { RunState, TaskState } from "../../../core/run-state.ts";
import { wasCutShort } from "../../../core/select/run-status.ts";
import { values } from "../../../core/sorted-map.ts";
import { formatCommand, forRun, plait } from "../../../core/text/command.ts";
import { count } from "../../../core/text/figures.ts";
import type { LocalRun } from "../../../engines/local/local-run.ts";
import { type Objects, type Repository, readRevision, withObjects } from "../../../git/index.ts";
import { checkAgents, describeCheck } from "../../check-agents.ts";
import { type Host, type OrRefusal, refuse } from "../../host.ts";
import { sha256 } from "../../read-text.ts";
import { resumeRun } from "../../resume-run.ts";
import type { FoundRun, KnownRun } from "../../runs.ts";
import { judgedCommit } from "../judged-tree.ts";
import { findSubject, listUnseen, type SubjectAsked } from "../subject.ts";
import type { FixAssignment } from "./assign-findings.ts";

export type ToSendBack = {
  readonly repository: Repository;
  readonly known: KnownRun;
  readonly sent: readonly FixAssignment[];
  /** How much may be spent on it; null: as the run says. */
  readonly budgetUsd: number | null;
};

export type SentBack = { readonly run: LocalRun; readonly warnings: readonly string[] };

/** The run with its tasks reopened. If it is refused, nothing was changed. */
export async function sendBack(
  host: Host,
  { repository, known, sent, budgetUsd }: ToSendBack,
): Promise<OrRefusal<SentBack>> {
  const tasks = sent.map(({ task }) => task);
  const cwd = repository.workTree ?? host.cwd;
  const checked = await checkAgents({ tasks }, describeCheck(host, { cwd, run: known.run }));
  if (!checked.ok) return checked;
  const followed = await withObjects(repository, (objects) =>
    commitToFollow(repository, objects, known.state),
  );
  if (!followed.ok) return followed;
  const texts = new Map(sent.map(({ brief }) => [sha256(brief), brief]));
  const briefed = sent.map(({ task, brief }) => ({ task: task.id, brief: sha256(brief) }));
  const commands: RunCommand[] = [
    ...(budgetUsd === null ? [] : [{ kind: "budget", usd: budgetUsd } as const]),
    { kind: "redo", tasks: briefed, onto: followed.onto },
  ];
  const taken = await resumeRun(host, { repository, known }, () => commands, { texts });
  return taken.ok ? { ok: true, run: taken.run, warnings: checked.warnings } : taken;
}

/** Where its tasks start: the target as it is now, once that has all of the run's work; null: the integration branch. */
async function commitToFollow(
  repository: Repository,
  objects: Objects,
  state: RunState,
): Promise<OrRefusal<{ readonly onto: Revision | null }>> {
  const at = await judgedCommit(repository, objects, state);
  if (!at.ok) return at;
  const { commit, tree } = at.judged;
  if (tree.kind !== "landed" || commit === state.tip.commit) return { ok: true, onto: null };
  const { landing, tip, run } = state;
  const works = [tip.commit, ...(landing.kind === "landed" ? [landing.to.commit] : [])];
  for (const work of works)
    if (await objects.isAncestor(work, commit))
      return { ok: true, onto: await readRevision(repository, commit) };
  const hint = fix("run the plan again", forRun(state, plait("run", state.index.plan.source.path)));
  return refuse("environment", `${tree.ref ?? "HEAD"} no longer contains the work of ${run}`, hint);
}

/** The run whose fixes were interrupted; null: there is none. */
export async function findUnfinishedFix(
  host: Host,
  asked: SubjectAsked,
): Promise<OrRefusal<{ readonly found: FoundRun | null }>> {
  const answer = await findSubject(host, asked);
  if (!answer.ok) return answer;
  const { subject } = answer;
  const { repository, run } = subject;
  const running = subject.runs.runs.find(({ driver }) => driver !== null);
  if (running !== undefined) {
    const hint = `wait for it: ${formatCommand(plait("watch", running.run))}`;
    return refuse("environment", `${running.run} is running`, hint);
  }
  const changed = await listUnseen(repository, subject.folder?.path ?? null);
  if (changed.length > 0)
    return refuse(
      "environment",
      `uncommitted changes in ${count(changed.length, "file")}: ${changed.slice(0, 3).join(", ")}`,
      "commit or stash them: git stash",
    );
  const interrupted =
    [run, ...subject.runs.runs].find((one) => one !== null && isInterrupted(one.state)) ?? null;
  if (interrupted !== null) return { ok: true, found: { repository, known: interrupted } };
  if (run !== null && run.state.ended === null) {
    const hint = fix("resume it", forRun(run.state, plait("resume", run.run)));
    return refuse("environment", `${run.run} was interrupted`, hint);
  }
  return { ok: true, found: null };
}

const isInterrupted = (state: RunState): boolean =>
  wasCutShort(state) && [...values(state.tasks)].some(isUnfinished);

function isUnfinished({ brief, phase }: TaskState): boolean {
  return brief !== null && phase.kind !== "failed" && phase.kind !== "cancelled";
}
