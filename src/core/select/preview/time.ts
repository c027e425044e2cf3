import type { GroupName, TaskId } from "../../ids.ts";
import { isStep, type Plan } from "../../plan.ts";
import {
  estimateLengths,
  type Lengths,
  type Schedule,
  type ScheduleOptions,
  simulate,
  usefulSlots,
} from "../../schedule.ts";
import { amount, count, duration, factor } from "../../text/figures.ts";
import { criticalTasks, type PlanGraph, startingPriority, withBarriers } from "./plan-graph.ts";
import type { GroupLimits, Widest } from "./width.ts";

/** How long a run takes, in milliseconds, or in lengths of one task when the plan states no times. */
export type TimePreview = {
  readonly unit: "ms" | "task";
  /** How many tasks state a time, or are steps; the others count as the median of those that are stated. */
  readonly known: number;
  /** On the planned slots. */
  readonly wall: number;
  /** One task after the other. */
  readonly serial: number;
  /** With any number of slots; the limits of groups still hold. */
  readonly unlimited: number;
  readonly criticalPath: number;
  /** Serial time against wall time. */
  readonly speedUp: number;
};

/** A limit that several tasks share, and what it costs. */
export type GroupNote = {
  readonly group: GroupName;
  readonly max: number;
  readonly members: readonly TaskId[];
  /** Without this limit the run would be shorter by more than 2 %; null in a plan with too many groups to try each. */
  readonly bounds: boolean | null;
  readonly wallWithout: number | null;
};

export type SlotsPreview = {
  /** How many attempts may be live at once. */
  readonly planned: number;
  /** How many of them are used at the busiest moment; each attempt of a race takes one. */
  readonly busiest: number;
  /** More than this many bring the end nearer by less than 2 %. */
  readonly useful: number;
};

const NOTICEABLE = 0.02;
/** How many groups are tried for what a run would be without them: each costs a simulation. */
const GROUPS_TRIED = 64;

type Timing = {
  readonly lengths: Lengths;
  readonly schedule: Schedule;
  readonly critical: readonly number[];
  readonly time: TimePreview;
  readonly groups: readonly GroupNote[];
  readonly slots: SlotsPreview;
};

export function timePreview(plan: Plan, graph: PlanGraph, slots: number): Timing {
  const lengths = estimateLengths(plan.tasks, (task) => isStep(plan, task));
  const all = withBarriers(graph, lengths.lengths, 0);
  const options: Omit<ScheduleOptions, "slots"> = {
    ...groupLimits(plan),
    attempts: withBarriers(
      graph,
      plan.tasks.map(({ race }) => race),
      0,
    ),
    priority: startingPriority(graph, lengths.lengths, plan.tasks),
  };
  const schedule = simulate(graph, all, { ...options, slots });
  const critical = criticalTasks(graph, lengths.lengths);
  const serial = sum(lengths.lengths);
  const time: TimePreview = {
    unit: lengths.unit,
    known: lengths.known.filter(Boolean).length,
    wall: schedule.makespan,
    serial,
    unlimited: simulate(graph, all, { ...options, slots: Number.POSITIVE_INFINITY }).makespan,
    criticalPath: sum(critical.map((task) => lengths.lengths[task] as number)),
    speedUp: schedule.makespan === 0 ? 1 : serial / schedule.makespan,
  };
  const wallWithout = (group: number) => {
    const loose = options.groupLimits?.with(group, Number.POSITIVE_INFINITY) ?? [];
    return simulate(graph, all, { ...options, groupLimits: loose, slots }).makespan;
  };
  return {
    lengths,
    schedule,
    critical,
    time,
    groups: groupNotes(plan, schedule, wallWithout),
    slots: { planned: slots, busiest: schedule.busiest, useful: usefulSlots(graph, all, options) },
  };
}

/** Only a group that made a ready task wait can have cost anything. */
function groupNotes(plan: Plan, schedule: Schedule, wallWithout: (group: number) => number): GroupNote[] {
  const members = new Map<GroupName, TaskId[]>(plan.limits.map(({ group }) => [group, []]));
  for (const { id, group } of plan.tasks) if (group !== null) members.get(group)?.push(id);
  let tries = GROUPS_TRIED;
  return plan.limits.map(({ group, max }, index) => {
    const note = { group, max, members: members.get(group) ?? [] };
    if (!schedule.fullGroups.has(index)) return { ...note, bounds: false, wallWithout: schedule.makespan };
    tries -= 1;
    if (tries < 0) return { ...note, bounds: null, wallWithout: null };
    const without = wallWithout(index);
    const bounds = schedule.makespan - without > NOTICEABLE * schedule.makespan;
    return { ...note, bounds, wallWithout: without };
  });
}

export function groupLimits(plan: Plan): GroupLimits {
  const indexOf = new Map(plan.limits.map(({ group }, index) => [group, index]));
  return {
    groups: plan.tasks.map((task) => (task.group === null ? null : (indexOf.get(task.group) ?? null))),
    groupLimits: plan.limits.map(({ max }) => max),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Whether running the tasks side by side is worth it, said honestly. */
export type Verdict = {
  readonly parallel: boolean;
  readonly reason:
    | "one-task"
    | "one-chain"
    | "one-slot"
    | "little-gain"
    | "little-time"
    | "few-tasks"
    | "worth-it";
  readonly says: string;
};

type Figures = {
  readonly tasks: number;
  readonly widest: Widest;
  readonly slots: SlotsPreview;
  readonly time: TimePreview;
};

/** Below this the trouble of worktrees and merges eats the gain. */
const LITTLE_GAIN = 1.2;
const LITTLE_TIME_MS = 60_000;
const FEW_TASKS = 3;
const GOOD_GAIN_FOR_FEW = 1.6;

export function verdictOn(figures: Figures): Verdict {
  const reason = reasonOf(figures);
  return { parallel: reason === "worth-it", reason, says: sentence(reason, figures) };
}

function reasonOf({ tasks, widest, slots, time }: Figures): Verdict["reason"] {
  if (tasks <= 1) return "one-task";
  if (widest.byNeeds === 1) return "one-chain";
  if (slots.planned === 1) return "one-slot";
  if (time.speedUp < LITTLE_GAIN) return "little-gain";
  if (time.unit === "ms" && time.serial - time.wall < LITTLE_TIME_MS) return "little-time";
  if (tasks <= FEW_TASKS && time.speedUp < GOOD_GAIN_FOR_FEW) return "few-tasks";
  return "worth-it";
}

function sentence(reason: Verdict["reason"], { tasks, widest, time }: Figures): string {
  const gain = `${amount(time.wall, time.unit)} instead of ${amount(time.serial, time.unit)} serially`;
  switch (reason) {
    case "one-task":
      return "one task: nothing to run in parallel";
    case "one-chain":
      return `one long chain of ${count(tasks, "task")}: each needs the one before it, so more slots do not help`;
    case "one-slot":
      return `one slot: tasks run serially; up to ${widest.tasks} could run in parallel`;
    case "little-gain":
      return `speed-up at most ${factor(time.speedUp)}, ${gain}: running serially is as good`;
    case "little-time":
      return `saves ${duration(time.serial - time.wall)}, ${gain}: running serially is as good`;
    case "few-tasks":
      return `${count(tasks, "task")}, ${factor(time.speedUp)}, ${gain}: running serially is nearly as good`;
    case "worth-it":
      return `worth running in parallel: ${factor(time.speedUp)}, ${gain}`;
  }
}
