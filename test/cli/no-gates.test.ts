import { describe, expect, it } from "vitest";
import { asked } from "./asked.ts";
import { makePlace, plaitIn } from "./place.ts";
import { folderWith } from "./plait.ts";

const task = "tasks:\n  - id: a\n    prompt: 'demo: write a.txt done'\n";
const plans: Readonly<Record<string, string>> = {
  "none.yaml": `plait: 1\ndefaults: { agent: demo }\n${task}`,
  "plan-gate.yaml": `plait: 1\ngates: [npm test]\n${task}`,
  "task-gate.yaml": `plait: 1\n${task}    gates: [npm test]\n`,
  "read-only.yaml": `plait: 1\ndefaults: { access: read-only }\n${task}`,
  "command.yaml": "plait: 1\ntasks:\n  - { id: a, command: make }\n",
  "dispatch.md":
    '# Plan\n\n```json dispatch\n{"batches": [{"id": 1, "agents": [{"subagent_type": "dev", "prompt": "y"}]}]}\n```\n',
};
const cwd = folderWith(plans);

describe("a plan without any gate", () => {
  it.each(["validate", "plan"])("is warned of by plait %s", async (command) => {
    const { code, stderr } = await asked([command, "none.yaml"], { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain("none.yaml:1:1: warning[no-gates]: no gate checks this work before it lands\n");
    expect(stderr).toContain("  help: add one to the plan: `gates: [npm test]`\n");
  });

  it("is warned of by plait run, which then runs it", async () => {
    const { code, stderr } = await plaitIn(makePlace(plans), "run", "none.yaml");
    expect(code).toBe(0);
    expect(stderr).toContain("warning[no-gates]");
  });

  it("is warned of where prompts were typed, with the flag", async () => {
    const { stderr } = await asked(["plan", "-p", "Fix the login"], { cwd });
    expect(stderr).toContain(
      'warning[no-gates]: no gate checks this work before it lands\n  help: add one: --gate "npm test"\n',
    );
    expect((await asked(["plan", "-p", "x", "--gate", "true"], { cwd })).stderr).not.toContain("no-gates");
  });

  it.each(["plan-gate", "task-gate", "read-only", "command"])("is not %s.yaml", async (name) => {
    const { code, stderr } = await asked(["validate", `${name}.yaml`], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("is a finding that is explained", async () => {
    const { stdout } = await asked(["validate", "none.yaml", "--json"], { cwd });
    expect(JSON.parse(stdout).findings).toMatchObject([{ code: "no-gates", severity: "warning" }]);
    expect((await asked(["explain", "no-gates"])).stdout).toContain("its exit code decides");
  });

  it("of a format without gates is converted first", async () => {
    const { stderr } = await asked(["validate", "dispatch.md"], { cwd });
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(
      "help: convert the plan, then add `gates`: plait convert dispatch.md --output plan.yaml",
    );
  });
});
