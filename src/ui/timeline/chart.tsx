import { useEffect, useRef, useState } from "preact/hooks";
import type { TaskId } from "../../core/ids.ts";
import type { Timeline } from "../../core/select/timeline.ts";
import { timeOfDay } from "../../report/local-times.ts";
import { placePath, ROW_HEIGHT } from "../../report/timeline-layout.ts";
import { gapText } from "../../report/timeline-text.ts";
import { useSeenRows } from "../parts/measured.ts";
import { Axis, type Geometry, type TimeWindow } from "./axis.tsx";
import { Patterns, RowBars, RowHead } from "./rows.tsx";

type ChartProps = {
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

type LinesProps = {
  readonly timeline: Timeline;
  readonly geometry: Geometry;
  readonly height: number;
  readonly path: { readonly done: string; readonly coming: string };
};

/** Lines across all rows: round times, breaks, now, the expected end, and the critical path. */
function ChartLines({ timeline, geometry: { scale }, height, path }: LinesProps) {
  const { forecast } = timeline.seen;
  return (
    <>
      <path class="timeline-grid" d={scale.ticks.map(({ x }) => `M${x} 0V${height}`).join("")} />
      {scale.breaks.map(({ x, width, gap }) => (
        <rect key={gap.from} class="timeline-break" x={x} width={width} height={height}>
          <title>{gapText(gap, timeOfDay)}</title>
        </rect>
      ))}
      {forecast !== null && <path class="timeline-end" d={`M${scale.x(forecast.readyAt)} 0V${height}`} />}
      <path class="timeline-now" d={`M${scale.x(timeline.now)} 0V${height}`} />
      <path class="timeline-path" d={path.done} />
      <path class="timeline-path timeline-path-coming" d={path.coming} />
    </>
  );
}

/** Describes the bar that has the pointer or the focus. */
export type Tip = { readonly task: TaskId; readonly text: string; readonly x: number; readonly y: number };

const MOST_WIDTH = 320;

function TipBox({ tip, geometry: { width, nameWidth } }: { readonly tip: Tip; readonly geometry: Geometry }) {
  const left = Math.max(8, Math.min(width - MOST_WIDTH - 8, nameWidth + tip.x));
  // The bar itself has a name for screen readers.
  return (
    <div
      class="timeline-tip wrap small quiet"
      aria-hidden="true"
      style={{ left: `${left}px`, top: `${tip.y + 2}px` }}
    >
      <b class="mono">{tip.task}</b> {tip.text}
    </div>
  );
}

/** Less than this is a click. */
const LEAST = 6;

type Drag = { readonly from: number; readonly to: number };

/** Dragging over the plot chooses the time that is to fill it. */
function useDrag({ scale, plotWidth }: Geometry, onZoom: (zoom: TimeWindow) => void) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const place = (event: PointerEvent): number => {
    const { left } = (event.currentTarget as Element).getBoundingClientRect();
    return Math.max(0, Math.min(plotWidth, event.clientX - left));
  };
  const span =
    drag === null ? null : { x: Math.min(drag.from, drag.to), width: Math.abs(drag.to - drag.from) };
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || (event.target as Element).closest("a") !== null) return;
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      setDrag({ from: place(event), to: place(event) });
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag !== null) setDrag({ ...drag, to: place(event) });
    },
    onPointerUp: () => {
      if (span !== null && span.width >= LEAST)
        onZoom({ from: scale.at(span.x), to: scale.at(span.x + span.width) });
      setDrag(null);
    },
    onPointerCancel: () => setDrag(null),
  };
  return { span: span !== null && span.width >= LEAST ? span : null, handlers };
}
