import fc from "fast-check";
import { expect, test } from "vitest";
import type { Language } from "./language.ts";
import { changedPieces, summedChanges } from "./piece-changes.ts";
import { differingPieces, piecesOf } from "./pieces.ts";
import { readSource } from "./read-source.ts";

/** Pieces that may stand in any order; `§` stands for a number that makes each another one. */
const PIECES: { readonly [L in "python" | "typescript" | "go"]: readonly string[] } = {
  python: [
    "import m§",
    "x§ = [1,\n    2]",
    "a§, b§ = f(x=1)",
    "# about f§\n@d\ndef f§(a, *b):\n    if a:\n        return b\n    # why\n    return {'k': a}",
    'class C§(B):\n    """Doc."""\n    y: int = 1\n    def m(self):\n        pass\n    class I:\n        z = 1',
    "if X§:\n    def g§(): ...\nelse:\n    g§ = None",
    "print(§)",
    "async def h§():\n    await z",
  ],
  typescript: [
    'import { a§ } from "./m";',
    "const x§ = [1, 2], y§ = { k: 1, l() { return 2; } };",
    "/** about f§ */\nexport async function f§(a: string): Promise<void> {\n  // why\n  await g(a);\n}",
    "@D()\nexport class C§<T> extends B {\n  y = 1;\n  @G() m(): void {}\n  static { z(); }\n}",
    "export interface I§ { a: string; b?(): void }",
    "enum E§ { A, B = 2 }",
    "namespace N§ { export const q = `a ${b} c`; }",
    "export { x§ as z§ };",
    "run(§);",
  ],
  go: [
    "// F§ is one.\nfunc F§(a int) int {\n\treturn a\n}",
    "func (t *T§) M() {}",
    'type T§ struct {\n\tA, B int `json:"a"` // why\n}',
    "type I§ interface {\n\tM(a int) error\n}",
    "const (\n\tX§ = 1\n\tY§ = 2 // two\n)",
    "var _ I§ = nil",
  ],
};
const FIRST = { python: "", typescript: "", go: "package a\n\n" } as const;

type Written = { readonly text: string; readonly gap: number };

const files = fc.constantFrom("python", "typescript", "go").chain((language) =>
  fc.record({
    language: fc.constant(language),
    pieces: fc
      .array(fc.constantFrom(...PIECES[language]), { minLength: 1, maxLength: 8 })
      .map((all) => all.map((piece, i) => piece.replaceAll("§", String(i)))),
    order: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
    gaps: fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 8, maxLength: 8 }),
    changed: fc.nat(),
  }),
);

const written = (language: keyof typeof FIRST, pieces: readonly Written[]) =>
  `${FIRST[language]}${pieces.map(({ text, gap }) => text + "\n".repeat(gap)).join("")}`;

/** What changed, by two ways that must agree: all pieces compared, and only those that are not written alike. */
async function changes(language: Language, before: string, after: string): Promise<string[]> {
  const [was, is] = [await readSource(language, before), await readSource(language, after)];
  try {
    expect([was.errors, is.errors]).toEqual([[], []]);
    const { before: old, after: now } = differingPieces(was.tree, is.tree);
    const all = summedChanges(changedPieces(piecesOf(was.tree), piecesOf(is.tree)));
    expect(summedChanges(changedPieces(old, now))).toEqual(all);
    return all.map(({ kind, path, what, line }) => `${line} ${kind} ${path} ${what}`);
  } finally {
    was.tree.free();
    is.tree.free();
  }
}

test("pieces in another order, with other gaps between them, are the same pieces", async () => {
  await fc.assert(
    fc.asyncProperty(files, async ({ language, pieces, order, gaps }) => {
      const before = pieces.map((text) => ({ text, gap: 2 }));
      const after = pieces
        .map((text, i) => ({ text, gap: gaps[i] as number, at: order[i] as number }))
        .sort((a, b) => a.at - b.at);
      expect(await changes(language, written(language, before), written(language, after))).toEqual([]);
    }),
    { numRuns: 80 },
  );
});

test("of pieces in another order exactly the one that says something else is changed", async () => {
  await fc.assert(
    fc.asyncProperty(files, async ({ language, pieces, order, changed }) => {
      const index = changed % pieces.length;
      const text = pieces[index] as string;
      const other = text.replaceAll("1", "77").replaceAll("why", "because").replace(/\ba\b/g, "aa");
      const before = pieces.map((one) => ({ text: one, gap: 2 }));
      const after = pieces
        .map((one, i) => ({ text: i === index ? other : one, gap: 3, at: order[i] as number }))
        .sort((a, b) => a.at - b.at);
      const alone = await changes(
        language,
        written(language, [{ text, gap: 2 }]),
        written(language, [{ text: other, gap: 2 }]),
      );
      const found = await changes(language, written(language, before), written(language, after));
      expect(withoutLines(found)).toEqual(withoutLines(alone));
    }),
    { numRuns: 80 },
  );
});

const withoutLines = (found: readonly string[]) => found.map((one) => one.replace(/^\d+ /, "")).sort();
