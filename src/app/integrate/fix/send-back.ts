// Sends findings to the agents of a run: the run is resumed from the checked branch, and its tasks are reopened with their briefs.

import type { RunCommand } from "../../../core/decide.ts";
import type { Revision } from "../../../core/facts.ts";
import type { RunState } from "../../../core/run-state.ts";
import { formatCommand, plait } from "../../../core/text/command.ts";
import type { LocalRun } from "../../../engines/local/local-run.ts";
import { type Objects, type Repository, readRevision, withObjects } from "../../../git/index.ts";
import { checkAgents } from "../../check-agents.ts";
import { agentsFor, type Host, type OrRefusal, refuse } from "../../host.ts";
import { sha256 } from "../../read-text.ts";
import { resumeRun } from "../../resume-run.ts";
import type { KnownRun } from "../../runs.ts";
import { judgedCommit } from "../judged-tree.ts";
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
  const asking = { agents: agentsFor(host), env: host.env, cwd: repository.workTree ?? host.cwd };
  const isRoot = process.getuid?.() === 0;
  const rights = { isRoot, allowRoot: host.allowRoot };
  const checked = await checkAgents({ tasks }, { ...asking, ...rights, run: known.run });
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
  return refuse(
    "environment",
    `${tree.ref ?? "HEAD"} no longer contains the work of ${run}`,
    `run the plan again: ${formatCommand(plait("run", state.index.plan.source.path))}`,
  );
}
