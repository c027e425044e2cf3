import type { TaskId } from "../../../core/ids.ts";
import type { Plan, Task } from "../../../core/plan.ts";
import { planGraph, taskRanks, wavesOf } from "../../../core/select/preview/plan-graph.ts";
import { directNeeds, reachOf } from "../../../core/select/preview/width.ts";
import { groupNames, isGrouped } from "../../../core/select/task-groups.ts";
import { type GraphLayout, layoutGraph } from "../../../report/graph-layout.ts";
import type { Measure } from "./measure.ts";

/** Positions, computed once from the plan alone, so that nothing jumps during the run. */
export type PlanPicture = {
  readonly ids: readonly TaskId[];
  readonly indexOf: ReadonlyMap<TaskId, number>;
  /** Of each task from 0. */
  readonly rank: readonly number[];
  /** Its rank, too, but for those that stand alone: many of them are spread over several columns. */
  readonly column: readonly number[];
  /** Stated needs, also those that others imply. */
  readonly needs: readonly (readonly number[])[];
  readonly dependents: readonly (readonly number[])[];
  /** Those that are drawn: no other need implies them. */
  readonly edges: readonly { readonly from: number; readonly to: number }[];
  /** Null for those that belong to none, and for all where there are few tasks. */
  readonly groups: readonly (string | null)[];
  readonly waves: readonly { readonly wave: number; readonly column: number }[];
  readonly layout: GraphLayout;
};

const NODE_HEIGHT = 44;
const NODE_GAP = 20;
const MIN_WIDTH = 104;
/** Left of the text is the sign. */
export const TEXT_AT = 30;
export const PADDING = 10;
const BEFORE_MARK = 6;
/** Longer names are cut, and the panel has them in full. */
const MOST_WIDTH = 260;
/** What is below most names; node widths come from the plan, which does not have it. */
const USUAL_LINES = {
  write: ["10:00 · $0.88", "checking merged"],
  "read-only": ["read-only, 10:00"],
} as const;

export function planPicture(tasks: readonly Task[], measure: Measure): PlanPicture {
  const ids = tasks.map(({ id }) => id);
  const graph = planGraph(tasks);
  const rank = taskRanks(graph);
  const needs = graph.needs.slice(0, tasks.length).map((list) => list.filter((need) => need < tasks.length));
  const dependents: number[][] = tasks.map(() => []);
  needs.forEach((list, to) => {
    for (const from of list) dependents[from]?.push(to);
  });
  const edges = directNeeds(graph, reachOf(graph)).flatMap((list, to) => list.map((from) => ({ from, to })));
  const groups = groupsOf(tasks);
  const waves = wavesOf(tasks);
  const isAlone = (i: number): boolean => needs[i]?.length === 0 && dependents[i]?.length === 0;
  const column = waves.length > 0 ? rank : spread(rank, isAlone);
  return {
    ids,
    indexOf: new Map(ids.map((id, i) => [id, i])),
    ...{ rank, column, needs, dependents, edges, groups },
    waves: waves.map(({ wave, members }) => ({
      wave,
      column: Math.min(...members.map((task) => rank[task] as number)),
    })),
    layout: layoutGraph({
      ...{ column, edges, clusters: groups },
      widths: tasks.map((task) => nodeWidth(task, measure)),
      nodeHeight: NODE_HEIGHT,
      nodeGap: NODE_GAP,
    }),
  };
}

/** One column of so many is a picture that can be read. */
const MOST_ALONE = 24;
/** How many times as many rows as columns make a picture that is as wide as a window: nodes are wider than high. */
const ROWS_A_COLUMN = 2;

/** Tasks that nothing leads to or from may stand anywhere: below each other they would be a line from afar. */
function spread(rank: readonly number[], isAlone: (i: number) => boolean): readonly number[] {
  const alone = rank.flatMap((_, i) => (isAlone(i) ? [i] : []));
  if (alone.length <= MOST_ALONE) return rank;
  const rows = Math.ceil(Math.sqrt(alone.length * ROWS_A_COLUMN));
  const column = [...rank];
  alone.forEach((i, n) => {
    column[i] = Math.floor(n / rows);
  });
  return column;
}

function groupsOf(tasks: readonly Task[]): (string | null)[] {
  const plan: Pick<Plan, "tasks"> = { tasks };
  if (!isGrouped(plan)) return tasks.map(() => null);
  const names = groupNames(plan);
  return tasks.map(({ id }) => names.get(id) ?? null);
}

function nodeWidth({ id, access }: Task, measure: Measure): number {
  const name = measure(id, "id") + BEFORE_MARK + measure("#2", "mark");
  const width = Math.max(name, ...USUAL_LINES[access].map((line) => measure(line, "line")));
  return Math.ceil(Math.min(MOST_WIDTH, Math.max(MIN_WIDTH, TEXT_AT + width + PADDING)));
}

/** The task itself, all that it needs and all that waits for it, directly or through others. */
export function related({ needs, dependents }: PlanPicture, i: number): ReadonlySet<number> {
  const found = new Set([i]);
  for (const next of [needs, dependents]) {
    const queue = [i];
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      for (const other of next[at] ?? []) {
        if (found.has(other)) continue;
        found.add(other);
        queue.push(other);
      }
    }
  }
  return found;
}
