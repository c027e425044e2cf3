import fc from "fast-check";
import picomatch from "picomatch";
import { expect, test } from "vitest";
import { matcher } from "./match.ts";
import { overlap } from "./overlap.ts";
import { parsePattern } from "./parse.ts";
import type { PathPattern } from "./pattern.ts";

// The oracle is picomatch on patterns without braces. Around it stand the rules that are plait's own: braces are the
// same as writing all alternatives, a literal covers what is below it, `dir/` and `dir/**` are strictly below `dir`,
// and a bracket expression also means its own text.

const NAMES = ["a", "b", "ab", "ba", ".a", "a.b", "[a]", "[ab]"];
const PATHS = NAMES.flatMap((x) => [
  x,
  ...NAMES.flatMap((y) => [`${x}/${y}`, ...NAMES.map((z) => `${x}/${y}/${z}`)]),
]);

function oracle(pattern: string): (path: string) => boolean {
  const tests = expand(pattern)
    .map((text) => text.replace(/\/+/g, "/"))
    .flatMap(readings)
    .map(single);
  return (path) => tests.some((covers) => covers(path));
}

function expand(pattern: string): string[] {
  const brace = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (!brace) return [pattern];
  const [head, tail] = [pattern.slice(0, brace.index), pattern.slice(brace.index + brace[0].length)];
  return (brace[1] as string).split(",").flatMap((middle) => expand(head + middle + tail));
}

/** Each bracket expression once as a class and once as its own text, which a private character stands for. */
function readings(pattern: string): string[] {
  const bracket = /\[[^\]]+\]/.exec(pattern);
  if (!bracket) return [pattern];
  const [head, tail] = [pattern.slice(0, bracket.index), pattern.slice(bracket.index + bracket[0].length)];
  const text = bracket[0].replace("[", "\ue000").replace("]", "\ue001");
  const set = bracket[0].replace("[", "\ue002").replace("]", "\ue003");
  return readings(tail).flatMap((rest) => [head + text + rest, head + set + rest]);
}

function single(reading: string): (path: string) => boolean {
  const plain = reading.replaceAll("\ue000", "[").replaceAll("\ue001", "]");
  if (!/[*?\ue002]|\/$/.test(reading)) return (path) => path === plain || path.startsWith(`${plain}/`);
  // Runs of stars inside a segment are one star; picomatch agrees, except for some of its short cuts.
  const calm = reading.split("/").map((name) => (name === "**" ? name : name.replace(/\*+/g, "*")));
  const closed = calm
    .join("/")
    .replace(/\/$/, "/**")
    .replace(/(^|\/)\*\*$/, "$1**/*");
  const glob = closed.replace(/[\ue000\ue001]/g, (c) => (c === "\ue000" ? "\\[" : "\\]"));
  const options = { dot: true, literalBrackets: false, posix: true, fastpaths: false };
  const regexp = picomatch.makeRe(glob.replaceAll("\ue002", "[").replaceAll("\ue003", "]"), options);
  return (path) => regexp.test(path);
}

const character = fc.constantFrom("a", "b", "a", "b", ".");
const piece = fc.oneof(
  { weight: 6, arbitrary: character },
  { weight: 3, arbitrary: fc.constant("*") },
  { weight: 1, arbitrary: fc.constant("?") },
  { weight: 1, arbitrary: fc.constantFrom("[a]", "[ab]", "[!a]", "[^b]", "[a-b]", "[!ab]", "[b-a]", "[.a]") },
  { weight: 1, arbitrary: fc.constantFrom("{a,b}", "{a,*}", "{a,{b,.}a}", "{,a}", "{?,ab,b/a}", "{a/,b}") },
  { weight: 1, arbitrary: fc.constantFrom("{x}", "**") },
);
const segment = fc.oneof(
  { weight: 6, arbitrary: fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join("")) },
  { weight: 2, arbitrary: fc.constant("**") },
  { weight: 2, arbitrary: fc.constantFrom("a", "b", "*", "{a,b}", "{**,a}", "{a/**,b}", "{*,a/b}") },
);
const pattern = fc
  .tuple(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.constantFrom("", "", "", "/"))
  .map(([segments, end]) => segments.join("/") + end)
  // "{x}" is plain text, which the oracle's search for innermost braces does not know.
  .map((text) => text.replaceAll("{x}", "x"))
  .filter(
    (text) =>
      parsePattern(text).ok && !expand(text).some((path) => /(^|\/)\.?(\/|$)/.test(path.replace(/\/$/, ""))),
  );

const parse = (text: string): PathPattern => {
  const result = parsePattern(text);
  if (!result.ok) throw new Error(`${text} ${result.problem}`);
  return result.pattern;
};

const RUNS = { numRuns: 700 };

test("a pattern matches exactly the paths that the oracle says", () => {
  fc.assert(
    fc.property(pattern, (text) => {
      const [covers, expected] = [matcher(parse(text)), oracle(text)];
      expect(PATHS.filter((path) => covers(path) !== expected(path))).toEqual([]);
    }),
    { numRuns: RUNS.numRuns / 2 },
  );
});

test("disjoint patterns share no path, overlapping ones share their witness, and order does not matter", () => {
  const seen = { disjoint: 0, overlap: 0, "may-overlap": 0 };
  fc.assert(
    fc.property(pattern, pattern, (a, b) => {
      const result = overlap(parse(a), parse(b));
      const [inA, inB] = [oracle(a), oracle(b)];
      const shared = PATHS.filter((path) => inA(path) && inB(path));
      seen[result.kind] += 1;
      if (result.kind === "disjoint") expect(shared).toEqual([]);
      if (result.kind === "overlap") expect([inA(result.witness), inB(result.witness)]).toEqual([true, true]);
      if (result.kind === "may-overlap") {
        expect(result.ifFolders.length).toBeGreaterThan(0);
        expect(shared.filter((path) => !result.ifFolders.some((top) => path.startsWith(`${top}/`)))).toEqual(
          [],
        );
      }
      expect(overlap(parse(b), parse(a)).kind).toBe(result.kind);
    }),
    RUNS,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(RUNS.numRuns / 50);
});

test("a pattern overlaps itself", () => {
  fc.assert(
    fc.property(pattern, (text) => {
      expect(overlap(parse(text), parse(text)).kind).toBe("overlap");
    }),
    RUNS,
  );
});
