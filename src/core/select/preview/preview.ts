import { criticalPath, graphOf, ranks } from "../../graph.ts";
import type { GroupName, TaskId } from "../../ids.ts";
import type { Access, LandPolicy, Plan, Range, Task } from "../../plan.ts";
import type { Schedule } from "../../schedule.ts";
import { type AccessNotes, accessNotes } from "./access.ts";
import { type CommandNote, commandNotes, commandText } from "./commands.ts";
import { type CostPreview, costOf, taskCosts } from "./cost.ts";
import { type OwnershipNotes, ownershipNotes } from "./ownership.ts";
import { type GroupNote, type SlotsPreview, type TimePreview, timePreview } from "./time.ts";
import { type Verdict, verdictOn } from "./verdict.ts";
import { directNeeds, reachOf, type Widest, widestParallelism } from "./width.ts";

/**
 * What a run of the plan would look like, as plain data: terminal, page and graph all show this and compute nothing of
 * their own. `plait plan --json` prints it; `v` changes when a field changes its meaning or goes.
 */
export type PlanPreview = {
  readonly v: 1;
  readonly name: string;
  readonly source: { readonly format: string; readonly path: string };
  readonly land: LandPolicy;
  readonly size: { readonly tasks: number; readonly needs: number; readonly ranks: number };
  /** Who does the work: agent CLIs by name and `command`, most tasks first. */
  readonly workers: readonly { readonly name: string; readonly tasks: number }[];
  /** In the order of the file. */
  readonly tasks: readonly TaskPreview[];
  /** Tasks by the length of the longest chain in front of them, those on the critical path first. */
  readonly ranks: readonly (readonly TaskId[])[];
  /** One longest way through the plan, first to last. */
  readonly critical: readonly TaskId[];
  readonly widest: Widest;
  readonly slots: SlotsPreview;
  readonly time: TimePreview;
  /** Null when neither an estimate nor a price gives one. */
  readonly cost: CostPreview | null;
  readonly groups: readonly GroupNote[];
  readonly ownership: OwnershipNotes;
  readonly access: AccessNotes;
  readonly commands: readonly CommandNote[];
  readonly verdict: Verdict;
};

export type TaskPreview = {
  readonly id: TaskId;
  readonly title: string;
  /** Counted from 1. */
  readonly rank: number;
  readonly needs: readonly TaskId[];
  /** The needs that no other need implies: what a graph draws. */
  readonly directNeeds: readonly TaskId[];
  readonly critical: boolean;
  readonly work:
    | {
        readonly kind: "agent";
        readonly use: string;
        readonly name: string | null;
        readonly model: string | null;
      }
    | { readonly kind: "command"; readonly run: string };
  readonly access: Access;
  readonly group: GroupName | null;
  /** Attempts that start at once, each in a slot of its own; the times count one. */
  readonly race: number;
  /** A person is asked before it is merged; the times do not count that. */
  readonly approve: boolean;
  /** Expected start and end, from 0, in the unit of `time`. */
  readonly start: number;
  readonly end: number;
  /** Whether the plan states how long it takes. */
  readonly known: boolean;
  readonly costUsd: Range | null;
};

export function preview(plan: Plan, options: { readonly slots: number }): PlanPreview {
  const graph = graphOf(plan.tasks);
  const reach = reachOf(graph);
  const { lengths, schedule, time, groups, slots } = timePreview(plan, graph, options.slots);
  const critical = criticalPath(graph, lengths.lengths);
  const costs = taskCosts(plan, lengths);
  const widest = widestParallelism(graph, reach);
  const tasks = taskPreviews(plan, {
    rank: ranks(graph),
    direct: directNeeds(graph, reach),
    critical: new Set(critical),
    schedule,
    known: lengths.known,
    costs,
  });
  return {
    v: 1,
    name: plan.name,
    source: { format: plan.source.format, path: plan.source.path },
    land: plan.land,
    size: {
      tasks: plan.tasks.length,
      needs: graph.needs.reduce((sum, needs) => sum + needs.length, 0),
      ranks: Math.max(0, ...tasks.map((task) => task.rank)),
    },
    workers: workersOf(plan.tasks),
    tasks,
    ranks: byRank(tasks),
    critical: critical.map((index) => idAt(plan, index)),
    widest,
    slots,
    time,
    cost: costOf(plan, costs),
    groups,
    ownership: ownershipNotes(plan, reach),
    access: accessNotes(plan.tasks),
    commands: commandNotes(plan),
    verdict: verdictOn({ tasks: plan.tasks.length, widest, slots, time }),
  };
}

type TaskFigures = {
  readonly rank: readonly number[];
  readonly direct: readonly (readonly number[])[];
  readonly critical: ReadonlySet<number>;
  readonly schedule: Schedule;
  readonly known: readonly boolean[];
  readonly costs: readonly (Range | null)[];
};

function taskPreviews(plan: Plan, figures: TaskFigures): TaskPreview[] {
  return plan.tasks.map((task, i) => ({
    id: task.id,
    title: task.title,
    rank: (figures.rank[i] ?? 0) + 1,
    needs: task.needs,
    directNeeds: (figures.direct[i] ?? []).map((need) => idAt(plan, need)),
    critical: figures.critical.has(i),
    work: workOf(task),
    access: task.access,
    group: task.group,
    race: task.race,
    approve: task.approve,
    start: figures.schedule.start[i] ?? 0,
    end: figures.schedule.end[i] ?? 0,
    known: figures.known[i] ?? false,
    costUsd: figures.costs[i] ?? null,
  }));
}

function workOf({ work }: Task): TaskPreview["work"] {
  return work.kind === "agent"
    ? { kind: "agent", use: work.agent.use, name: work.agent.name, model: work.agent.model }
    : { kind: "command", run: commandText(work.run) };
}

function byRank(tasks: readonly TaskPreview[]): TaskId[][] {
  const lists: TaskId[][] = [];
  const criticalFirst = [...tasks].sort((a, b) => Number(b.critical) - Number(a.critical));
  for (const { rank, id } of criticalFirst) {
    const list = lists[rank - 1] ?? [];
    list.push(id);
    lists[rank - 1] = list;
  }
  return lists;
}

function workersOf(tasks: readonly Task[]): PlanPreview["workers"] {
  const counts = new Map<string, number>();
  for (const { work } of tasks) {
    const name = work.kind === "agent" ? work.agent.use : "command";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, tasks: count })).sort((a, b) => b.tasks - a.tasks);
}

function idAt(plan: Plan, index: number): TaskId {
  return (plan.tasks[index] as Task).id;
}
