import type { JSX } from "preact";
import { type RunId, splitAttemptId, type TaskId } from "../../core/ids.ts";
import type { Timeline, TimelineRow } from "../../core/select/timeline.ts";
import { dollars, elapsed } from "../../core/text/figures.ts";
import { timeOfDay } from "../../report/local-times.ts";
import { type Bar, type Mark, placeRow, ROW_HEIGHT } from "../../report/timeline-layout.ts";
import { endText, segmentText } from "../../report/timeline-text.ts";
import { StateIcon } from "../parts/icon.tsx";
import { linkTask } from "../route.ts";
import type { Geometry } from "./axis.tsx";
import type { Tip } from "./chart.tsx";

type RowBarsProps = {
  readonly row: TimelineRow;
  readonly n: number;
  readonly geometry: Geometry;
  readonly run: RunId;
  /** The keys get to the bars of one row at a time. */
  readonly isFocus: boolean;
  readonly onTip: (tip: Tip | null) => void;
};

export function RowBars({ row, n, geometry, run, isFocus, onTip }: RowBarsProps) {
  const { bars, marks } = placeRow(row, geometry.scale);
  const { task, actor } = row.row;
  return (
    <g transform={`translate(0 ${n * ROW_HEIGHT})`} class={actor === "done" ? "timeline-muted" : ""}>
      {bars.map((bar) => {
        const text = segmentText(row, bar.of, timeOfDay);
        const tip = () => onTip({ task, text, x: bar.x, y: n * ROW_HEIGHT + ROW_HEIGHT });
        const key = `${bar.look} ${bar.of.from} ${bar.attempt}`;
        if (bar.attempt === null)
          return (
            <g key={key} onPointerEnter={tip} onPointerLeave={() => onTip(null)}>
              <BarShape bar={bar} />
            </g>
          );
        return (
          <a
            key={key}
            class="timeline-bar"
            href={attemptHref(run, task, bar)}
            aria-label={`${task}, ${text}`}
            tabIndex={isFocus ? 0 : -1}
            onPointerEnter={tip}
            onPointerLeave={() => onTip(null)}
            onFocus={tip}
            onBlur={() => onTip(null)}
          >
            <BarShape bar={bar} />
          </a>
        );
      })}
      {marks.map((mark) => (
        <EndSign key={mark.end.at} mark={mark} room={geometry.plotWidth - mark.x} />
      ))}
    </g>
  );
}

function attemptHref(run: RunId, task: TaskId, { attempt }: Bar): string {
  const n = attempt === null ? null : splitAttemptId(attempt).n;
  return linkTask(run, task, { attempt: n });
}

function BarShape({ bar }: { readonly bar: Bar }) {
  const { look, x, y, width, height, label, isCalledOff } = bar;
  const middle = ROW_HEIGHT / 2;
  const cross = `M${x + width / 2 - 2.5} ${middle - 2.5}l5 5m0 -5l-5 5`;
  return (
    <>
      {/* A thin line is hard to point at. */}
      {height < 14 && <rect class="timeline-target" x={x} y={3} width={width} height={18} />}
      {look === "backoff" || look === "ready" ? (
        <path class={`timeline-${look}`} d={`M${x} ${middle}h${width}`} />
      ) : (
        <rect
          fill={HATCHES[look]}
          class={`timeline-${look}${isCalledOff ? " timeline-called-off" : ""}`}
          {...{ x, y, width, height }}
          rx={2}
        />
      )}
      {look === "red" && <path class="timeline-cross" d={cross} />}
      {label !== null && (
        <text class="timeline-number" x={label.x} y={middle + 3.5}>
          {label.text}
        </text>
      )}
    </>
  );
}

function EndSign({ mark: { x, end, isLast }, room }: { readonly mark: Mark; readonly room: number }) {
  const fits = isLast && end.note !== null && room > end.note.length * 6.5 + 14;
  return (
    <g
      class={`timeline-mark timeline-mark-${end.kind}`}
      transform={`translate(${x - 5.5} ${ROW_HEIGHT / 2 - 5.5})`}
    >
      <title>{endText(end, timeOfDay)}</title>
      <StateIcon shown={end.kind} size={11} />
      {fits && (
        <text x={16} y={9.5}>
          {end.note}
        </text>
      )}
    </g>
  );
}

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

/** As an attribute: some browsers look for a fragment that a style sheet names in the style sheet. */
const HATCHES: { readonly [look: string]: string } = {
  queue: "url(#hatch-plait)",
  parked: "url(#hatch-clock)",
  held: "url(#hatch-you)",
};

const box = (look: string, height = 10) => (
  <rect
    class={`timeline-${look}`}
    fill={HATCHES[look]}
    x=".5"
    y={(14 - height) / 2}
    width="21"
    height={height}
    rx="2"
  />
);

const entries: readonly (readonly [string, JSX.Element])[] = [
  ["agent", box("agent")],
  ["gates, merge", box("plait")],
  ["queued", box("queue", 6)],
  [
    "red gate or conflict",
    <>
      {box("red")}
      <path class="timeline-cross" d="M8.5 4.5l5 5m0 -5l-5 5" />
    </>,
  ],
  ["retrying", <path class="timeline-backoff" d="M0 7h22" />],
  ["paused", box("parked", 8)],
  ["held", box("held", 8)],
  ["ready, not started", <path class="timeline-ready" d="M0 7h22" />],
  ["expected", box("expected-agent")],
  ["critical path", <path class="timeline-path" d="M0 7h22" />],
];

export function Legend() {
  return (
    <ul class="timeline-legend small quiet" aria-label="Legend">
      {entries.map(([name, shape]) => (
        <li key={name}>
          <svg width="22" height="14" aria-hidden="true">
            {shape}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

/** Once per page. Hatches tell waiting from working without color. */
export function Patterns() {
  return (
    <defs>
      {(["plait", "clock", "you"] as const).map((color) => (
        <pattern
          key={color}
          id={`hatch-${color}`}
          class={`actor-${color}`}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="skewX(-45)"
        >
          <rect class="timeline-hatch-ground" width="6" height="6" />
          <rect class="timeline-hatch" width="3" height="6" />
        </pattern>
      ))}
    </defs>
  );
}
