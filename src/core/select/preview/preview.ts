import { groupBy } from "../../group-by.ts";
import type { TaskId } from "../../ids.ts";
import { type AgentChoice, isStep, type Plan, type Range, type Task } from "../../plan.ts";
import type { Schedule } from "../../schedule.ts";
import { type CommandNote, commandNotes, commandText } from "./commands.ts";
import { type CostPreview, costOf, taskCosts } from "./cost.ts";
import { type OwnershipNotes, ownershipNotes } from "./ownership.ts";
import { planGraph, taskRanks, wavesOf } from "./plan-graph.ts";
import {
  type AccessNotes,
  accessNotes,
  type ShowValue,
  type SurroundingNotes,
  surroundingNotes,
} from "./surroundings.ts";
import {
  type GroupNote,
  groupLimits,
  type SlotsPreview,
  type TimePreview,
  timePreview,
  type Verdict,
  verdictOn,
} from "./time.ts";
import { directNeeds, reachOf, type Widest, widestParallelism } from "./width.ts";

/**
 * What a run of the plan would look like, as plain data: terminal, page and graph all show this and compute nothing of
 * their own. `plait plan --json` prints it.
 */
export type PlanPreview = Pick<Plan, "name" | "land" | "landStyle" | "publish"> & {
  readonly source: Pick<Plan["source"], "format" | "path">;
  /**
   * `needs` are those that tasks state; a barrier between waves is none of them. `tasks` leaves out the steps of an artifact folder,
   * `commands` counts them.
   */
  readonly size: {
    readonly tasks: number;
    readonly commands: number;
    readonly needs: number;
    readonly ranks: number;
    readonly waves: number;
  };
  /** Agent programs by name, most tasks first. */
  readonly agents: readonly { readonly name: string; readonly tasks: number }[];
  /** In the order of the file. */
  readonly tasks: readonly TaskPreview[];
  /** Tasks by the length of the longest chain in front of them, those on the critical path first. */
  readonly ranks: readonly (readonly TaskId[])[];
  /** Lowest first, with the first rank that a task of it has. All of a wave wait for all of the wave before. */
  readonly waves: readonly {
    readonly wave: number;
    readonly tasks: number;
    readonly firstRank: number;
  }[];
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
  readonly surroundings: SurroundingNotes;
  readonly commands: readonly CommandNote[];
  readonly verdict: Verdict;
};

/** `needs` are those that it states; a wave adds the tasks of the wave before. The times do not count that a person approves. */
export type TaskPreview = Pick<
  Task,
  "id" | "title" | "wave" | "needs" | "access" | "group" | "race" | "approve"
> & {
  /** Counted from 1. */
  readonly rank: number;
  /** The needs that no other need implies: what a graph draws. */
  readonly directNeeds: readonly TaskId[];
  readonly critical: boolean;
  readonly work:
    | ({ readonly kind: "agent" } & AgentChoice)
    | { readonly kind: "command"; readonly run: string };
  /** Expected start and end, from 0, in the unit of `time`. */
  readonly start: number;
  readonly end: number;
  /** When each further attempt of a race is expected to start; empty without a race. */
  readonly further: readonly number[];
  /** Whether the plan states how long it takes. */
  readonly known: boolean;
  readonly costUsd: Range | null;
};

export type PreviewOptions = {
  readonly slots: number;
  /** Left out, only the names of variables are shown. */
  readonly showValue?: ShowValue;
};

export function preview(plan: Plan, options: PreviewOptions): PlanPreview {
  const graph = planGraph(plan.tasks);
  const reach = reachOf(graph);
  const { lengths, schedule, critical, time, groups, slots } = timePreview(plan, graph, options.slots);
  const costs = taskCosts(plan, lengths);
  const widest = widestParallelism(graph, reach, groupLimits(plan));
  const tasks = taskPreviews(plan, {
    rank: taskRanks(graph),
    direct: directNeeds(graph, reach),
    critical: new Set(critical),
    schedule,
    known: lengths.known,
    costs,
  });
  const listed = countListed(plan);
  const ranks = byRank(tasks);
  const waves = waveNotes(tasks);
  return {
    name: plan.name,
    source: { format: plan.source.format, path: plan.source.path },
    land: plan.land,
    landStyle: plan.landStyle,
    publish: plan.publish,
    size: {
      tasks: listed,
      commands: tasks.filter(({ work }) => work.kind === "command").length,
      needs: tasks.reduce((sum, task) => sum + task.needs.length, 0),
      ranks: ranks.length,
      waves: waves.length,
    },
    agents: agentsOf(plan.tasks),
    tasks,
    ranks,
    waves,
    critical: critical.map((index) => idAt(plan, index)),
    widest,
    slots,
    time,
    cost: costOf(plan, costs),
    groups,
    ownership: ownershipNotes(plan, { graph, reach }),
    access: accessNotes(plan),
    surroundings: surroundingNotes(plan, options.showValue ?? null),
    commands: commandNotes(plan),
    verdict: verdictOn({ tasks: listed, widest, slots, time }),
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
    wave: task.wave,
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
    further: figures.schedule.further.get(i) ?? [],
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
  const criticalFirst = tasks.toSorted((a, b) => Number(b.critical) - Number(a.critical));
  const ranks = [...groupBy(criticalFirst, ({ rank }) => rank)].sort(([a], [b]) => a - b);
  return ranks.map(([, members]) => members.map(({ id }) => id));
}

/** Waves do not mix: the first rank of one comes after the last rank of the one before. */
function waveNotes(tasks: readonly TaskPreview[]): PlanPreview["waves"] {
  return wavesOf(tasks).map(({ wave, members }) => {
    const ranks = members.map((task) => (tasks[task] as TaskPreview).rank);
    return { wave, tasks: members.length, firstRank: ranks.reduce((a, b) => Math.min(a, b)) };
  });
}

function agentsOf(tasks: readonly Task[]): PlanPreview["agents"] {
  const users = groupBy(tasks, ({ work }) => (work.kind === "agent" ? work.agent.use : null));
  return [...users].map(([name, used]) => ({ name, tasks: used.length })).sort((a, b) => b.tasks - a.tasks);
}

function idAt(plan: Plan, index: number): TaskId {
  return (plan.tasks[index] as Task).id;
}

/** How many tasks the plan lists, without the steps of an artifact folder. */
export function countListed(plan: Plan): number {
  return plan.tasks.filter((task) => !isStep(plan, task)).length;
}
