import { expect, test } from "vitest";
import { BUILT_IN_NAMES, BUILT_IN_WITHOUT_COST } from "./built-in.ts";
import type { CommandAgent } from "./command/config.ts";
import { agentsOf, findAgent } from "./registry.ts";

const command = (name: string): CommandAgent => ({
  name,
  title: "Mine",
  argv: ["x"],
  readOnlyArgs: null,
  env: {},
  versionArgv: null,
  account: null,
  exits: {},
});

const agents = agentsOf({ demo: ["node", "demo-agent.js"], commands: [command("mine")] });

test("agents are found by their names", () => {
  expect([...agents.keys()].sort()).toEqual([...BUILT_IN_NAMES, "mine"].sort());
  const silent = BUILT_IN_NAMES.filter((name) => agents.get(name)?.supports.cost === false);
  expect(silent).toEqual(BUILT_IN_WITHOUT_COST);
  expect(findAgent(agents, "claude")).toMatchObject({ ok: true, adapter: { title: "Claude Code" } });
  expect(findAgent(agents, "codex")).toMatchObject({ ok: true, adapter: { title: "Codex" } });
  expect(findAgent(agents, "mine")).toMatchObject({ ok: true, adapter: { title: "Mine" } });
});

test("a name that nobody has is answered with the one that was meant, or with all", () => {
  expect(findAgent(agents, "cluade")).toEqual({
    ok: false,
    problem: { message: 'unknown agent "cluade"', hint: "did you mean claude?" },
  });
  expect(findAgent(agents, "gpt")).toMatchObject({
    problem: {
      hint: expect.stringContaining(
        "use one of claude, codex, demo, mine, or add yours to plait.config.yaml under `agents`",
      ),
    },
  });
});

test("what plait brings along cannot be replaced", () => {
  const found = findAgent(agentsOf({ demo: [], commands: [command("claude")] }), "claude");
  expect(found).toMatchObject({ adapter: { title: "Claude Code" } });
});

test.each([
  ["claude", ["claude", "--resume", "abc"]],
  ["codex", ["codex", "resume", "abc"]],
  ["demo", null],
  ["mine", null],
])("a person goes on with a conversation of %s by %j", (name, argv) => {
  expect(agents.get(name)?.resumeCommand("abc")).toEqual(argv);
});
