import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentWork, planOf, type TaskSketch } from "../../test/support/plans.ts";
import { claude } from "../agents/claude/adapter.ts";
import { parseRunId } from "../core/ids.ts";
import { checkAgents } from "./check-agents.ts";
import { choiceFor, type MissingSubAgent, type SubAgentChoice, withoutMissing } from "./sub-agents.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "plait-sub-agents-"));
  mkdirSync(join(root, "pkg"));
  writeFileSync(join(root, "names"), "reviewer\n");
  writeFileSync(join(root, "pkg/names"), "reviewer\nbaker\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Its sub-agents are those that a file names where it is started; it notes that it was asked. */
const subAgents = {
  folder: ".tool",
  invocation: { argv: ["sh", "-c", "echo >> asked; cat names"], env: {}, stdin: "", notes: [] },
  parse: (stdout: string) => (stdout === "" ? null : stdout.trim().split("\n")),
};
const agents = new Map([["claude", { ...claude, probe: null, login: null, subAgents }]]);
const run = parseRunId("test");
if (!run.ok) throw new Error(run.problem);

const naming = (id: string, name: string, dir: string | null = null): TaskSketch => ({
  ...{ id, dir },
  work: { ...agentWork, agent: { use: "claude", name, model: null } },
});

function checkTasks(tasks: readonly TaskSketch[], choice?: SubAgentChoice) {
  const check = { agents, env: {}, cwd: root, run: run.ok ? run.id : ("" as never), isRoot: false };
  return checkAgents(planOf(tasks), {
    ...{ ...check, allowRoot: false },
    ...(choice && { subAgents: choice }),
  });
}

describe("sub-agents", () => {
  test("are looked for where each task starts, once a folder", async () => {
    const tasks = [naming("a", "reviewer"), naming("b", "baker", "pkg"), naming("c", "baker", "pkg")];
    expect(await checkTasks(tasks)).toMatchObject({ ok: true, replaced: [], warnings: [] });
    expect(readLines("asked")).toBe(1);
    expect(readLines("pkg/asked")).toBe(1);
  });

  test("are looked for in the folder that they are copied from to where a task starts", async () => {
    const prepare = (from: string, to: string) => ({
      ...{ copy: ["x", { from, to }], include: [], envFiles: false, setup: [], teardown: [] },
    });
    const from = (sketch: TaskSketch, ...copy: [string, string]) => ({
      ...sketch,
      prepare: prepare(...copy),
    });
    const baker = naming("a", "baker");
    expect(await checkTasks([from(baker, "pkg/.tool/agents", ".tool/agents")])).toMatchObject({ ok: true });
    expect(await checkTasks([from(baker, "pkg/.tool", ".tool")])).toMatchObject({ ok: true });
    expect(await checkTasks([from(baker, "pkg/.tool", "other/.tool")])).toMatchObject({ ok: false });
    expect(await checkTasks([from(baker, "pkg/else", ".tool/agents")])).toMatchObject({ ok: false });
  });

  test("are looked for above a folder that is not there yet", async () => {
    expect(await checkTasks([naming("a", "baker", "pkg/new/deep")])).toMatchObject({ ok: true });
    expect(await checkTasks([naming("a", "baker", "other")])).toMatchObject({ ok: false });
  });

  test("that are missing are named all at once, with their tasks and what decides", async () => {
    const tasks = [
      naming("a", "baker"),
      ...["b", "c", "d", "e"].map((id) => naming(id, "cook")),
      naming("f", "reviewre"),
    ];
    const checked = await checkTasks(tasks, { mayReplace: async () => false, help: () => ["one", "two"] });
    expect(checked).toMatchObject({
      ok: false,
      refusal: {
        kind: "environment",
        message:
          'Claude Code has no sub-agent "baker" (a), "cook" (b, c, d and 1 more) or "reviewre" (f; did you mean reviewer?)',
        hint: "one\ntwo\nor use an installed one: reviewer",
      },
    });
  });

  test("that are missing are left out where that is decided; those that are there stay", async () => {
    const asked: (readonly MissingSubAgent[])[] = [];
    const choice = {
      mayReplace: async (missing: readonly MissingSubAgent[]) => asked.push(missing) > 0,
      help: () => [],
    };
    const tasks = [naming("a", "baker"), naming("b", "reviewer"), naming("c", "baker", "pkg")];
    const checked = await checkTasks(tasks, choice);
    if (!checked.ok) throw new Error(checked.refusal.message);
    expect(asked).toHaveLength(1);
    expect(checked.warnings).toEqual([
      'a: sub-agent "baker" is not installed; running with plain Claude Code',
    ]);
    const { plan, policy } = withoutMissing({ plan: planOf(tasks), policy: {} as never }, checked.replaced);
    const names = plan.tasks.map(({ work }) => (work.kind === "agent" ? work.agent.name : ""));
    expect(names).toEqual([null, "reviewer", "baker"]);
    expect(policy).toEqual({ withoutSubAgents: true });
  });

  test("are left out without a question once that was decided for the run", async () => {
    const decided = choiceFor({
      policy: { withoutSubAgents: true } as never,
      subAgents: { mayReplace: async () => false, help: () => [] },
    });
    expect(await checkTasks([naming("a", "baker")], decided.subAgents)).toMatchObject({ ok: true });
  });
});

function readLines(path: string): number {
  return readFileSync(join(root, path), "utf8").length;
}
