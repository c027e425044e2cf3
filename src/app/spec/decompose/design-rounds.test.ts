import { describe, expect, test } from "vitest";
import { caps } from "../../../../test/formats/caps.ts";
import { sampleDesign, sampleFiles, sampleTask } from "../../../../test/support/designs.ts";
import { agentsOfFiles } from "../../../spec/known-agents.ts";
import type { Ask, Question } from "../../ask/asking.ts";
import { checkedDesign } from "./check-design.ts";
import { correctDesign, designRounds, type Rounds } from "./design-rounds.ts";
import type { Decomposition } from "./prepare.ts";

const project = { mapping: new Map(), own: [] };
const decomposition: Decomposition = {
  root: "/nowhere",
  repository: null,
  techSpecId: "TS-0042",
  name: "shop",
  spec: { file: "spec.md", path: "spec.md", text: "# Shop\n" },
  prd: null,
  requirements: null,
  technology: null,
  guessed: "python",
  folder: "/nowhere/parallel/x",
  shownFolder: "parallel/x",
  agents: agentsOfFiles(project),
  project,
  files: sampleFiles,
};

const check = (text: string) =>
  checkedDesign({ env: {} }, { file: "design.json", text }, { decomposition, caps, isAsked: false });

const rounds: Rounds = { most: 2, caps, check, onRound: () => undefined };

/** Answers one after another, and what was asked for each. */
function architect(...answers: readonly unknown[]): { readonly ask: Ask; readonly asked: Question[] } {
  const asked: Question[] = [];
  const ask: Ask = async (question) => {
    const answer = answers[asked.length];
    asked.push(question);
    return { ok: true, text: typeof answer === "string" ? answer : JSON.stringify(answer) };
  };
  return { ask, asked };
}

const overlapping = sampleTask(2, { scope: sampleTask(1).scope });
const bad = { ...sampleDesign, tasks: [sampleTask(1), overlapping] };
const patch = { tasks: [sampleTask(2)], remove_tasks: [], context_summary: null };

describe("a design with errors", () => {
  test("is repaired by a patch, which has a form of its own, and the patched design is checked", async () => {
    const { ask, asked } = architect(bad, patch);
    const outcome = await designRounds(decomposition, ask, rounds);
    expect(outcome).toMatchObject({ rounds: 2, errors: [], failure: null, words: null });
    expect(JSON.parse(outcome.checked?.text ?? "")).toEqual({
      ...bad,
      tasks: [sampleTask(1), sampleTask(2)],
    });
    expect(asked[0]?.schema).toBeUndefined();
    expect(asked[1]?.schema).toMatchObject({ properties: { remove_tasks: { type: "array" } } });
    expect(asked[1]?.more).toContain("tasks[1] (task-002)");
    expect(asked[1]?.prompt).toContain('"id": "task-002"');
  });

  test("may also be answered by the whole design again", async () => {
    const outcome = await designRounds(decomposition, architect(bad, sampleDesign).ask, rounds);
    expect(JSON.parse(outcome.checked?.text ?? "")).toEqual(sampleDesign);
    expect(outcome.errors).toEqual([]);
  });

  test("stays, and keeps its errors, when the patch cannot be applied", async () => {
    const { ask, asked } = architect(bad, { tasks: [], remove_tasks: ["task-009"] }, '{"tasks": [', patch);
    const outcome = await designRounds(decomposition, ask, { ...rounds, most: 3 });
    expect(asked[2]?.more).toMatch(/\[design-patch\] remove_tasks\[0\][\s\S]+\[created-twice\] tasks\[1\]/);
    expect(asked[3]?.more).toMatch(/incomplete JSON[\s\S]+\[created-twice\] tasks\[1\]/);
    expect(outcome).toMatchObject({ rounds: 4, errors: [] });
    const ended = await designRounds(decomposition, architect(bad, { tasks: [] }).ask, {
      ...rounds,
      most: 1,
    });
    expect(ended.errors.map(({ code }) => code)).toEqual(["design-patch", "created-twice"]);
    expect(ended.checked?.errors.map(({ code }) => code)).toEqual(["created-twice"]);
  });

  test("is asked for whole where no task could be found by its id", async () => {
    const { ask, asked } = architect({ ...bad, tasks: [sampleTask(1), sampleTask(1)] }, sampleDesign);
    expect(await designRounds(decomposition, ask, rounds)).toMatchObject({ rounds: 2, errors: [] });
    expect(asked[1]?.schema).toBeUndefined();
    expect(asked[1]?.more).toContain("Answer with the whole design");
  });
});

describe("a person's correction", () => {
  const merged = {
    tasks: [sampleTask(1), { id: "task-003", deps: ["task-001"], scope: { ...sampleTask(3).scope } }],
    remove_tasks: ["task-002"],
  };

  test("is a patch of the design that holds, asked for in the same conversation", async () => {
    const { ask, asked } = architect({ ...merged, tasks: [merged.tasks[1]] });
    const current = await check(JSON.stringify(sampleDesign));
    const outcome = await correctDesign(decomposition, ask, { ...rounds, current, sentence: "drop 2" });
    expect(outcome).toMatchObject({ rounds: 1, errors: [], words: null });
    const { tasks } = JSON.parse(outcome.checked?.text ?? "");
    expect(tasks.map(({ id }: { id: string }) => id)).toEqual(["task-001", "task-003"]);
    expect(asked[0]?.more).toMatch(/^The person who approves[\s\S]+drop 2/);
    expect(asked[0]?.prompt).toMatch(/^# Cut TS-0042[\s\S]+<design>[\s\S]+drop 2/);
  });

  test("that leads to errors is repaired; without rounds left the last design and its errors are told", async () => {
    const current = await check(JSON.stringify(sampleDesign));
    const broken = { tasks: [], remove_tasks: ["task-002"] };
    const repaired = architect(broken, { tasks: [{ id: "task-003", deps: ["task-001"] }] });
    const asked = { ...rounds, current, sentence: "drop 2" };
    expect(await correctDesign(decomposition, repaired.ask, asked)).toMatchObject({ rounds: 2, errors: [] });
    expect(repaired.asked[1]?.prompt.match(/<design>/g)).toHaveLength(1);
    expect(repaired.asked[1]?.prompt).toContain("<correction>\ndrop 2\n");
    const words = await correctDesign(decomposition, architect("No, for 3 needs it.").ask, {
      ...asked,
      most: 0,
    });
    expect(words).toMatchObject({
      checked: current,
      words: "No, for 3 needs it.",
      errors: [{ code: "design-answer" }],
    });
  });
});
