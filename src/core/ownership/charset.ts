/**
 * Sets of characters (code points) as sorted, non-touching, inclusive bounds: [low, high, low, high, …].
 * A set never holds "/", because a path is cut there before characters are looked at.
 */
export type CharSet = readonly number[];

const SLASH = 0x2f;
const LAST = 0x10ffff;
export const DOT = 0x2e;

/** Every character of a path segment. */
export const ANY: CharSet = [0, SLASH - 1, SLASH + 1, LAST];

export function single(code: number): CharSet {
  return [code, code];
}

/** From ranges in any order; a range written backwards holds nothing. */
function fromRanges(ranges: readonly (readonly [number, number])[]): CharSet {
  const bounds: number[] = [];
  const sorted = ranges.filter(([low, high]) => low <= high).sort((a, b) => a[0] - b[0]);
  for (const [low, high] of sorted) {
    const last = bounds.at(-1);
    if (last !== undefined && low <= last + 1) bounds[bounds.length - 1] = Math.max(last, high);
    else bounds.push(low, high);
  }
  return intersect(bounds, ANY);
}

function complement(set: CharSet): CharSet {
  const bounds: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    if (next < lowOf(set, i)) bounds.push(next, lowOf(set, i) - 1);
    next = highOf(set, i) + 1;
  }
  if (next <= LAST) bounds.push(next, LAST);
  return intersect(bounds, ANY);
}

export function contains(set: CharSet, code: number): boolean {
  for (let i = 0; i < set.length; i += 2) {
    if (code <= highOf(set, i)) return code >= lowOf(set, i);
  }
  return false;
}

export function intersect(a: CharSet, b: CharSet): CharSet {
  if (a === b) return a;
  const bounds: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const low = Math.max(lowOf(a, i), lowOf(b, j));
    const high = Math.min(highOf(a, i), highOf(b, j));
    if (low <= high) bounds.push(low, high);
    if (highOf(a, i) < highOf(b, j)) i += 2;
    else j += 2;
  }
  return bounds;
}

const LIKED = codesOf("xabcdefghijklmnopqrstuvwyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-");
const FIRST_VISIBLE = 0x21;

/** The member that looks best in an example path, other than ".", or null where there is none. */
export function pick(set: CharSet): number | null {
  if (set.length === 2 && set[0] === set[1]) return set[0] === DOT ? null : lowOf(set, 0);
  if (set === ANY) return LIKED[0] as number;
  const liked = LIKED.find((code) => contains(set, code));
  if (liked !== undefined) return liked;
  const visible = intersect(set, VISIBLE);
  const rest = visible.length > 0 ? visible : intersect(set, NO_DOT);
  return rest[0] ?? null;
}

export function codesOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) as number);
}

const NO_DOT = complement(single(DOT));
const VISIBLE = intersect(NO_DOT, [FIRST_VISIBLE, LAST]);

function lowOf(set: CharSet, i: number): number {
  return set[i] as number;
}

function highOf(set: CharSet, i: number): number {
  return set[i + 1] as number;
}

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
