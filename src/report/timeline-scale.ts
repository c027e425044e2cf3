import type { EpochMs } from "../core/facts.ts";
import type { Gap } from "../core/select/timeline/segment.ts";

export type TimeScale = ReturnType<typeof timeScale>;

export type Tick = { readonly at: EpochMs; readonly x: number; readonly label: string };
export type Break = { readonly x: number; readonly width: number; readonly gap: Gap };

export type ScaleOptions = {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly width: number;
  readonly gaps: readonly Gap[];
  /** How far the clocks of the reader are ahead of UTC. */
  readonly zoneMs: number;
};

const BREAK_WIDTH = 20;
const LABEL_WIDTH = 58;
const MOST_LABELS = 9;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10_800, 21_600, 43_200]
  .map((seconds) => seconds * SECOND)
  .concat(...[1, 2, 7, 14, 28].map((days) => days * DAY));

/**
 * Times as places on a line of so many pixels. Long stretches in which nobody drove the run are cut down to a small break,
 * else a night would leave no room for the work of the day.
 */
export function timeScale(options: ScaleOptions) {
  const { from, width } = options;
  const to = Math.max(options.to, from + SECOND);
  const pieces = piecesOf({ ...options, to });
  const x = (at: EpochMs): number => {
    const piece = pieces.findLast((one) => one.from <= at) ?? (pieces[0] as Piece);
    return piece.x + (at - piece.from) * piece.perMs;
  };
  const at = (px: number): EpochMs => {
    const piece = pieces.findLast((one) => one.x <= px) ?? (pieces[0] as Piece);
    return piece.perMs === 0 ? piece.from : piece.from + (px - piece.x) / piece.perMs;
  };
  const breaks = pieces.flatMap(({ x: left, gap }): Break[] =>
    gap === null ? [] : [{ x: left, width: BREAK_WIDTH, gap }],
  );
  return { width, from, to, x, at, breaks, ticks: ticksOf(pieces, { ...options, to }) };
}

/** A part of the line with one measure; `gap` where it is a break. */
type Piece = {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly x: number;
  readonly perMs: number;
  readonly gap: Gap | null;
};

function piecesOf({ from, to, width, gaps }: ScaleOptions): Piece[] {
  const inside = gaps
    .map((gap) => ({ gap, from: Math.max(from, gap.from), to: Math.min(to, gap.to) }))
    .filter((one) => one.to > one.from);
  const measure = (cut: typeof inside): number => {
    const left = to - from - cut.reduce((sum, one) => sum + one.to - one.from, 0);
    return Math.max(1, width - cut.length * BREAK_WIDTH) / Math.max(1, left);
  };
  // A gap that is narrower as it is than as a break is left alone.
  const cut = inside.filter((one) => (one.to - one.from) * measure(inside) > BREAK_WIDTH);
  const perMs = measure(cut);
  const pieces: Piece[] = [];
  let [at, x] = [from, 0];
  const add = (until: EpochMs, px: number, gap: Gap | null) => {
    pieces.push({ from: at, to: until, x, perMs: px / Math.max(1, until - at), gap });
    [at, x] = [until, x + px];
  };
  for (const one of cut) {
    if (one.from > at) add(one.from, (one.from - at) * perMs, null);
    add(one.to, BREAK_WIDTH, one.gap);
  }
  if (at < to || pieces.length === 0) add(to, (to - at) * perMs, null);
  return pieces;
}

function ticksOf(pieces: readonly Piece[], { from, width, zoneMs }: ScaleOptions): Tick[] {
  const plain = pieces.filter(({ gap }) => gap === null);
  const shownMs = plain.reduce((sum, piece) => sum + piece.to - piece.from, 0);
  const most = Math.max(1, Math.min(MOST_LABELS, Math.floor(width / LABEL_WIDTH)));
  const step = STEPS.find((ms) => shownMs / ms <= most + 0.5) ?? 365 * DAY;
  const found: Tick[] = [];
  let day = dayOf(from, zoneMs);
  const add = (at: EpochMs, x: number) => {
    const isNewDay = dayOf(at, zoneMs) !== day;
    day = dayOf(at, zoneMs);
    found.push({ at, x, label: clockText(at, { zoneMs, withSeconds: step < MINUTE, withDay: isNewDay }) });
  };
  for (const piece of plain) {
    const first = Math.ceil((piece.from + zoneMs) / step) * step - zoneMs;
    for (let at = first; at <= piece.to; at += step) {
      const x = piece.x + (at - piece.from) * piece.perMs;
      if (x - (found.at(-1)?.x ?? -LABEL_WIDTH) >= LABEL_WIDTH * 0.9) add(at, x);
    }
  }
  const start = plain[0];
  if (start === undefined || (found[0] !== undefined && found[0].x - start.x < LABEL_WIDTH)) return found;
  const label = clockText(start.from, { zoneMs, withSeconds: step < MINUTE, withDay: false });
  return [{ at: start.from, x: start.x, label }, ...found];
}

const dayOf = (at: EpochMs, zoneMs: number): number => Math.floor((at + zoneMs) / DAY);

type ClockOptions = { readonly zoneMs: number; readonly withSeconds: boolean; readonly withDay: boolean };

/** `14:10`, `14:10:30`, `11-16 00:10`. */
export function clockText(at: EpochMs, { zoneMs, withSeconds, withDay }: ClockOptions): string {
  const text = new Date(at + zoneMs).toISOString();
  const day = withDay ? `${text.slice(5, 10)} ` : "";
  return `${day}${text.slice(11, withSeconds ? 19 : 16)}`;
}
