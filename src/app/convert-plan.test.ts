import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { defaultCaps, defaultLayers } from "../config/settings.ts";
import { convertPlan } from "./convert-plan.ts";
import { loadPlan, type WrittenPlan } from "./load-plan.ts";

const folder = mkdtempSync(join(tmpdir(), "plait-convert-"));
afterAll(() => rmSync(folder, { recursive: true }));

function put(name: string, text: string): string {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  return name;
}

const load = (path: string) =>
  loadPlan(path, { caps: defaultCaps, layers: defaultLayers(), cwd: folder, env: { HOME: "/home/user" } });

const plan = put(
  "plans/plan.yaml",
  "plait: 1\ncontext: rules.md\nfolder: ..\ntasks:\n  - id: a\n    prompt-file: prompts/a.md\n",
);
put("plans/rules.md", "Be kind.\n");
put("plans/prompts/a.md", "Do it.\n");

test("names of files start from the folder that the plan is written to, else from its own", async () => {
  const { written } = await load(plan);
  const namesIn = (text: string) => text.match(/\S*\.md\b|folder: \S+/g);
  expect(namesIn(await convertPlan(written as WrittenPlan, null))).toEqual([
    "folder: ..",
    "rules.md",
    "prompts/a.md",
  ]);
  for (const [to, names] of [
    ["native.yaml", ["folder: .", "plans/rules.md", "plans/prompts/a.md"]],
    ["other/native.yaml", ["folder: ..", "../plans/rules.md", "../plans/prompts/a.md"]],
  ] as const) {
    const text = await convertPlan(written as WrittenPlan, join(folder, to));
    expect(namesIn(text)).toEqual(names);
    const [first, second] = [await load(plan), await load(put(to, text))];
    expect(second.diagnostics).toEqual(first.diagnostics.map((one) => ({ ...one, at: expect.anything() })));
    expect(second.plan?.tasks.map(({ work }) => work.kind === "agent" && work.prompt.hash)).toEqual(
      first.plan?.tasks.map(({ work }) => work.kind === "agent" && work.prompt.hash),
    );
    expect(second.plan?.folder).toBe(folder);
  }
});

test.each([
  ["dispatch", "plan.md"],
  ["test-first", "plan.md"],
  ["inventory", "parallel/TS-0042-inventory"],
])("the plan of %s means the same when it is converted", async (name, path) => {
  const examples = fileURLToPath(new URL("../../examples", import.meta.url));
  cpSync(join(examples, name), join(folder, name), { recursive: true });
  const first = await load(join(name, path));
  expect(first.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const to = join(name, "native.yaml");
  put(to, await convertPlan(first.written as WrittenPlan, join(folder, to)));
  const second = await load(to);
  const placeless = ({ plan: loaded }: typeof first) =>
    JSON.parse(JSON.stringify({ ...loaded, source: null }, (key, value) => (key === "file" ? null : value)));
  expect(placeless(second)).toEqual(placeless(first));
});

test("a system prompt in a file is written into the plan", async () => {
  const { written } = await load(plan);
  const { draft, folder: from } = written as WrittenPlan;
  const at = draft.tasks[0]?.id.at as (typeof draft.tasks)[number]["id"]["at"];
  const systemPrompt = { value: { kind: "file", file: "rules.md" }, at } as const;
  const text = await convertPlan(
    { draft: { ...draft, defaults: { ...draft.defaults, systemPrompt } }, folder: from },
    null,
  );
  expect(text).toContain("system-prompt: | # plans/plan.yaml:5\n    Be kind.\n");
});
