import type { Box, GraphLayout } from "../../../report/graph-layout.ts";
import type { PlanPicture } from "./plan-picture.ts";

export type Step = "right" | "left" | "up" | "down" | "next" | "previous";

/** All tasks as the lists have them: rank by rank, from top to bottom. */
export function byRank({ rank, column, layout }: Pick<PlanPicture, "rank" | "column" | "layout">): number[] {
  const top = (i: number) => layout.nodes[i]?.y ?? 0;
  const by = (of: readonly number[], a: number, b: number) => (of[a] as number) - (of[b] as number);
  return rank.map((_, i) => i).sort((a, b) => by(rank, a, b) || by(column, a, b) || top(a) - top(b));
}

/** Where a key leads from a task: along an edge, to its neighbour in the column, or along the list. Itself at an end. */
export function walk(picture: PlanPicture, from: number, step: Step): number {
  const { layout, needs, dependents, column } = picture;
  if (step === "right") return nearest(layout, from, besides(picture, from, dependents, 1)) ?? from;
  if (step === "left") return nearest(layout, from, besides(picture, from, needs, -1)) ?? from;
  const order = byRank(picture);
  const next = order[order.indexOf(from) + (step === "down" || step === "next" ? 1 : -1)];
  if (next === undefined) return from;
  const isInColumn = column[next] === column[from];
  return step === "next" || step === "previous" || isInColumn ? next : from;
}

/** Those at the other ends of its edges; where it has none at all, those of the next column that have none. */
function besides(
  { needs, dependents, column }: PlanPicture,
  from: number,
  ends: PlanPicture["needs"],
  by: 1 | -1,
): readonly number[] {
  const isAlone = (i: number): boolean => needs[i]?.length === 0 && dependents[i]?.length === 0;
  if (!isAlone(from)) return ends[from] ?? [];
  const next = (column[from] as number) + by;
  return column.flatMap((at, i) => (at === next && isAlone(i) ? [i] : []));
}

/** The nearest column first, then the nearest in height. */
function nearest({ nodes }: GraphLayout, from: number, candidates: readonly number[]): number | null {
  const start = nodes[from];
  let found: number | null = null;
  let least = Infinity;
  for (const i of candidates) {
    const box = nodes[i];
    if (box === undefined || start === undefined) continue;
    const distance = Math.abs(box.x - start.x) * 1_000 + Math.abs(box.y - start.y);
    if (distance < least) [found, least] = [i, distance];
  }
  return found;
}

/** Tasks of one group that stand together in one column: from afar they are one box. */
export type GroupRun = { readonly group: string; readonly tasks: readonly number[]; readonly box: Box };

export function groupRuns(picture: PlanPicture, layout: GraphLayout): GroupRun[] {
  const runs: { group: string; tasks: number[] }[] = [];
  let last: { group: string | null; column: number } = { group: null, column: -1 };
  for (const i of byRank(picture)) {
    const at = { group: picture.groups[i] ?? null, column: picture.column[i] as number };
    if (at.group !== null) {
      if (at.group === last.group && at.column === last.column) runs.at(-1)?.tasks.push(i);
      else runs.push({ group: at.group, tasks: [i] });
    }
    last = at;
  }
  return runs.map(({ group, tasks }) => ({ group, tasks, box: around(tasks, layout) }));
}

function around(tasks: readonly number[], { nodes }: GraphLayout): Box {
  const first = nodes[tasks[0] as number] as Box;
  const last = nodes[tasks.at(-1) as number] as Box;
  return { x: first.x, y: first.y, width: first.width, height: last.y + last.height - first.y };
}
