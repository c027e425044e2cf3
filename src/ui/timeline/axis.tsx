import type { EpochMs } from "../../core/facts.ts";
import type { Timeline } from "../../core/select/timeline.ts";
import { fullTime, hourAndMinute } from "../../report/local-times.ts";
import { placeSlots } from "../../report/timeline-layout.ts";
import { timeScale } from "../../report/timeline-scale.ts";

const HEIGHT = 92;
const SLOTS_TOP = 18;
const SLOTS_HEIGHT = 38;
const LABELS = 80;
/** The width of `ready about`, with the gap after it. */
const READY_WIDTH = 84;
const PILL = { width: 50, height: 18 };

type AxisProps = {
  readonly timeline: Timeline;
  readonly geometry: Geometry;
  readonly isZoomed: boolean;
  readonly onFit: () => void;
};

/** Slots in use, round clock times, now, and when it will be ready. */
export function Axis({ timeline, geometry, isZoomed, onFit }: AxisProps) {
  const { width, nameWidth, plotWidth, scale, hasFigures } = geometry;
  const { slots, now, seen } = timeline;
  const used = seen.progress.slots.used;
  const { line, area } = placeSlots(timeline, scale, SLOTS_HEIGHT);
  const name = `Slots in use: ${used} of ${slots.of} at ${hourAndMinute(now)}`;
  return (
    <div class="timeline-head">
      <svg class="timeline-axis" width={width} height={HEIGHT} role="img" aria-label={name}>
        <text class="timeline-quiet" x={16} y={SLOTS_TOP + 7}>
          Slots in use
        </text>
        <text class="timeline-tick" x={nameWidth - 8} y={SLOTS_TOP + 6} text-anchor="end">
          {slots.of}
        </text>
        <text class="timeline-tick" x={nameWidth - 8} y={SLOTS_TOP + SLOTS_HEIGHT + 1} text-anchor="end">
          0
        </text>
        <svg class="timeline-slots" aria-hidden="true" x={nameWidth} width={plotWidth} height={HEIGHT}>
          <g transform={`translate(0 ${SLOTS_TOP})`}>
            <path class="timeline-limit" d={`M0 .5H${plotWidth}`} />
            <path class="timeline-used-area" d={area} />
            <path class="timeline-used" d={line} />
          </g>
        </svg>
        <g transform={`translate(${nameWidth} 0)`}>
          {scale.ticks.map(({ at, x, label }) => (
            <text key={at} class="timeline-tick" x={x} y={LABELS} text-anchor={x < 20 ? "start" : "middle"}>
              {label}
            </text>
          ))}
          <Ready timeline={timeline} geometry={geometry} />
          <Now timeline={timeline} geometry={geometry} />
        </g>
        {hasFigures && (
          <>
            <text class="timeline-quiet" x={width - 62} y={LABELS} text-anchor="end">
              Time
            </text>
            <text class="timeline-quiet" x={width - 16} y={LABELS} text-anchor="end">
              Cost
            </text>
          </>
        )}
      </svg>
      {isZoomed && (
        <button class="button timeline-fit" type="button" onClick={onFit} aria-keyshortcuts="0">
          Fit
        </button>
      )}
    </div>
  );
}

function Ready({ timeline, geometry: { scale } }: Pick<AxisProps, "timeline" | "geometry">) {
  const { forecast } = timeline.seen;
  if (forecast === null) return null;
  const x = scale.x(forecast.readyAt);
  if (x < 60 || x > scale.width + 1) return null;
  // Not where the line of now would cross the text: the summary shows the time too.
  const isFree = Math.abs(x - READY_WIDTH / 2 - scale.x(timeline.now)) > READY_WIDTH / 2;
  return (
    <>
      {isFree && (
        <text class="timeline-tick" x={x - 4} y={LABELS - 20} text-anchor="end">
          ready about
          <title>{fullTime(forecast.readyAt)}</title>
        </text>
      )}
      <path class="timeline-end" d={`M${x} ${LABELS - 26}V${HEIGHT}`} />
    </>
  );
}

/** After the end, the line shows when that was. */
function Now({ timeline, geometry: { scale, plotWidth } }: Pick<AxisProps, "timeline" | "geometry">) {
  const x = scale.x(timeline.now);
  if (x < 0 || x > plotWidth) return null;
  const left = Math.max(0, Math.min(plotWidth - PILL.width, x - PILL.width / 2));
  return (
    <>
      <path class="timeline-now" d={`M${x} ${SLOTS_TOP}V${HEIGHT}`} />
      <rect class="timeline-pill" x={left} y={2} width={PILL.width} height={PILL.height} rx={9} />
      <text class="timeline-pill-text" x={left + PILL.width / 2} y={15} text-anchor="middle">
        {hourAndMinute(timeline.now)}
        <title>{fullTime(timeline.now)}</title>
      </text>
    </>
  );
}

export type Geometry = ReturnType<typeof buildGeometry>;

export type TimeWindow = { readonly from: EpochMs; readonly to: EpochMs };

const PHONE = 700;
const FIGURES_WIDTH = 120;
/** Behind the last moment, for marks; for their words too where nothing is expected behind them. */
const AIR = 44;
const AIR_FOR_WORDS = 120;
/** Of the mono font; wide ones are cut off with an ellipsis. */
const CELL = 7.4;
const BESIDE_NAME = 52;

/** The parts of the view from left to right: names, the plot, time and cost; on a phone the figures have no room. */
export function buildGeometry(timeline: Timeline, width: number, zoom: TimeWindow | null) {
  const isPhone = width < PHONE;
  const longest = timeline.rows.reduce((most, { row }) => Math.max(most, row.task.length), 0);
  const wanted = longest * CELL + BESIDE_NAME;
  const nameWidth = isPhone ? Math.min(134, wanted - 16) : Math.min(240, Math.max(168, wanted));
  const plotWidth = Math.max(40, Math.floor(width - nameWidth - (isPhone ? 12 : FIGURES_WIDTH)));
  const air = isPhone ? AIR / 2 : timeline.seen.forecast === null ? AIR_FOR_WORDS : AIR;
  const { from, to } = zoom ?? timeline;
  const scale = timeScale({
    ...{ from, to, gaps: timeline.gaps, zoneMs: findZone(timeline.now) },
    width: zoom === null ? Math.max(20, plotWidth - air) : plotWidth,
  });
  return { width, nameWidth, plotWidth, hasFigures: !isPhone, scale };
}

const findZone = (at: EpochMs): number => -new Date(at).getTimezoneOffset() * 60_000;
