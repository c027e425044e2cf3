import { countActors } from "../../core/select/overview.ts";
import { ActorBarSvg } from "./actor-bar.tsx";
import type { GroupRun } from "./picture/group-runs.ts";
import type { GraphModel } from "./use-graph.ts";

/** Collapsed groups when zoomed out: one box in each column, with its name, its progress, and a bar. */
export function GroupBoxes({
  runs,
  model,
}: {
  readonly runs: readonly GroupRun[];
  readonly model: GraphModel;
}) {
  return (
    <g>
      {runs.map(({ group, tasks, box }) => {
        const rows = tasks.flatMap((i) => model.rowOf(i) ?? []);
        const actors = countActors(rows);
        return (
          <g key={`${group} ${tasks[0]}`} class="graph-group" transform={`translate(${box.x} ${box.y})`}>
            <rect class="graph-group-box" width={box.width} height={box.height} rx="6" />
            <text class="graph-group-name" x={box.width / 2} y={box.height / 2}>
              {group}
            </text>
            <text class="graph-group-count" x={box.width / 2} y={box.height / 2}>
              {actors.done} of {rows.length}
            </text>
            <g transform={`translate(8 ${box.height - 14})`}>
              <ActorBarSvg actors={actors} width={box.width - 16} height={6} />
            </g>
          </g>
        );
      })}
    </g>
  );
}
