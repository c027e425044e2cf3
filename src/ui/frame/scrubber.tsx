import { useMemo, useRef } from "preact/hooks";
import { formatDone } from "../../core/select/run-status-text.ts";
import { timeOfDay } from "../../report/local-times.ts";
import { useMoment, useRunStore } from "../context.ts";
import { useWidth } from "../parts/measured.ts";
import { gapsOf, timeAxis } from "../run/time-axis.ts";
import { BAR, type Histogram, histogram } from "./histogram.ts";

const HEIGHT = 40;
const LINE = 31;
const SECOND = 1_000;

/** The time of the run from start to end: how much happened when, failures, and the moment that is shown. */
export function Scrubber() {
  const store = useRunStore();
  const { facts, noticed, now, replay, progress } = useMoment();
  const [ref, width] = useWidth<HTMLDivElement>();
  const axis = useAxis();
  const drawn = useMemo(() => histogram(facts, noticed, axis, width), [facts.length, axis.lengthMs, width]);
  const place = axis.lengthMs === 0 ? 0 : (axis.offset(now) / axis.lengthMs) * width;
  const isDragging = useRef(false);
  const seekTo = (event: PointerEvent): void => {
    const box = ref.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    store.seek(axis.at(Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * axis.lengthMs));
  };
  return (
    <div
      ref={ref}
      class="scrubber"
      role="slider"
      tabIndex={0}
      aria-label="Time in the run"
      aria-valuemin={0}
      aria-valuemax={Math.round(axis.lengthMs / SECOND)}
      aria-valuenow={Math.round(axis.offset(now) / SECOND)}
      aria-valuetext={`${timeOfDay(now)}, ${formatDone(progress)}${replay === null ? "" : ", replay"}`}
      onKeyDown={(event) => {
        const by = STEPS[event.key];
        if (by === undefined) return;
        event.preventDefault();
        store.seek(
          by === "end" ? null : by === "start" ? axis.at(0) : axis.at(axis.offset(now) + by * axis.lengthMs),
        );
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        isDragging.current = true;
        if (replay?.isPlaying === true) store.play(null);
        seekTo(event);
      }}
      onPointerMove={(event) => {
        if (isDragging.current) seekTo(event);
      }}
      // Also where the browser takes a touch for a gesture of its own.
      onLostPointerCapture={() => {
        isDragging.current = false;
      }}
    >
      <Chart drawn={drawn} width={width} place={place} />
    </div>
  );
}

type ChartProps = { readonly drawn: Histogram; readonly width: number; readonly place: number };

function Chart({ drawn, width, place }: ChartProps) {
  return (
    <svg class="scrubber-chart" width={width} height={HEIGHT} aria-hidden="true">
      {drawn.bars.map(({ x, height }) => (
        <rect
          key={x}
          class={x < place ? "scrubber-bar" : "scrubber-bar scrubber-later"}
          {...{ x, y: LINE - 3 - height, width: BAR - 2, height }}
        />
      ))}
      <rect class="scrubber-line" x={0} y={LINE} width={width} height={3} rx={1.5} />
      <rect class="scrubber-past" x={0} y={LINE} width={place} height={3} rx={1.5} />
      {drawn.pins.map(({ x }, n) => (
        <g key={n} class="scrubber-pin">
          <rect x={x - 1} y={8} width={2} height={LINE - 11} />
          <circle cx={x} cy={8} r={4} />
        </g>
      ))}
      <rect class="scrubber-now" x={Math.max(0, place - 1.5)} y={5} width={3} height={HEIGHT - 8} rx={1.5} />
    </svg>
  );
}

/** Shares of the whole. */
const STEPS: { readonly [key: string]: number | "start" | "end" | undefined } = {
  ArrowLeft: -0.01,
  ArrowDown: -0.01,
  ArrowRight: 0.01,
  ArrowUp: 0.01,
  PageDown: -0.1,
  PageUp: 0.1,
  Home: "start",
  End: "end",
};

/** Ends where the run is expected to: known while it is live, and kept while its past is shown, so that nothing jumps. */
function useAxis() {
  const { facts, latest, latestAt, forecast, replay } = useMoment();
  const expected = useRef(0);
  if (replay === null) expected.current = forecast?.readyAt ?? 0;
  const end = latest.ended === null ? Math.max(latestAt, expected.current) : latestAt;
  const gaps = useMemo(() => gapsOf(facts), [facts.length]);
  return useMemo(() => timeAxis(gaps, facts[0]?.at ?? end, end), [gaps, end]);
}
