import { expect, test } from "vitest";
import { draftJsonSchema, readDraft } from "./draft-answer.ts";
import { draftCorrection, draftPrompt, withDraft } from "./draft-prompt.ts";
import { listSections, newTechSpecText, PLACEHOLDER } from "./new-text.ts";
import { readTechSpec } from "./tech-spec.ts";

const body = listSections()
  .map(({ name }) => `## ${name}\n\nText.`)
  .join("\n\n");
const answer = (draft: object) => `Here it is:\n\`\`\`json\n${JSON.stringify(draft)}\n\`\`\``;

test("a draft is read from among other words, without what plait writes itself", () => {
  const head = "---\ntech_spec_id: TS-0001\n---\n# TS-0001: Reports\n\n";
  const read = readDraft(answer({ title: "TS-0001: Stock\nreports", body: head + body }));
  expect(read).toEqual({ ok: true, draft: { title: "Stock reports", body } });
});

test("a draft without a section, with a placeholder or without a document says what is wrong", () => {
  const short = body.replace("## API", "### API").replace("Text.", PLACEHOLDER);
  expect(readDraft(answer({ title: " ", body: short }))).toEqual({
    ok: false,
    problems: ["`title` is empty", "the section `## API` is missing", `it still contains ${PLACEHOLDER}`],
  });
  expect(readDraft("I would rather not.")).toMatchObject({
    ok: false,
    problems: [expect.stringMatching(/no JSON/)],
  });
  expect(readDraft(answer({ body }))).toMatchObject({ ok: false });
});

test("the sections of a new tech spec are those that are asked for, and one that is drafted can be read", () => {
  const source = { kind: "sentence", text: "Low-stock reports" } as const;
  const prompt = draftPrompt({ source, technology: "python", files: ["app/main.py"] });
  for (const { name } of listSections()) expect(prompt).toContain(`### ${name}\n`);
  for (const text of ["<request>\nLow-stock reports\n", "- app/main.py", "built with python"])
    expect(prompt).toContain(text);
  expect(prompt).not.toContain(PLACEHOLDER);
  expect(draftJsonSchema()).toMatchObject({ required: ["title", "body"] });
  const whole = withDraft(prompt, body, draftCorrection("drop the API"));
  expect(whole.indexOf("<draft>")).toBeLessThan(whole.indexOf("<correction>\ndrop the API\n"));
  const refs = { decisionRef: null, author: null, relatedPrd: null, today: "2026-01-15" };
  const source2 = "Reports: of low stock";
  const text = newTechSpecText({ ...refs, id: "TS-0001", title: "Reports", source: source2, body });
  const caps = { maxPlanBytes: 1e6, maxDepth: 32, maxTasks: 10, maxPromptBytes: 1e6 };
  const { spec, diagnostics } = readTechSpec({ file: "x.md", text }, caps);
  expect([spec?.source, spec?.body, diagnostics]).toEqual([source2, `\n# TS-0001: Reports\n\n${body}\n`, []]);
});
