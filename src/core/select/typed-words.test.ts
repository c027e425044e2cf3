import { expect, test } from "vitest";
import { sentenceCase, typedWords } from "./typed-words.ts";

const marked = (sentence: string, names: readonly string[]) =>
  sentenceCase(typedWords(sentence, names))
    .map(({ text, isTyped }) => (isTyped ? `[${text}]` : text))
    .join("");

test.each([
  [
    "conflict with payments in src/bus.ts",
    ["payments", "src/bus.ts"],
    "Conflict with [payments] in [src/bus.ts]",
  ],
  ["test:tax, gate 1 of 2", ["test", "test:tax"], "[test:tax], gate 1 of 2"],
  ["needs tax, not taxes or pre-tax", ["tax"], "Needs [tax], not taxes or pre-tax"],
  ["", ["tax"], ""],
  ["nothing has a name", [""], "Nothing has a name"],
])("%s", (sentence, names, expected) => {
  expect(marked(sentence, names)).toBe(expected);
});
