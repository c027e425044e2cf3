// Every finding as it is worded for typical values: short, lower case, and with something to type.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { allCodes } from "../../src/app/codes.ts";
import { type Catalog, createFindingBuilder } from "../../src/core/catalog.ts";
import { planCatalogs, planSamples } from "./plan-samples.ts";
import { specCatalogs, specSamples } from "./spec-samples.ts";

const catalog = { ...planCatalogs, ...specCatalogs };
const samples = { ...planSamples, ...specSamples };

const build = createFindingBuilder(catalog) as (
  code: string,
  params: unknown,
  at: null,
) => {
  readonly message: string;
  readonly hint: string | null;
};
const worded = Object.entries(samples).flatMap(([code, sets]) =>
  sets.map((params) => ({ code, ...build(code, params, null) })),
);

describe("a message", () => {
  test("is one short clause that names its subject", () => {
    expect(worded.length).toBeGreaterThan(220);
    expect(
      worded.filter(({ message }) => message.length > 100).map(({ code, message }) => [code, message]),
    ).toEqual([]);
    expect(worded.filter(({ message }) => /^[A-Z](?![A-Z])(?!S-)|\.$/.test(message))).toEqual([]);
    expect(worded.filter(({ message }) => /^(?:it|that|what|there)\b/.test(message))).toEqual([]);
  });
});

/** Typed by the reader: a key, an example, a flag, a command. */
const TYPED = /`[^`]+`|--?[a-z]|\bplait \w|\bgit \w|```|: [\w./{}-]+(?:, [\w-]+)*$/;
/** Hints that point at other findings or at a file. */
const WITHOUT = [
  "more-findings",
  "two-plans",
  "file-outside",
  "not-a-file",
  "file-missing",
  "requirement-unknown",
  "duplicate-limit",
  "program-missing",
];
const QUESTION = /^did you mean /;
const VERBS =
  /^(?:(?:in|from) `[^`]+`, )?(?:add|align|answer|approve|change|check|choose|close|commit|convert|copy|correct|create|delete|describe|end|escape|exclude|fix|generate|give|if `[^`]+` is a folder, end|install|keep|let|limit|list|lower|make|mark|merge|move|name|narrow|pass|pin|print|put|quote|raise|redraw|regenerate|remove|rename|replace|run|save|see|separate|set|spell|split|start|to use|use|widen|write)\b/;

describe("a hint", () => {
  test("is given for every error and warning", () => {
    // Of these the message says what the value must be.
    const values = ["wrong-type", "bad-value"];
    const isNote = (code: string) => (catalog as Catalog)[code]?.severity === "note";
    expect(
      worded.filter(({ code, hint }) => hint === null && !isNote(code) && !values.includes(code)),
    ).toEqual([]);
  });

  const hints = worded.flatMap(({ code, hint }) =>
    hint === null || QUESTION.test(hint) ? [] : [[code, hint] as const],
  );

  test("is an imperative", () => {
    expect(hints.filter(([, hint]) => !VERBS.test(hint))).toEqual([]);
  });

  test("has something to type", () => {
    expect(hints.filter(([code, hint]) => !WITHOUT.includes(code) && !TYPED.test(hint))).toEqual([]);
  });
});

test("a title has at most eight words, an explanation at most four sentences", () => {
  const own = Object.entries(catalog);
  expect(own.filter(([, { title }]) => title.split(" ").length > 8 || /\.$/.test(title))).toEqual([]);
  const sentences = (text: string) => text.match(/[.?](?:\s|$)/g)?.length ?? 0;
  expect(own.filter(([, { explanation }]) => sentences(explanation) > 4).map(([code]) => code)).toEqual([]);
});

/** Codes that no test names; each is here until one does. */
const UNNAMED: readonly string[] = [
  ...["contract-absent", "requirement-unclear", "spec-unclear", "technology-differs"],
  ...["program-missing", "tech-spec-draft", "tech-spec-too-large"],
];

test("every code is named by a test", () => {
  const root = new URL("../..", import.meta.url).pathname;
  const files = [...listTests(join(root, "src")), ...listTests(join(root, "test"))];
  const text = files.map((file) => readFileSync(file, "utf8")).join("\n");
  const unnamed = allCodes.map(({ code }) => code).filter((code) => !text.includes(code));
  expect(unnamed.toSorted()).toEqual(UNNAMED.toSorted());
});

/** Tests and what they compare with; not the samples of this folder. */
function listTests(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (one) => one.isFile() && (/\.test\.ts$/.test(one.name) || /\.(?:txt|snap|expected)$/.test(one.name)),
    )
    .map((one) => join(one.parentPath, one.name))
    .filter((file) => !file.includes("/test/findings/"));
}
