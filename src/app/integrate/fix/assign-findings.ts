// Which findings can be sent to which task, in which run; the rest is a person's, each with the reason.

import type { Task } from "../../../core/plan.ts";
import { taskAt } from "../../../core/run-index.ts";
import { isSatisfied, taskState } from "../../../core/run-tasks.ts";
import type { IntegrationFinding } from "../../../spec/integrate/finding.ts";
import { buildFixBrief } from "../../../spec/integrate/fix-brief.ts";
import type { IntegrationReport } from "../../../spec/integrate/report.ts";
import type { KnownRun } from "../../runs.ts";
import type { Subject } from "../subject.ts";

/** A task whose agent gets its findings. */
export type FixAssignment = {
  /** As the run below has it, with the agent of that run; without one as in the plan. */
  readonly task: Task;
  readonly findings: readonly IntegrationFinding[];
  /** The run that has its conversation; null where none is known: it begins one, in a run of its own. */
  readonly run: KnownRun | null;
  readonly brief: string;
};

export type FixAssignments = {
  /** In the order of the plan. */
  readonly sent: readonly FixAssignment[];
  readonly left: readonly LeftFinding[];
};

/** A blocking finding that no agent gets. */
export type LeftFinding = { readonly finding: IntegrationFinding; readonly reason: string };

export function assignFindings(
  { plan, runs, run }: Subject,
  { findings, tasks, judged }: IntegrationReport,
): FixAssignments {
  const merged = new Set(tasks.filter(({ status }) => status === "merged").map(({ task }) => task));
  // The run that was asked for knows best; then the latest.
  const known = run === null ? runs.runs : [run, ...runs.runs];
  const left: LeftFinding[] = [];
  const byTask = new Map<Task, IntegrationFinding[]>();
  for (const finding of findings.filter(({ weight }) => weight === "must")) {
    const task = plan.tasks.find(({ id }) => id === finding.task);
    const reason = task === undefined ? "no single task owns it" : refuseTask(task, merged, known);
    if (task === undefined || reason !== null) left.push({ finding, reason: reason ?? "" });
    else byTask.set(task, [...(byTask.get(task) ?? []), finding]);
  }
  const sent = plan.tasks.flatMap((task): FixAssignment[] => {
    const own = byTask.get(task);
    if (own === undefined) return [];
    const of = known.find((one) => mayContinue(one, task)) ?? null;
    const asRun = taskIn(of, task);
    const brief = buildFixBrief({ task: asRun, findings: own, commit: judged.commit ?? "" });
    return [{ task: asRun, findings: own, run: of, brief }];
  });
  return { sent, left };
}

function refuseTask(task: Task, merged: ReadonlySet<string>, known: readonly KnownRun[]): string | null {
  const { id, work, access } = task;
  if (!merged.has(id)) return `${id} is not merged`;
  if (access === "read-only") return `${id} is read-only`;
  if (work.kind !== "agent") return `${id} is a command, not an agent`;
  const [latest] = known.filter(({ state }) => state.index.indexOf.has(id));
  if (latest === undefined || known.some((one) => mayContinue(one, task))) return null;
  const i = latest.state.index.indexOf.get(id) as number;
  return `${id} is ${taskState(latest.state, i).phase.kind} in ${latest.run}`;
}

/** It is merged there, or was and the last fix failed or changed nothing. */
function mayContinue({ state }: KnownRun, { id }: Task): boolean {
  const i = state.index.indexOf.get(id);
  if (i === undefined || state.gone.has(id) || state.workFolder !== null) return false;
  const { phase, brief, live } = taskState(state, i);
  const isAgent = taskAt(state.index, i).work.kind === "agent";
  const isMerged = isSatisfied(phase) || (phase.kind === "failed" && brief !== null);
  return isAgent && live.length === 0 && isMerged;
}

/** As its run knows it: the plan may have been edited since. */
function taskIn(run: KnownRun | null, task: Task): Task {
  const i = run?.state.index.indexOf.get(task.id);
  return run === null || i === undefined ? task : taskAt(run.state.index, i);
}
