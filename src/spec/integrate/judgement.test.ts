import { expect, test } from "vitest";
import { checkJudgement } from "./judgement-check.ts";
import { judgementFindings } from "./judgement-findings.ts";
import { judgementPrompt } from "./judgement-prompt.ts";
import { judgementJsonSchema, readJudgement, type SectionAnswer } from "./judgement-schema.ts";
import { sectionsToJudge } from "./judgement-sections.ts";
import { quotable } from "./judgement-sentences.ts";

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

const names = (spec: string) => sectionsToJudge(spec).map(({ name, isOwn }) => (isOwn ? name : `(${name})`));

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
  ...{ section, status: "met", says: "", places: [] },
  sentences: ["A reservation ends after 15 minutes."],
  ...more,
});
const against = { spec: SPEC, asked: sectionsToJudge(SPEC), lines: new Map([["app/stock.py", 12]]) };
const judged = (...answers: SectionAnswer[]) => checkJudgement(answers, against);
const [ARCHITECTURE, DATA, API] = [answer("architecture"), answer("Data Model"), answer("API")];

test("what holds is taken, in the order of the spec, with the line of each sentence", () => {
  const places = [{ file: "./app/stock.py", line: 12 }, { file: "app/stock.py" }];
  const deviates = answer("API", { status: "deviates", says: "It ends after an hour.", places });
  const { sections, problems } = judged(deviates, ARCHITECTURE, DATA);
  expect(problems).toEqual([]);
  expect(sections.map(({ section, status }) => `${section}: ${status}`)).toEqual([
    ...["1. Architecture: met", "Data model: met", "API: deviates"],
  ]);
  expect(sections[2]).toEqual({
    ...{ section: "API", status: "deviates", says: "It ends after an hour." },
    sentences: [{ text: "A reservation ends after 15 minutes.", line: 31 }],
    places: [
      { file: "app/stock.py", line: 12 },
      { file: "app/stock.py", line: null },
    ],
  });
  const sure = { agent: "x", model: null, costUsd: null, sections };
  expect(judgementFindings(sure)).toEqual([
    {
      ...{ area: "tech-spec", code: "spec-deviates", weight: "should", about: "API" },
      ...{
        at: { file: "app/stock.py", line: 12 },
        message: "x finds that it deviates: It ends after an hour",
      },
    },
  ]);
});

test("what cannot be told of any section for one reason is told once", () => {
  const section = (name: string) =>
    ({ section: name, status: "cannot-tell", sentences: [], says: "no answer", places: [] }) as const;
  const told = (...names: string[]) =>
    judgementFindings({ agent: "x", model: null, costUsd: null, sections: names.map(section) });
  expect(told("API", "Data").map(({ about, message }) => `${about}: ${message}`)).toEqual([
    "all 2 sections: x cannot tell: no answer",
  ]);
  expect(told("API").map(({ about }) => about)).toEqual(["API"]);
});

const wrong: readonly [what: string, answer: Partial<SectionAnswer>, problem: RegExp][] = [
  [
    "a sentence that nobody wrote",
    { sentences: ["A reservation never ends."] },
    /"A reservation never ends\." does not stand in the tech spec/,
  ],
  ["a word", { sentences: ["reservation"] }, /is no sentence/],
  ["a page", { sentences: [`${"word ".repeat(300)}`] }, /is more than a sentence/],
  ["no sentence", { sentences: [] }, /no sentence of the tech spec is named/],
  [
    "a file that is not there",
    { places: [{ file: "app/gone.py", line: 1 }] },
    /there is no file "app\/gone\.py"/,
  ],
  [
    "a line that is not there",
    { places: [{ file: "app/stock.py", line: 13 }] },
    /app\/stock\.py has no line 13: it has 12/,
  ],
  ["the line before the first", { places: [{ file: "app/stock.py", line: 0 }] }, /has no line 0/],
  ["a deviation without words", { status: "deviates", says: " " }, /what deviates is not said/],
];

test.each(wrong)("what does not hold is told, and its section cannot be told: %s", (_, more, problem) => {
  const { sections, problems } = judged(ARCHITECTURE, DATA, answer("API", more));
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^section "API": .*${problem.source}`))]);
  expect(sections.map(({ status }) => status)).toEqual(["met", "met", "cannot-tell"]);
  expect(sections[2]?.says).toMatch(/^the agent says that it (?:is met|deviates), which does not hold up: /);
  expect(sections[2]?.places).toEqual([]);
});

test("a section that is missing, answered twice or nobody's is told", () => {
  const { sections, problems } = judged(ARCHITECTURE, API, API, answer("Prices"));
  expect(problems).toEqual([
    '"Prices" is no section of the list',
    'section "Data model": it is missing',
    'section "API": it is answered more than once',
  ]);
  expect(sections.map(({ status }) => status)).toEqual(["met", "cannot-tell", "met"]);
  const unsure = answer("API", { status: "cannot-tell", sentences: [], says: "nobody runs it" });
  expect(judged(ARCHITECTURE, DATA, unsure)).toMatchObject({
    problems: [],
    sections: [{}, {}, { says: "nobody runs it" }],
  });
});

test("an answer is read by its form, which vendors take as it is", () => {
  expect(readJudgement('{"sections":[{"section":1}]}')).toMatchObject({
    problems: expect.arrayContaining([expect.stringMatching(/^sections\[0\]\.section: /)]),
  });
  expect(readJudgement("no")).toMatchObject({ problems: [expect.stringContaining("is no JSON document")] });
  const schema = judgementJsonSchema();
  expect(schema).toMatchObject({ type: "object", required: ["sections"], additionalProperties: false });
  expect(JSON.stringify(schema)).not.toContain("$schema");
  const spec = { id: "TS-0042", file: "spec.md", text: SPEC };
  const tasks = [{ task: "task-001", title: "Stock" }];
  const prompt = judgementPrompt({ spec, tasks, asked: sectionsToJudge("# A\n\n## Testing\n\nx"), schema });
  expect(prompt).toContain("- Testing\n- Architecture (leave it out");
  expect(prompt).toContain("- task-001: Stock\n");
  expect(prompt).toContain('`status` ("met" | "deviates" | "cannot-tell")');
});
