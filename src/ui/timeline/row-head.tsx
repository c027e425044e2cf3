import type { Timeline, TimelineRow } from "../../core/select/timeline.ts";
import { dollars, elapsed } from "../../core/text/figures.ts";
import { ROW_HEIGHT } from "../../report/timeline-layout.ts";
import { StateIcon } from "../parts/icon.tsx";
import { linkTask } from "../route.ts";
import type { Geometry } from "./geometry.ts";

type RowHeadProps = {
  readonly row: TimelineRow;
  readonly n: number;
  readonly timeline: Timeline;
  readonly geometry: Geometry;
  readonly isSelected: boolean;
  readonly isFocus: boolean;
};

/** The ground of a row, its name at the left and its figures at the right. */
export function RowHead({
  row: { row, isOnPath },
  n,
  timeline,
  geometry,
  isSelected,
  isFocus,
}: RowHeadProps) {
  const { run } = timeline.seen.state;
  const look = row.actor === "done" ? "done" : row.actor === "later" ? "later" : "open";
  return (
    <div
      class={`timeline-row row timeline-row-${look}${isSelected ? " timeline-row-selected" : ""}`}
      data-row={n}
      style={{ top: `${n * ROW_HEIGHT}px` }}
    >
      <a
        class="timeline-name row"
        href={linkTask(run, row.task)}
        tabIndex={isFocus ? 0 : -1}
        aria-current={isSelected ? "true" : undefined}
        style={{ width: `${geometry.nameWidth - 8}px` }}
        title={`${row.task}: ${row.title}, ${row.status.kind}${isOnPath ? ", on the critical path" : ""}`}
      >
        <StateIcon shown={row.status.kind} />
        <span class="mono">{row.task}</span>
        <span class="unseen">{row.status.kind}</span>
      </a>
      {geometry.hasFigures && (
        <span class="timeline-figures quiet mono">
          <span>{row.attempts === 0 ? "–" : elapsed(row.workMs)}</span>
          <span>{row.usage.costUsd === null ? "–" : dollars(row.usage.costUsd)}</span>
        </span>
      )}
    </div>
  );
}
