import { describe, expect, test } from "vitest";
import type { PromptTask } from "./prompt-task.ts";
import { promptFindings, promptText } from "./sections.ts";

const task: PromptTask = {
  id: "task-001",
  title: "Users of {tenant}",
  component: "users",
  wave: 1,
  deps: [],
  agent: "plugin:agent",
  skills: ["plugin:skill"],
  contracts: ["parallel/x/contracts/types.ts"],
  create: ["src/users.ts"],
  modify: [],
  boundary: ["src/{a,b}.ts"],
  objective: "Users can be found.",
  requirements: "- `GET /users/{id}` gives one",
  checklist: "- [ ] tests pass",
};
const good = promptText(task, "# Context\n");

const say = (text: string) =>
  promptFindings({ file: "p.txt", text }, "parallel/TS-0042").map(
    ({ severity, code, at, message }) => `${at?.start.line} ${severity} ${code}: ${message}`,
  );
const without = (name: string) => good.replace(new RegExp(`=== ${name} ===\n[^=]*`), "");

describe("the sections of a prompt", () => {
  test("what is generated has all of them", () => expect(say(good)).toEqual([]));

  test("with the line ends of Windows too", () => expect(say(good.replaceAll("\n", "\r\n"))).toEqual([]));

  test("a form for the answer, as older prompts have it, is neither asked for nor refused", () => {
    expect(say(`${good}\n=== OUTPUT FORMAT (REQUIRED) ===\n{ "task_completed": true }\n`)).toEqual([]);
  });

  test("one that is missing is told where it belongs", () => {
    expect(say(without("IMPORTANT RULES"))).toEqual([
      "43 error prompt-section: the prompt has no section `=== IMPORTANT RULES ===`",
    ]);
    expect(say(without("COMPLETION SIGNAL"))).toEqual([
      "49 error prompt-section: the prompt has no section `=== COMPLETION SIGNAL ===`",
    ]);
  });

  test("what a run would put in front is only warned of", () => {
    expect(say(without("CONTEXT"))).toEqual([
      "11 warning prompt-section: the prompt has no section `=== CONTEXT ===`; plait adds it when the run starts",
    ]);
  });

  test("a prompt without any says it once", () => {
    expect(say("Read tasks/task-001.md and do it.\n")).toEqual([
      "1 error prompt-section: the prompt has no known sections",
    ]);
  });

  test("empty ones, and those that are only a placeholder, say nothing", () => {
    expect(say(good.replace("Users can be found.\n", ""))).toEqual([
      "14 error prompt-section-empty: the section `=== OBJECTIVE ===` is empty",
    ]);
    expect(say(good.replace("# Context\n", "{contents of context.md}\n"))).toEqual([
      "11 error prompt-placeholder: the section `=== CONTEXT ===` is only the placeholder `{contents of context.md}`",
    ]);
  });

  test("another order, and the same twice, are warned of", () => {
    const objective = "=== OBJECTIVE ===\nUsers can be found.\n\n";
    const moved = good.replace(objective, "").replace("=== DO NOT MODIFY ===", `${objective}$&`);
    expect(say(moved)).toEqual([
      "23 warning prompt-section-order: the section `=== OBJECTIVE ===` is below `FILES TO MODIFY`",
    ]);
    expect(say(`${good}\n${objective}`)).toEqual([
      "56 warning prompt-section-order: the section `=== OBJECTIVE ===` appears twice",
    ]);
  });

  test("the lines at the top are there, and filled in", () => {
    expect(say(good.replace(/^Wave.*\n/m, "").replace("Agent: plugin:agent", "Agent: {agent}"))).toEqual([
      "2 error prompt-placeholder: the line `Agent: {agent}` has a placeholder",
      "1 error prompt-header: the prompt has no `Wave:` line in its header",
    ]);
  });

  test("the completion signal names the file that says that a task is done", () => {
    expect(say(good.replace("touch .claude-task-complete", "say DONE"))).toEqual([
      "51 error prompt-completion: the section `=== COMPLETION SIGNAL ===` does not mention the file `.claude-task-complete`",
    ]);
  });
});
