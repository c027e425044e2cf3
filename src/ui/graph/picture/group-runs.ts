import type { Box, GraphLayout } from "../../../report/graph-layout.ts";
import type { PlanPicture } from "./plan-picture.ts";
import { byRank } from "./walk.ts";

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
