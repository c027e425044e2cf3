/**
 * A whole number as Python's int() would take it, which is how parallel-orchestra reads numbers: of 2.9 the whole part, of a
 * text its digits, true is 1. Null for what is none.
 */
export function wholeOf(written: unknown): number | null {
  if (typeof written === "boolean") return Number(written);
  if (typeof written === "number") return Number.isFinite(written) ? Math.trunc(written) + 0 : null;
  if (typeof written !== "string" || !/^\s*[+-]?\d+(?:_\d+)*\s*$/.test(written)) return null;
  return Number(written.replaceAll("_", "")) + 0;
}
