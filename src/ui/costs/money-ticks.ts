const MOST_TICKS = 5;

/** Round amounts from 0 on, at most five. */
export function moneyTicks(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most / MOST_TICKS));
  const step = [1, 2, 5, 10].map((by) => by * power).find((by) => most / by < MOST_TICKS) ?? power * 10;
  const count = Math.floor(most / step) + 1;
  return Array.from({ length: count }, (_, n) => Math.round(n * step * 100) / 100);
}
