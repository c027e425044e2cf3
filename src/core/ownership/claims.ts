import { type Overlap, overlap } from "./overlap.ts";
import type { Claim } from "./pattern.ts";

/** As for patterns, but claims on different symbols of one file do not meet. */
export function claimsOverlap(a: Claim, b: Claim): Overlap {
  return symbolsMeet(a.symbol, b.symbol) ? overlap(a.pattern, b.pattern) : { kind: "disjoint" };
}

/** Equal, one inside the other (`A` and `A.b`), or one of them the whole file (null). */
export function symbolsMeet(a: string | null, b: string | null): boolean {
  return a === null || b === null || a === b || isInside(a, b) || isInside(b, a);
}

/** Both tasks mean to add to it, so they may run together. */
export function areShared(a: Claim, b: Claim): boolean {
  return a.mode === "shared" && b.mode === "shared";
}

/** Without building texts: thousands of claims on one file are compared pair by pair. */
function isInside(inner: string, outer: string): boolean {
  return inner[outer.length] === "." && inner.startsWith(outer);
}
