import { expect, test } from "vitest";
import { diagnostic } from "../../../test/support/diagnostic.ts";
import { at } from "../../../test/support/drafts.ts";
import type { Severity } from "../source.ts";
import { bounded, joined } from "./findings.ts";

const many = (code: string, count: number, severity: Severity = "error") =>
  Array.from({ length: count }, (_, i) => diagnostic({ code, severity, message: `${i}`, at: at(i + 1) }));

test("few findings are all shown, as they came", () => {
  const few = [...many("a", 3, "note"), ...many("b", 200)];
  expect(bounded(few)).toEqual({ shown: few, unlisted: new Map() });
});

test("of each code the first 200 are shown, and the others are counted with those of before", () => {
  const { shown, unlisted } = bounded([...many("a", 300), ...many("b", 5)], new Map([["a", 1000]]));
  expect(shown).toEqual([...many("a", 200), ...many("b", 5)]);
  expect(unlisted).toEqual(new Map([["a", 1100]]));
});

test("of all together 500 are shown, the grave ones first", () => {
  const all = [...many("w", 150, "warning"), ...many("a", 200), ...many("b", 200), ...many("n", 10, "note")];
  const { shown, unlisted } = bounded(all);
  expect(shown).toEqual([...many("w", 100, "warning"), ...many("a", 200), ...many("b", 200)]);
  expect(unlisted).toEqual(
    new Map([
      ["w", 50],
      ["n", 10],
    ]),
  );
});

test("what was left out in two places is added up", () => {
  expect(
    joined(
      new Map([["a", 1]]),
      new Map([
        ["a", 2],
        ["b", 3],
      ]),
    ),
  ).toEqual(
    new Map([
      ["a", 3],
      ["b", 3],
    ]),
  );
});
