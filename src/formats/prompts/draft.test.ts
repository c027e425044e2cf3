import { expect, test } from "vitest";
import { draftOfPrompts, type Prompt } from "./draft.ts";

const typed = (text: string): Prompt => ({ flag: "--prompt", source: { kind: "inline", text } });
const named = (file: string): Prompt => ({ flag: "--prompt-file", source: { kind: "file", file } });

const idsOf = (...prompts: Prompt[]) =>
  draftOfPrompts({ prompts, gates: [] }).tasks.map(({ id }) => id.value);

test.each([
  ["Fix the login bug", "fix-login-bug"],
  ["Don't break A/B tests in src/auth.ts, please", "dont-break-b-tests-in"],
  ["Überprüfe die Preise", "uberprufe-die-preise"],
  ["  \n\n Second line first", "second-line-first"],
  ["- a list\n- of things", "list"],
  ["日本語で", "task-1"],
  ["internationalisationalisationalisation", "internationalisationalisationali"],
  ["one twothreefourfivesixseveneight nine", "one-twothreefourfivesixseveneight".slice(0, 3)],
])("%j is the task %s", (text, id) => {
  expect(idsOf(typed(text))).toEqual([id]);
});

test("prompts that begin alike are numbered, and files give their name", () => {
  expect(idsOf(typed("Do it"), typed("Do it!"), named("prompts/do-it.md"), named(".env"))).toEqual([
    "do-it",
    "do-it-2",
    "do-it-3",
    "env",
  ]);
});

test("a title is the first line, as long as a title may be", () => {
  const { tasks } = draftOfPrompts({ prompts: [typed(`\n${"x".repeat(300)}\nmore`)], gates: [] });
  expect(tasks[0]?.title).toBe(`${"x".repeat(199)}…`);
});

test("places are the flags", () => {
  const { tasks, gates } = draftOfPrompts({ prompts: [typed("a b")], gates: ["npm test", "npm run lint"] });
  expect(tasks[0]?.id.at).toMatchObject({ file: "--prompt", start: { line: 0 } });
  expect(gates.map(({ at }) => at.file)).toEqual(["--gate 1", "--gate 2"]);
});
