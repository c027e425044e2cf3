const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 4, 6, 12, 24].map((n) => n * HOUR),
];

export type Tick = { readonly ms: number; readonly text: string };

/** A scale from nothing to a little more than the longest, with three to six round times on it. */
export function roundScale(longestMs: number): { readonly ticks: readonly Tick[]; readonly end: number } {
  const step = STEPS.find((ms) => longestMs / ms <= 5) ?? Math.ceil(longestMs / (5 * HOUR)) * HOUR;
  const last = Math.floor(longestMs / step);
  const ticks = Array.from({ length: last + 1 }, (_, n) => ({ ms: n * step, text: textOf(n * step, step) }));
  return { ticks, end: Math.max(longestMs, step) };
}

function textOf(ms: number, step: number): string {
  if (step < MINUTE) return `${ms / SECOND} s`;
  return step < HOUR ? `${ms / MINUTE} m` : `${ms / HOUR} h`;
}
