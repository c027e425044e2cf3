import type { Segment } from "./segment.ts";

/**
 * A cheap look before the search: true only where no path can match both. Names are compared from the front and from
 * the back, up to the first "depth", by the letters that stand before and after their wildcards.
 */
export function areApart(a: readonly Segment[], b: readonly Segment[]): boolean {
  const common = Math.min(a.length, b.length);
  for (let i = 0; i < common; i += 1) {
    const fit = namesFit(a[i] as Segment, b[i] as Segment);
    if (fit === "no") return true;
    if (fit === "depth") return areApartFromBehind(a, b);
  }
  return asksForMore(a, common) || asksForMore(b, common);
}

function areApartFromBehind(a: readonly Segment[], b: readonly Segment[]): boolean {
  const common = Math.min(a.length, b.length);
  for (let back = 1; back <= common; back += 1) {
    const fit = namesFit(a[a.length - back] as Segment, b[b.length - back] as Segment);
    if (fit === "no") return true;
    if (fit === "depth") return false;
  }
  return false;
}

/** The other list is at its end. */
function asksForMore(segments: readonly Segment[], from: number): boolean {
  for (let i = from; i < segments.length; i += 1) if ((segments[i] as Segment).kind !== "depth") return true;
  return false;
}

function namesFit(x: Segment, y: Segment): "maybe" | "no" | "depth" {
  if (x.kind === "depth" || y.kind === "depth") return "depth";
  if (x.kind === "text") return fitsText(y, x.text) ? "maybe" : "no";
  if (y.kind === "text") return fitsText(x, y.text) ? "maybe" : "no";
  const headsFit = x.head.startsWith(y.head) || y.head.startsWith(x.head);
  return headsFit && (x.tail.endsWith(y.tail) || y.tail.endsWith(x.tail)) ? "maybe" : "no";
}

function fitsText(segment: Exclude<Segment, { kind: "depth" }>, text: string): boolean {
  if (segment.kind === "text") return segment.text === text;
  return text.startsWith(segment.head) && text.endsWith(segment.tail);
}
