import type { GlobSegment, Segment } from "./segment.ts";

/**
 * A cheap look before the search: true only where no path can match both. Names are compared from the front and from
 * the back, up to the first "depth", by the characters at their ends.
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
  return (x.kind === "text" ? fitsText(y, x.text) : y.kind === "text" ? fitsText(x, y.text) : endsFit(x, y))
    ? "maybe"
    : "no";
}

/** With a wildcard between the ends of both, nothing else can keep them apart. */
function endsFit({ head, tail }: GlobSegment, other: GlobSegment): boolean {
  const front = Math.min(head.length, other.head.length);
  for (let i = 0; i < front; i += 1) if (!fits(head[i], other.head[i])) return false;
  const back = Math.min(tail.length, other.tail.length);
  for (let i = 1; i <= back; i += 1) if (!fits(tail.at(-i), other.tail.at(-i))) return false;
  return true;
}

function fitsText(segment: Exclude<Segment, { kind: "depth" }>, text: string): boolean {
  if (segment.kind === "text") return segment.text === text;
  if (/[\ud800-\udfff]/.test(text)) return true; // codes are counted otherwise there
  const { head, tail } = segment;
  if (text.length < Math.max(head.length, tail.length)) return false;
  const rest = text.length - tail.length;
  return (
    head.every((code, i) => fits(code, text.charCodeAt(i))) &&
    tail.every((code, i) => fits(code, text.charCodeAt(rest + i)))
  );
}

function fits(x: number | null | undefined, y: number | null | undefined): boolean {
  return x === y || x === null || y === null;
}
