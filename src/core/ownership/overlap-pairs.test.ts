import fc from "fast-check";
import { expect, test } from "vitest";
import { type Overlap, overlap } from "./overlap.ts";
import { findOverlaps, type OverlapPair, searchOverlaps } from "./overlap-pairs.ts";
import { parsePattern } from "./parse.ts";
import { looksLikeFile, type PathPattern } from "./pattern.ts";

const patterns = (texts: readonly string[]) => texts as readonly PathPattern[];

const part = fc.constantFrom(
  "a",
  "b",
  "ab",
  "*",
  "a*",
  "*b",
  "[ab]",
  "{a,b}",
  "{a,a/b}",
  "**",
  "@(a)",
  "?",
  "a.ts",
);
const pattern = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom("", "", "/"))
  .map(([parts, end]) => parts.join("/") + end)
  .filter((text) => parsePattern(text).ok);

test("finds exactly the pairs that comparing all pairs finds", () => {
  let met = 0;
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 12 }), (texts) => {
      const list = patterns(texts);
      const { overlaps, complete } = findOverlaps(list);
      expect(complete).toBe(true);
      expect(kinds(overlaps)).toEqual(kinds(allPairs(list)));
      met += overlaps.length;
    }),
    { numRuns: 400 },
  );
  expect(met).toBeGreaterThan(400);
});

function allPairs(list: readonly PathPattern[]): OverlapPair[] {
  return list.flatMap((one, a) =>
    list.slice(a + 1).flatMap((other, i) => {
      const found = knowingFiles(overlap(one, other));
      return found.kind === "disjoint" ? [] : [{ a, b: a + 1 + i, overlap: found }];
    }),
  );
}

/** What looks like a file has nothing below it, each path by itself. */
function knowingFiles(found: Overlap): Overlap {
  if (found.kind !== "may-overlap" || found.ifFolders.length === 0) return found;
  const ifFolders = found.ifFolders.filter((path) => !looksLikeFile(path));
  return ifFolders.length === 0 ? { kind: "disjoint" } : { ...found, ifFolders };
}

/** Which witness is named may differ; that and how two patterns meet may not. */
function kinds(overlaps: readonly OverlapPair[]): string[] {
  return overlaps
    .map(({ a, b, overlap: { kind, ...rest } }) => {
      return `${a} ${b} ${kind} ${"ifFolders" in rest ? rest.ifFolders.toSorted().join() : ""}`;
    })
    .sort();
}

test("twenty thousand claims that keep apart are all compared", () => {
  const texts = Array.from({ length: 2000 }, (_, i) => [
    `src/mod${i}/**`,
    `src/mod${i}-more/a.ts`,
    `tests/mod${i}_*.py`,
    `docs/${i}.md`,
    `lib/{a,b}/${i}/`,
    `pkg${i}/`,
    `web/${i}/*.ts`,
    `api/${i}/**/*.ts`,
    `x/x${i}.{ts,js}`,
    `y/y${i}-[a-c].ts`,
  ]).flat();
  expect(findOverlaps(patterns(texts))).toEqual({ overlaps: [], complete: true });
});

test("when the work runs out it is said, and what was found stays", () => {
  const texts = Array.from({ length: 50 }, (_, i) => `**/a${i}*`);
  expect(findOverlaps(patterns(texts), { left: 100 })).toMatchObject({ complete: false });
  expect(findOverlaps(patterns(["a", "a/b"]), { left: 100 })).toMatchObject({
    complete: true,
    overlaps: [{ a: 0, b: 1 }],
  });
});

test("braces without end are given up one by one, not expanded", () => {
  const texts = Array.from({ length: 2000 }, (_, i) => `p${i}/{1..250}`);
  const { overlaps } = findOverlaps(patterns([...texts, "p1999/7"]));
  expect(overlaps).toEqual([
    {
      a: 1999,
      b: 2000,
      overlap: {
        kind: "may-overlap",
        why: "`p1999/{1..250}` comes after too many braces in this plan",
        ifFolders: [],
      },
    },
  ]);
});

test("paths are compared with paths even when there is no work left, and whoever has enough ends it", () => {
  const seen: string[] = [];
  const list = patterns(["a", "a/b", "a/b/c", "a/*", "x*", "x/"]);
  const search = (most: number) => {
    seen.length = 0;
    return searchOverlaps({
      patterns: list,
      matters: (a, b) => a !== 0 || b !== 2,
      visit: ({ a, b }) => seen.push(`${list[a]} ${list[b]}`) < most,
      work: { left: 0 },
    });
  };
  expect(search(9)).toEqual({ pairs: 4, glob: "a/*" });
  expect(seen).toEqual(["a a/b", "a/b a/b/c"]);
  expect(search(1)).toEqual({ pairs: 0, glob: null });
  expect(seen).toEqual(["a a/b"]);
});
