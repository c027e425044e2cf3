import { type CharSet, codesOf, complement, fromRanges } from "./charset.ts";

/** Where the bracket expression that opens at `start` ends (exclusive), or null where "[" is an ordinary character. */
export function classEnd(text: string, start: number): number | null {
  let i = start + 1;
  if (text[i] === "!" || text[i] === "^") i += 1;
  // "]" right after the opening is a member, as in a shell.
  if (text[i] === "]") i += 1;
  for (; i < text.length && text[i] !== "/"; i += 1) if (text[i] === "]") return i + 1;
  return null;
}

/** The characters of `[abc]`, `[a-z]`, `[!a]` or `[^a]`. */
export function classSet(text: string): CharSet {
  const isNegated = text[1] === "!" || text[1] === "^";
  const codes = codesOf(text.slice(isNegated ? 2 : 1, -1));
  const ranges: [number, number][] = [];
  for (let i = 0; i < codes.length; i += 1) {
    const low = codes[i] as number;
    const high = codes[i + 2];
    if (codes[i + 1] === DASH && high !== undefined) {
      ranges.push([low, high]);
      i += 2;
    } else ranges.push([low, low]);
  }
  const set = fromRanges(ranges);
  return isNegated ? complement(set) : set;
}

const DASH = 0x2d;
