/** Figures of a preview as people read them; forecasts are rounded, because they are guesses. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** `40 s`, `58 m`, `3 h 20 m`, `14 h`. */
export function duration(ms: number): string {
  if (ms < 90 * SECOND) return `${Math.round(ms / SECOND)} s`;
  if (ms < 90 * MINUTE) return `${Math.round(ms / MINUTE)} m`;
  const minutes = Math.round(ms / MINUTE);
  if (minutes >= 10 * 60) return `${Math.round(minutes / 60)} h`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

/** The same for narrow columns: `40s`, `58m`, `3h20`. */
export function shortDuration(ms: number): string {
  return ms < 90 * MINUTE
    ? duration(ms).replace(" ", "")
    : `${Math.floor(Math.round(ms / MINUTE) / 60)}h${String(Math.round(ms / MINUTE) % 60).padStart(2, "0")}`;
}

/** A length in the unit of the preview: `about 58 m`, or `4 task lengths` when the plan states no times. */
export function amount(value: number, unit: "ms" | "task"): string {
  if (unit === "ms") return `about ${duration(value)}`;
  return value === 1 ? "1 task length" : `${value} task lengths`;
}

/** `1.3x`. */
export function factor(value: number): string {
  return `${(Math.round(value * 10) / 10).toFixed(1)}x`;
}

export function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? "" : "s"}`;
}
