import { describe, expect, test } from "vitest";
import { defaultCaps } from "../../config/settings.ts";
import { newTechSpecText } from "./new-text.ts";
import { draftWarning, readTechSpec } from "./tech-spec.ts";

const read = (text: string) => readTechSpec({ file: "spec.md", text }, defaultCaps);
const front = (...lines: string[]) => `---\n${lines.join("\n")}\n---\n# TS-0007: From the heading\n`;

test("a new tech spec reads back as what it was told, whatever the title is", () => {
  const titles = [
    "Inventory service",
    "a: b # c",
    "- x",
    '"quoted" \\',
    "null",
    "42",
    "2026-01-15",
    "在庫",
    "@x",
    "é\u0085",
  ];
  for (const title of titles) {
    const told = { decisionRef: "RFC-0001", author: "O'Neil: x", relatedPrd: null };
    const text = newTechSpecText({ id: "TS-0042", title, ...told, today: "2026-01-15" });
    const { spec, diagnostics } = read(text);
    expect([title, diagnostics]).toEqual([title, []]);
    expect(spec).toMatchObject({
      ...{ id: "TS-0042", title, status: "draft", ...told },
      ...{ created: "2026-01-15", lastUpdated: "2026-01-15", statusAt: { start: { line: 4, col: 9 } } },
    });
    expect(spec?.body).toMatch(/^\n# TS-0042: /);
  }
});

test("keys of others, comments, CRLF and any case of a status are taken as they come", () => {
  const { spec, diagnostics } = read(
    "---\r\nreviewers: [a, b] # who\r\ntech_spec_id: TS-0042\r\nstatus: Approved # yes\r\nauthor: 7\r\n---\r\n# TS-0042 - Shop\r\n",
  );
  expect(diagnostics).toEqual([]);
  expect(spec).toMatchObject({ title: "Shop", status: "approved", author: "7", created: null });
});

describe("a file that cannot be used tells where and why", () => {
  test.each<[string, string, RegExp]>([
    ["no front matter", "# Title\n", /^1:1 front-matter .*must start with front matter/],
    ["an empty file", "", /^1:1 front-matter/],
    ["something above it", "\n---\ntech_spec_id: TS-0001\n---\n", /^1:1 front-matter/],
    ["never closed", "---\ntech_spec_id: TS-0001\n", /^1:1 front-matter .*not closed/],
    ["nothing in it", "---\n---\n", /^1:1 front-matter .*must start with front matter/],
    ["a list", front("- a"), /^1:1 front-matter/],
    ["broken YAML", front("tech_spec_id: [TS-0001", "status: DRAFT"), /^\d+:\d+ yaml-\S+ /],
    ["no id", front("status: DRAFT"), /^1:1 tech-spec-id .*no tech_spec_id/],
    [
      "a misspelt id",
      front("techspec_id: TS-0001", "status: DRAFT"),
      /^1:1 tech-spec-id .*rename `techspec_id` to `tech_spec_id`/,
    ],
    [
      "another form of id",
      front("tech_spec_id: ts-7", "status: DRAFT"),
      /^2:15 tech-spec-id .*set `tech_spec_id: TS-0007`/,
    ],
    [
      "a number as id",
      front("tech_spec_id: 42", "status: DRAFT"),
      /^2:15 tech-spec-id .*set `tech_spec_id: TS-0042`/,
    ],
    ["no status", front("tech_spec_id: TS-0007"), /^1:1 tech-spec-status/],
    [
      "a status of nobody",
      front("tech_spec_id: TS-0007", "status: Aproved"),
      /^3:9 tech-spec-status .*mean `APPROVED`/,
    ],
    [
      "a list as title",
      front("tech_spec_id: TS-0007", "status: DRAFT", "title: [a]"),
      /^4:8 wrong-type title/,
    ],
    ["a key twice", front("tech_spec_id: TS-0007", "status: DRAFT", "status: DRAFT"), /^4:1 duplicate-key/],
  ])("%s", (_, text, says) => {
    const { spec, diagnostics } = read(text);
    expect(spec).toBe(null);
    const [first] = diagnostics;
    const { line = 0, col = 0 } = first?.at?.start ?? {};
    expect(`${line}:${col} ${first?.code} ${first?.message} (${first?.hint})`).toMatch(says);
  });

  test("and still says its id and title, so that it can be found", () => {
    const { said } = read(front("tech_spec_id: TS-0007", "status: what"));
    expect([said.id?.value, said.title]).toEqual(["TS-0007", "From the heading"]);
  });
});

test("only a draft is warned of", () => {
  const of = (status: string) => read(front("tech_spec_id: TS-0007", `status: ${status}`)).spec;
  const [draft, approved] = [of("DRAFT"), of("APPROVED")];
  expect(draft && draftWarning(draft)).toMatchObject({
    severity: "warning",
    at: { start: { line: 3, col: 9 } },
  });
  expect(approved && draftWarning(approved)).toBe(null);
});
