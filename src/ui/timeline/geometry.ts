import type { EpochMs } from "../../core/facts.ts";
import type { Timeline } from "../../core/select/timeline.ts";
import { timeScale } from "../../report/timeline-scale.ts";

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
