import { criticalPath, type Graph } from "../../graph.ts";
import type { GroupName, TaskId } from "../../ids.ts";
import type { Plan } from "../../plan.ts";
import { indexPlan } from "../../run-index.ts";
import { estimateLengths, type Lengths, type Schedule, simulate, usefulSlots } from "../../schedule.ts";

/** How long a run takes, in milliseconds, or in lengths of one task when the plan states no times. */
export type TimePreview = {
  readonly unit: "ms" | "task";
  /** How many tasks state a time; the others count as the median of those. */
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
  /** Without this limit the run would be shorter by more than 2 %. */
  readonly bounds: boolean;
  readonly wallWithout: number;
};

export type SlotsPreview = {
  /** How many attempts may be live at once. */
  readonly planned: number;
  /** How many of them are used at the busiest moment. */
  readonly busiest: number;
  /** More than this many bring the end nearer by less than 2 %. */
  readonly useful: number;
};

const NOTICEABLE = 0.02;

type Timing = {
  readonly lengths: Lengths;
  readonly schedule: Schedule;
  readonly time: TimePreview;
  readonly groups: readonly GroupNote[];
  readonly slots: SlotsPreview;
};

export function timePreview(plan: Plan, graph: Graph, slots: number): Timing {
  const lengths = estimateLengths(plan.tasks);
  const options = { ...groupLimits(plan), priority: startingOrder(plan) };
  const schedule = simulate(graph, lengths.lengths, { ...options, slots });
  const unlimited = simulate(graph, lengths.lengths, {
    ...options,
    slots: Number.POSITIVE_INFINITY,
  }).makespan;
  const serial = sum(lengths.lengths);
  const time: TimePreview = {
    unit: lengths.unit,
    known: lengths.known.filter(Boolean).length,
    wall: schedule.makespan,
    serial,
    unlimited,
    criticalPath: sum(criticalPath(graph, lengths.lengths).map((task) => lengths.lengths[task] as number)),
    speedUp: schedule.makespan === 0 ? 1 : serial / schedule.makespan,
  };
  const wallWithout = (group: number) => {
    const loose = options.groupLimits.with(group, Number.POSITIVE_INFINITY);
    return simulate(graph, lengths.lengths, { ...options, groupLimits: loose, slots }).makespan;
  };
  return {
    lengths,
    schedule,
    time,
    groups: groupNotes(plan, schedule, wallWithout),
    slots: {
      planned: slots,
      busiest: schedule.busiest,
      useful: usefulSlots(graph, lengths.lengths, options),
    },
  };
}

function groupNotes(plan: Plan, schedule: Schedule, wallWithout: (group: number) => number): GroupNote[] {
  return plan.limits.map(({ group, max }, index) => {
    const members = plan.tasks.filter((task) => task.group === group).map((task) => task.id);
    const without = members.length > max ? wallWithout(index) : schedule.makespan;
    const bounds = schedule.makespan - without > NOTICEABLE * schedule.makespan;
    return { group, max, members, bounds, wallWithout: without };
  });
}

function groupLimits(plan: Plan) {
  const indexOf = new Map(plan.limits.map(({ group }, index) => [group, index]));
  return {
    groups: plan.tasks.map((task) => (task.group === null ? null : (indexOf.get(task.group) ?? null))),
    groupLimits: plan.limits.map(({ max }) => max),
  };
}

/** The order in which a run itself starts what is ready, so that what is shown is what will happen. */
function startingOrder(plan: Plan): number[] {
  return indexPlan(plan, {}).place.map((place) => -place);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
