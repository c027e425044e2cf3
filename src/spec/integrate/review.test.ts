import { expect, test } from "vitest";
import { checkReview, quotable } from "./check-review.ts";
import { listReviewFindings } from "./review-findings.ts";
import { buildReviewPrompt } from "./review-prompt.ts";
import { buildReviewSchema, readReview, type SectionAnswer } from "./review-schema.ts";
import { listSectionsToReview } from "./review-sections.ts";

const SPEC = `---
tech_spec_id: TS-0042
---
# Stock

## 1. Architecture

Reservations live in **their own** table, which \`StockService\`
alone writes to. It's a “soft” lock.

## Data model

### Reservation

| field | type |
|---|---|
| sku | string |

\`\`\`md
## Not a heading
\`\`\`

## References

See the wiki.

## Empty

## API ##

- A reservation ends after 15 minutes.
`;

const names = (spec: string) =>
  listSectionsToReview(spec).map(({ name, isOwn }) => (isOwn ? name : `(${name})`));

test("sections are those of the spec that speak of the code, and what every spec is asked for", () => {
  expect(names(SPEC)).toEqual(["1. Architecture", "Data model", "API"]);
  expect(names("# A\n\n## Testing\n\nx\n")).toEqual(["Testing", "(Architecture)", "(Data model)", "(API)"]);
  expect(names("# A\n\nx\n\n# B\n\nx\n\n# a\n\ny")).toEqual([
    "A",
    "B",
    "(Architecture)",
    "(Data model)",
    "(API)",
  ]);
  expect(names("Just words.")[0]).toBe("The whole document");
});

const quotes: readonly [quoted: string, found: string | null][] = [
  ["Reservations live in their own table", "8: Reservations live in **their own** table"],
  ["which `StockService`  alone\nwrites to.", "8: which `StockService` alone writes to."],
  [`It's a "soft" lock.`, "9: It's a “soft” lock."],
  ["| sku | string |", "17: | sku | string |"],
  ["A reservation ends after 15 minutes", "31: A reservation ends after 15 minutes"],
  ["A reservation ends after 20 minutes", null],
  ["Reservations live … alone writes to.", null],
  ["a Reservation ends after", null],
  [" ", null],
];

test.each(quotes)("a sentence is found word for word: %s", (quoted, found) => {
  const quote = quotable(SPEC).find(quoted);
  expect(quote && `${quote.line}: ${quote.text}`).toBe(found);
});

const answer = (section: string, more: Partial<SectionAnswer> = {}): SectionAnswer => ({
  ...{ section, status: "met", text: "", places: [] },
  sentences: ["A reservation ends after 15 minutes."],
  ...more,
});
const against = { spec: SPEC, asked: listSectionsToReview(SPEC), lines: new Map([["app/stock.py", 12]]) };
const judged = (...answers: SectionAnswer[]) => checkReview(answers, against);
const [ARCHITECTURE, DATA, API] = [answer("architecture"), answer("Data Model"), answer("API")];

test("valid answers are kept in the order of the spec, with the line of each sentence", () => {
  const places = [{ file: "./app/stock.py", line: 12 }, { file: "app/stock.py" }];
  const deviates = answer("API", { status: "deviates", text: "It ends after an hour.", places });
  const { sections, problems } = judged(deviates, ARCHITECTURE, DATA);
  expect(problems).toEqual([]);
  expect(sections.map(({ section, status }) => `${section}: ${status}`)).toEqual([
    ...["1. Architecture: met", "Data model: met", "API: deviates"],
  ]);
  expect(sections[2]).toEqual({
    ...{ section: "API", status: "deviates", text: "It ends after an hour." },
    sentences: [{ text: "A reservation ends after 15 minutes.", line: 31 }],
    places: [
      { file: "app/stock.py", line: 12 },
      { file: "app/stock.py", line: null },
    ],
  });
  const sure = { agent: "x", model: null, costUsd: null, sections };
  expect(listReviewFindings(sure)).toMatchObject([
    {
      ...{ area: "tech-spec", code: "spec-deviates", weight: "should", about: "API" },
      ...{
        at: { file: "app/stock.py", line: 12 },
        message: "x found a deviation: It ends after an hour",
      },
    },
  ]);
});

test("sections that are unclear for one reason are one finding", () => {
  const section = (name: string) =>
    ({ section: name, status: "unclear", sentences: [], text: "no answer", places: [] }) as const;
  const told = (...names: string[]) =>
    listReviewFindings({ agent: "x", model: null, costUsd: null, sections: names.map(section) });
  expect(told("API", "Data").map(({ about, message }) => `${about}: ${message}`)).toEqual([
    "all 2 sections: x could not decide: no answer",
  ]);
  expect(told("API").map(({ about }) => about)).toEqual(["API"]);
});

const wrong: readonly [what: string, answer: Partial<SectionAnswer>, problem: RegExp][] = [
  [
    "a sentence that is not in the spec",
    { sentences: ["A reservation never ends."] },
    /"A reservation never ends\." is not in the tech spec/,
  ],
  ["a word", { sentences: ["reservation"] }, /is not a sentence/],
  ["a page", { sentences: [`${"word ".repeat(300)}`] }, /is longer than a sentence/],
  ["no sentence", { sentences: [] }, /`sentences` is empty/],
  [
    "a file that is not there",
    { places: [{ file: "app/gone.py", line: 1 }] },
    /file "app\/gone\.py" does not exist/,
  ],
  [
    "a line that is not there",
    { places: [{ file: "app/stock.py", line: 13 }] },
    /line 13 of app\/stock\.py does not exist: the file has 12/,
  ],
  ["the line before the first", { places: [{ file: "app/stock.py", line: 0 }] }, /line 0 of/],
  ["a deviation without words", { status: "deviates", text: " " }, /`text` is empty: explain the deviation/],
];

test.each(wrong)("invalid evidence is reported, and its section is unclear: %s", (_, more, problem) => {
  const { sections, problems } = judged(ARCHITECTURE, DATA, answer("API", more));
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^section "API": .*${problem.source}`))]);
  expect(sections.map(({ status }) => status)).toEqual(["met", "met", "unclear"]);
  expect(sections[2]?.text).toMatch(/^the agent answered (?:met|deviates).*, but its evidence is invalid: /);
  expect(sections[2]?.places).toEqual([]);
});

test("missing, repeated and unknown sections are reported", () => {
  const { sections, problems } = judged(ARCHITECTURE, API, API, answer("Prices"));
  expect(problems).toEqual([
    'unknown section "Prices"',
    'section "Data model": the section is missing',
    'section "API": answered more than once',
  ]);
  expect(sections.map(({ status }) => status)).toEqual(["met", "unclear", "met"]);
  const unsure = answer("API", { status: "unclear", sentences: [], text: "it needs a running service" });
  expect(judged(ARCHITECTURE, DATA, unsure)).toMatchObject({
    problems: [],
    sections: [{}, {}, { text: "it needs a running service" }],
  });
});

test("an answer is read by its form, which vendors take as it is", () => {
  expect(readReview('{"sections":[{"section":1}]}')).toMatchObject({
    problems: expect.arrayContaining([expect.stringMatching(/^sections\[0\]\.section: /)]),
  });
  expect(readReview("no")).toMatchObject({ problems: [expect.stringContaining("is not valid JSON")] });
  const schema = buildReviewSchema();
  expect(schema).toMatchObject({ type: "object", required: ["sections"], additionalProperties: false });
  expect(JSON.stringify(schema)).not.toContain("$schema");
  const spec = { id: "TS-0042", file: "spec.md", text: SPEC };
  const tasks = [{ task: "task-001", title: "Stock" }];
  const prompt = buildReviewPrompt({
    spec,
    tasks,
    asked: listSectionsToReview("# A\n\n## Testing\n\nx"),
    schema,
  });
  expect(prompt).toContain("- Testing\n- Architecture (omit");
  expect(prompt).toContain("- task-001: Stock\n");
  expect(prompt).toContain('`status` ("met" | "deviates" | "unclear")');
});
