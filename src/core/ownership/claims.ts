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

/** Without building texts: thousands of claims on one file are compared pair by pair. */
function isInside(inner: string, outer: string): boolean {
  return inner[outer.length] === "." && inner.startsWith(outer);
}

/** A name that no folder is likely to have: it has an ending, or is one of the customs (Makefile, LICENSE). */
export function looksLikeFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /[^.]\.[A-Za-z0-9_]+$/.test(name) || /^[A-Z]{2,}$/.test(name) || /[a-z]file$/.test(name);
}

/** What is left of an answer when paths that look like files are taken for files: those have nothing below them. */
export function takingFilesForFiles(found: Overlap): Overlap {
  if (found.kind !== "may-overlap" || found.ifFolders.length === 0) return found;
  return found.ifFolders.every(looksLikeFile) ? { kind: "disjoint" } : found;
}
