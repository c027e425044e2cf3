import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultLayers } from "../../src/config/settings.ts";
import { analyze } from "../../src/core/analyze/analyze.ts";
import { textHash } from "../../src/core/ids.ts";
import type { SourceRange } from "../../src/core/source.ts";
import { examples } from "./examples.ts";
import { readAsPlan, show } from "./read-as-plan.ts";

/** Whatever happens to a plan file, it becomes a plan or is refused with errors that point into it; nothing throws. */

type Mutation = { readonly kind: string; readonly at: number; readonly to: number };

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("flip", "cut", "drop", "swap lines", "repeat line", "insert", "indent"),
  at: fc.nat(),
  to: fc.nat(),
});

const someText = { hash: textHash("0".repeat(64)), bytes: 1, file: null };
const context = { layers: defaultLayers(), text: () => someText, sourceHash: someText.hash };

/** Characters that mean something in YAML or JSON, and a few that mean nothing anywhere. */
const signs = [
  "\t",
  "\n",
  " ",
  ":",
  "- ",
  "[",
  "]",
  "{",
  "}",
  "*",
  "&a ",
  "!",
  "|",
  ">",
  "'",
  '"',
  "#",
  ",",
  "?",
  "---\n",
  "\\",
  "%",
  "@",
  "\0",
  "\u2028",
  "é",
  "😀",
  "<<: ",
];

function mutate(text: string, { kind, at, to }: Mutation): string {
  const i = at % (text.length + 1);
  const lines = text.split("\n");
  const a = at % lines.length;
  const b = to % lines.length;
  switch (kind) {
    case "flip":
      return (
        text.slice(0, i) +
        String.fromCharCode((text.charCodeAt(i) || 32) ^ (1 << (to % 7))) +
        text.slice(i + 1)
      );
    case "cut":
      return text.slice(0, i);
    case "drop":
      return text.slice(0, i) + text.slice(i + 1 + (to % 40));
    case "insert":
      return text.slice(0, i) + signs[to % signs.length] + text.slice(i);
    case "indent":
      return lines.map((line, n) => (n === a ? " ".repeat(to % 7) + line.trimStart() : line)).join("\n");
    case "repeat line":
      return lines.flatMap((line, n) => (n === a ? [line, line] : [line])).join("\n");
    default:
      return lines.map((line, n) => (n === a ? lines[b] : n === b ? lines[a] : line)).join("\n");
  }
}

function isInside({ file, start, end }: SourceRange, name: string, lines: readonly string[]): boolean {
  const isPlace = ({ line, col }: { line: number; col: number }) =>
    Number.isInteger(line) &&
    line >= 1 &&
    line <= lines.length &&
    Number.isInteger(col) &&
    col >= 1 &&
    col <= (lines[line - 1] as string).length + 1;
  return (
    file === name &&
    isPlace(start) &&
    isPlace(end) &&
    (start.line < end.line || (start.line === end.line && start.col <= end.col))
  );
}

describe("a damaged plan", () => {
  test("there are plans to damage", () => expect(examples.length).toBeGreaterThanOrEqual(4));

  test.each(examples)("$name gives a plan, or errors with places inside it", async ({ name, text }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
        const damaged = mutations.reduce(mutate, text);
        const lines = damaged.split("\n");
        const { draft, diagnostics: ofFormat } = await readAsPlan(name, damaged);
        const analysis = draft && analyze(draft, context);
        const diagnostics = [...ofFormat, ...(analysis?.diagnostics ?? [])];
        const misplaced = diagnostics
          .filter(
            ({ at, related }) =>
              !(at && [at, ...related.map((one) => one.at)].every((range) => isInside(range, name, lines))),
          )
          .map(show);
        expect(misplaced).toEqual([]);
        expect(
          (analysis?.plan ?? null) !== null || diagnostics.some(({ severity }) => severity === "error"),
        ).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});
