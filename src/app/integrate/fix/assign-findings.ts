// Which findings can be sent to which task, in which run; the rest is a person's, each with the reason.

import type { TextHash } from "../../../core/ids.ts";
import type { Plan, Task } from "../../../core/plan.ts";
import { findRedoProblem } from "../../../core/redo.ts";
import { taskAt } from "../../../core/run-index.ts";
import type { IntegrationFinding } from "../../../spec/integrate/finding.ts";
import { buildFixBrief } from "../../../spec/integrate/fix-brief.ts";
import type { IntegrationReport } from "../../../spec/integrate/report.ts";
import { sha256 } from "../../read-text.ts";
import { type KnownRun, seeRun } from "../../runs.ts";
import type { Subject } from "../subject.ts";

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
    if (reason !== null) left.push({ finding, reason });
    else if (task !== undefined) byTask.set(task, [...(byTask.get(task) ?? []), finding]);
  }
  const sent = plan.tasks.flatMap((task): FixAssignment[] => {
    const own = byTask.get(task);
    if (own === undefined) return [];
    const latest = known.find((one) => findRedoProblem(one.state, task.id, seeRun(one)) === null) ?? null;
    const asRun = taskIn(latest, task);
    const brief = buildFixBrief({ task: asRun, findings: own, commit: judged.commit ?? "" });
    return [{ task: asRun, findings: own, run: latest, brief }];
  });
  return { sent, left };
}

function refuseTask(task: Task, merged: ReadonlySet<string>, known: readonly KnownRun[]): string | null {
  const { id, work, access } = task;
  if (!merged.has(id)) return `${id} is not merged`;
  if (access === "read-only") return `${id} is read-only`;
  if (work.kind !== "agent") return `${id} is a command, not an agent`;
  const having = known.filter(({ state }) => state.index.indexOf.has(id));
  const problems = having.map((one) => findRedoProblem(one.state, id, seeRun(one)));
  return problems.includes(null) || problems[0] === undefined ? null : `${id} ${problems[0]}`;
}

/** As its run knows it: the plan may have been edited since. */
function taskIn(run: KnownRun | null, task: Task): Task {
  const i = run?.state.index.indexOf.get(task.id);
  return run === null || i === undefined ? task : taskAt(run.state.index, i);
}

type FixRun = { readonly plan: Plan; readonly texts: ReadonlyMap<TextHash, string> };

/** For tasks that no run has a conversation of, as in a clone: the plan with only these; what they needed is in the tree. */
export function buildFixRun({ plan, texts }: FixRun, sent: readonly FixAssignment[]): FixRun {
  const ids = new Set(sent.map(({ task }) => task.id));
  const prompts = new Map<TextHash, string>();
  const tasks = sent.map(({ task, brief }): Task => {
    const { work, owns, needs, hears } = task;
    if (work.kind !== "agent") return task;
    const text = `${(texts.get(work.prompt.hash) ?? "").trim()}\n\n${brief}`;
    const prompt = { ...work.prompt, hash: sha256(text), bytes: Buffer.byteLength(text) };
    prompts.set(prompt.hash, text);
    const from = hears?.from.filter((one) => ids.has(one.task)) ?? [];
    return {
      ...task,
      work: { ...work, prompt },
      needs: needs.filter((id) => ids.has(id)),
      hears: hears === null || from.length === 0 ? null : { ...hears, from },
      // What the task was to create exists.
      owns: owns.map((claim) => (claim.mode === "create" ? { ...claim, mode: "any" } : claim)),
    };
  });
  return { plan: { ...plan, tasks }, texts: new Map([...texts, ...prompts]) };
}
