import type { Fact } from "../../core/facts.ts";
import type { Noticed } from "../run/history.ts";
import type { TimeAxis } from "../run/time-axis.ts";

/** How much happened when, drawn for a width in pixels. */
export type Histogram = {
  readonly bars: readonly { readonly x: number; readonly height: number }[];
  /** Failures. */
  readonly pins: readonly { readonly x: number }[];
};

export const BAR = 7;
const [LEAST, MOST] = [3, 14];

export function histogram(
  facts: readonly Fact[],
  noticed: readonly Noticed[],
  axis: TimeAxis,
  width: number,
): Histogram {
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
