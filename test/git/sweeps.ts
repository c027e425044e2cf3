// Sweeps: the same test at every moment at which something can go wrong. All of them with PLAIT_FULL_SWEEPS=1 (`npm run
// soak`), else a few: each moment costs a repository and some dozen calls of git.

const { PLAIT_FULL_SWEEPS } = process.env;
export const isFullSweep = PLAIT_FULL_SWEEPS === "1";

/** All moments, or as many as `few`, spread over all of them, the first and the last included. */
export function moments(first: number, last: number, few: number): number[] {
  const all = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  if (isFullSweep || all.length <= few) return all;
  const step = (all.length - 1) / (few - 1);
  return Array.from({ length: few }, (_, i) => first + Math.round(i * step));
}

/** The limit of a test with a sweep in it. */
export const SWEEP_MS = 300_000;
