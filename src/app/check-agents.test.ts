import { expect, test } from "vitest";
import { agentWork, planOf } from "../../test/support/plans.ts";
import { claude } from "../agents/claude/adapter.ts";
import { codex } from "../agents/codex/adapter.ts";
import { parseRunId } from "../core/ids.ts";
import type { Env } from "../core/plan.ts";
import { checkAgents } from "./check-agents.ts";

/** Without a program that could be asked: what is said of it is not at issue here. */
const agents = new Map([["claude", { ...claude, probe: null, subAgents: null }]]);
const run = parseRunId("test");
if (!run.ok) throw new Error(run.problem);
const check = { agents, env: {}, cwd: "/", run: run.id, isRoot: false, allowRoot: false };

const narrow = { ...agentWork, tools: { allow: ["Edit"], deny: [] } };

test("a warning is told once, with the tasks that it is about", async () => {
  const tasks = ["a", "b", "c", "d", "e"].map((id) => ({ id, work: narrow }));
  const checked = await checkAgents(planOf([...tasks, { id: "free" }]), check);
  expect(checked).toMatchObject({
    ok: true,
    warnings: [expect.stringMatching(/^a, b, c and 2 more: .*Edit/)],
  });
});

test("what one task cannot be started with refuses the run", async () => {
  const asRoot = { ...check, isRoot: true };
  const refused = { ok: false, refusal: { kind: "environment", message: expect.stringContaining("root") } };
  expect(await checkAgents(planOf([{ id: "a", work: narrow }, { id: "b" }]), asRoot)).toMatchObject(refused);
  expect(await checkAgents(planOf([{ id: "a", work: narrow }]), asRoot)).toMatchObject({ ok: true });
});

test("nobody is logged in: asked once an account, of a program that would end with its input", async () => {
  const asked: string[] = [];
  const login = {
    invocation: (env: Env) => {
      const { CODEX_HOME = "" } = env;
      asked.push(CODEX_HOME);
      const program = 'read -r home; (sleep 0.1; echo "$home") & cat; kill $!'; // its input is its life
      return { argv: ["sh", "-c", program], env: {}, stdin: `${CODEX_HOME}\n`, notes: [] };
    },
    parse: (stdout: string) =>
      stdout === "" ? null : { problem: stdout === "/c\n" ? { message: "nobody", hint: "log in" } : null },
  };
  const withLogin = { ...check, agents: new Map([["codex", { ...codex, probe: null, login }]]) };
  const work = { ...agentWork, agent: { ...agentWork.agent, use: "codex" } };
  const tasks = ["a", "b", "c"].map((id) => ({ id, work, env: { CODEX_HOME: id === "c" ? "/c" : "/ab" } }));
  expect(await checkAgents(planOf(tasks.slice(0, 2)), withLogin)).toMatchObject({ ok: true });
  expect(asked).toEqual(["/ab"]);
  expect(await checkAgents(planOf(tasks), withLogin)).toMatchObject({
    ok: false,
    refusal: { kind: "environment", message: "c: nobody", hint: "log in" },
  });
});
