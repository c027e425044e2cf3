import { useEffect, useRef, useState } from "preact/hooks";
import type { TaskId } from "../../core/ids.ts";
import type { Timeline } from "../../core/select/timeline.ts";
import { placePath, ROW_HEIGHT } from "../../report/timeline-layout.ts";
import { useSeenRows } from "../parts/measured.ts";
import { Axis } from "./axis.tsx";
import { RowBars } from "./bars.tsx";
import type { Geometry, TimeWindow } from "./geometry.ts";
import { ChartLines } from "./lines.tsx";
import { Patterns } from "./patterns.tsx";
import { RowHead } from "./row-head.tsx";
import { type Tip, TipBox } from "./tip.tsx";
import { useDrag } from "./use-drag.ts";

export type ChartProps = {
  readonly timeline: Timeline;
  readonly geometry: Geometry;
  readonly selected: TaskId | null;
  readonly isZoomed: boolean;
  readonly onZoom: (zoom: TimeWindow | null) => void;
};

/** The head with slots and times stays in sight; of the rows below only those that can be seen are drawn. */
export function Chart({ timeline, geometry, selected, isZoomed, onZoom }: ChartProps) {
  const { rows } = timeline;
  const [body, { first, end }] = useSeenRows<HTMLDivElement>(rows.length, ROW_HEIGHT);
  const [tip, setTip] = useState<Tip | null>(null);
  const drag = useDrag(geometry, onZoom);
  const seen = rows.slice(first, end).map((row, n) => ({ row, n: first + n }));
  const height = rows.length * ROW_HEIGHT;
  const path = placePath(timeline, geometry.scale);
  const at = rows.findIndex(({ row }) => row.task === selected);
  const focus = selected ?? rows[0]?.row.task ?? null;
  const anchor = useRef<HTMLSpanElement>(null);
  useEffect(() => anchor.current?.scrollIntoView({ block: "nearest" }), [selected]);
  return (
    <>
      <Axis timeline={timeline} geometry={geometry} isZoomed={isZoomed} onFit={() => onZoom(null)} />
      <div class="timeline-body" ref={body} style={{ height: `${height}px` }}>
        {/* The row itself may not be drawn yet. */}
        {at >= 0 && <span class="timeline-anchor" ref={anchor} style={{ top: `${at * ROW_HEIGHT}px` }} />}
        {seen.map(({ row, n }) => (
          <RowHead
            key={row.row.task}
            {...{ row, n, timeline, geometry }}
            isSelected={row.row.task === selected}
            isFocus={row.row.task === focus}
          />
        ))}
        <svg
          class="timeline-plot"
          role="presentation"
          width={geometry.plotWidth}
          height={height}
          style={{ left: `${geometry.nameWidth}px` }}
          {...drag.handlers}
        >
          <Patterns />
          <rect class="timeline-ground" width={geometry.plotWidth} height={height} />
          <ChartLines {...{ timeline, geometry, height, path }} />
          {seen.map(({ row, n }) => (
            <RowBars
              key={row.row.task}
              {...{ row, n, geometry }}
              run={timeline.seen.state.run}
              isFocus={row.row.task === focus}
              onTip={setTip}
            />
          ))}
          {drag.span !== null && (
            <rect class="timeline-span" x={drag.span.x} width={drag.span.width} height={height} />
          )}
        </svg>
        {tip !== null && <TipBox tip={tip} geometry={geometry} />}
      </div>
    </>
  );
}
