import { useMemo, useRef } from "preact/hooks";
import type { Fact } from "../../core/facts.ts";
import { formatDone } from "../../core/select/run-status-text.ts";
import { gapsOf } from "../../core/select/timeline/segment.ts";
import { times } from "../../core/select/totals.ts";
import { elapsed } from "../../core/text/figures.ts";
import { fullTime, hourAndMinute, timeOfDay } from "../../report/local-times.ts";
import { useMoment, useRunStore } from "../context.ts";
import { Icon } from "../parts/icon.tsx";
import { useWidth } from "../parts/measured.ts";
import type { Noticed } from "../run/history.ts";
import { type Speed, speeds } from "../run/replayer.ts";
import { type TimeAxis, timeAxis } from "../run/time-axis.ts";

/** Which moment is shown, and controls to go to any other. */
export function ReplayBar() {
  const store = useRunStore();
  const { replay, now, speed } = useMoment();
  const isPlaying = replay?.isPlaying ?? false;
  return (
    <section class="replay row" aria-label="Replay">
      <button
        type="button"
        class="bar-icon lights quiet"
        aria-label={isPlaying ? "Pause the replay" : "Replay"}
        title={`${isPlaying ? "Pause the replay" : "Replay"} (space)`}
        onClick={() => store.play(isPlaying ? null : speed)}
      >
        <Icon sign={isPlaying ? "pause" : "play"} size={14} />
      </button>
      <button
        type="button"
        class="replay-speed lights small quiet mono"
        aria-label={`Speed ${speed}×`}
        title="Replay speed"
        onClick={() => store.pace(faster(speed))}
      >
        {speed}×
      </button>
      <time class="replay-time mono" title={fullTime(now)}>
        {timeOfDay(now)}
      </time>
      <Scrubber />
      <Until />
      <Now />
    </section>
  );
}

const faster = (speed: Speed): Speed => speeds[(speeds.indexOf(speed) + 1) % speeds.length] ?? 1;

function Until() {
  const { replay, forecast, latest, latestAt, times: shown } = useMoment();
  if (replay !== null) {
    const whole = times(latest, latestAt).wallMs;
    return (
      <span class="replay-until quiet mono">
        {elapsed(shown.wallMs)} of {elapsed(whole)}
      </span>
    );
  }
  return forecast === null || latest.ended !== null ? null : (
    <span class="replay-until quiet mono">about {hourAndMinute(forecast.readyAt)}</span>
  );
}

/** Back to now; or, where now is shown, whether the run is live. */
function Now() {
  const store = useRunStore();
  const { replay, latest, connection, isRunning } = useMoment();
  const isLive = latest.ended === null && connection.kind !== "file";
  if (replay !== null)
    return (
      <button type="button" class="button replay-live" title="End" onClick={() => store.seek(null)}>
        {isLive ? "Go live" : "Go to end"}
      </button>
    );
  if (connection.kind === "lost" || connection.kind === "refused")
    return <span class="badge actor-clock">Offline</span>;
  if (latest.ended !== null) return <span class="badge actor-later">Ended</span>;
  if (connection.kind === "file") return <span class="badge actor-later">Report</span>;
  if (!isRunning) return <span class="badge actor-later">Interrupted</span>;
  return (
    <span class="badge actor-agents replay-live">
      <i class="replay-dot" /> Live
    </span>
  );
}

const HEIGHT = 40;
const LINE = 31;
const SECOND = 1_000;

/** The time of the run from start to end: how much happened when, failures, and the moment that is shown. */
function Scrubber() {
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

type ChartProps = {
  readonly drawn: ReturnType<typeof histogram>;
  readonly width: number;
  readonly place: number;
};

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

const BAR = 7;
const [LEAST, MOST] = [3, 14];

/** How much happened when, drawn for a width in pixels; pins are failures. */
function histogram(facts: readonly Fact[], noticed: readonly Noticed[], axis: TimeAxis, width: number) {
  const place = (at: number): number => (axis.lengthMs === 0 ? 0 : (axis.offset(at) / axis.lengthMs) * width);
  const bins = new Map<number, number>();
  for (const { at } of facts) {
    const bin = Math.floor(Math.min(place(at), width - 1) / BAR);
    bins.set(bin, (bins.get(bin) ?? 0) + 1);
  }
  const most = Math.max(1, ...bins.values());
  // A wave of facts must not flatten everything else.
  const height = (n: number): number =>
    Math.round(LEAST + (MOST - LEAST) * Math.sqrt((n - 1) / Math.max(1, most - 1)));
  return {
    bars: [...bins].map(([bin, n]) => ({ x: bin * BAR, height: height(n) })),
    pins: noticed.flatMap(({ notice }) => (notice.kind === "failed" ? [{ x: place(notice.at) }] : [])),
  };
}
