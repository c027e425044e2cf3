const HOUR_MS = 3_600_000;
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:h|hr|hrs|hours?)?$/, HOUR_MS],
  [/^(?:m|min|mins|minutes?)$/, HOUR_MS / 60],
  [/^(?:d|days?)$/, 8 * HOUR_MS], // of work
];
/** What a plan may say. */
const LONGEST_MS = 2 ** 31 - 1;

/** `3h`, `90m`, `2-4 hours`, which is three, and a bare number of hours. Other words are for people: null. */
export function parseEstimate(written: string | number | null): number | null {
  const match = /^~?\s*(\d+(?:\.\d+)?)(?:\s*(?:-|–|to)\s*(\d+(?:\.\d+)?))?\s*([a-z]*)$/i.exec(
    String(written ?? "").trim(),
  );
  const unit = UNITS.find(([names]) => names.test(match?.[3]?.toLowerCase() ?? "-"))?.[1];
  if (!match || unit === undefined) return null;
  const low = Number(match[1]);
  const timeMs = Math.round(((low + Number(match[2] ?? low)) / 2) * unit);
  return timeMs > 0 && timeMs <= LONGEST_MS ? timeMs : null;
}
