import { expect, test } from "vitest";
import { diagnostic } from "../../../test/support/diagnostic.ts";
import { repairPrompt, wholeCorrectionPrompt, wholeRepairPrompt } from "./repair-prompt.ts";

const at = { file: "design.json", start: { line: 3, col: 7 }, end: { line: 3, col: 9 } };
const errors = [
  diagnostic({ code: "created-twice", path: "tasks[1].scope", message: "twice", at, hint: "once" }),
];
const design = '{"tasks": [{"id": "task-001"}, {"id": "task-002"}]}';
const repair = { errors, again: false, said: design, design, hasDocument: true };

test("errors go back with places and task ids, and say when they are the same again", () => {
  const first = repairPrompt(repair);
  expect(first).toContain("- design.json:3:7: [created-twice] tasks[1] (task-002).scope: twice (once)\n");
  expect(first).not.toContain("the same errors as before");
  const whole = wholeRepairPrompt("All of it.\n", { ...repair, again: true });
  expect(whole).toMatch(
    /^All of it\.\n[\s\S]+<design>\n\{"tasks[\s\S]+<\/design>[\s\S]+the same errors as before/,
  );
});

test("a patch is asked for, and its keys are listed; of what no patch can change, the whole design", () => {
  expect(repairPrompt(repair)).toMatch(
    /Answer with a patch[\s\S]+- `remove_tasks` \(list of string\)[\s\S]+- `tasks` \(list of map\)/,
  );
  expect(repairPrompt(repair)).not.toContain("`component`");
  const whole = repairPrompt({ ...repair, design: null });
  expect(whole).toContain("Answer with the whole design");
  expect(whole).not.toContain("patch");
});

test("what is no JSON is quoted, from the document that it is in", () => {
  const syntax = (file: string) => [
    diagnostic({ code: "json-syntax", message: "no comma", at: { ...at, file }, hint: null }),
  ];
  const said = '{\n "a": 1,\n "b": 2,,\n}';
  expect(repairPrompt({ ...repair, errors: syntax("design.json"), said, design: null })).toContain(
    'no comma\n  the text there: "b": 2,,\n',
  );
  expect(repairPrompt({ ...repair, errors: syntax("patch.json"), said })).toContain(
    'the text there: "b": 2,,\n',
  );
});

test("an answer without a document is told to decide for itself", () => {
  const words = { ...repair, said: "Which database?", design: null, hasDocument: false };
  expect(wholeRepairPrompt("All of it.\n", words)).toMatch(
    /<answer>\nWhich database\?\n<\/answer>\n\nYour last message has no JSON document[\s\S]+whole design/,
  );
});

test("a correction is quoted with the design that it is about", () => {
  expect(wholeCorrectionPrompt("All of it.\n", design, " Merge 2 and 3.\n")).toMatch(
    /^All of it\.\n[\s\S]+<design>\n[\s\S]+<correction>\nMerge 2 and 3\.\n<\/correction>[\s\S]+Answer with a patch/,
  );
});
