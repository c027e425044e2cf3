import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asked } from "./asked.ts";
import { folderWith, plait } from "./plait.ts";

const plan =
  'plait: 1\nname: sample\ngates: ["true"]\ntasks:\n  - id: hello\n    prompt: Write a greeting.\n';
/** Nothing of whoever runs the tests. */
const nowhere = folderWith({});
const env = {
  HOME: nowhere,
  XDG_CONFIG_HOME: nowhere,
  XDG_STATE_HOME: join(nowhere, "state"),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
};

const seen = async (cwd: string, args: readonly string[] = [], more = {}) =>
  JSON.parse(
    (await asked(["plan", "plan.yaml", "--json", ...args], { cwd, env: { ...env, ...more } })).stdout,
  ).plan;

describe("configuration files", () => {
  it("of a project set defaults for plans, and flags are over them", async () => {
    const cwd = folderWith({
      "plan.yaml": plan,
      "plait.config.yaml": "concurrency: 7\nland: never\ndefaults: { agent: demo }\n",
    });
    expect(await seen(cwd)).toMatchObject({
      slots: { planned: 7 },
      land: "never",
      agents: [{ name: "demo" }],
    });
    expect(await seen(cwd, ["-j", "2", "--agent", "claude"])).toMatchObject({
      slots: { planned: 2 },
      agents: [{ name: "claude" }],
    });
  });

  it("of the user lie below that of the project, which a parent folder may hold", async () => {
    const user = folderWith({ "plait/config.yaml": "concurrency: 9\nland: partial\n" });
    const root = folderWith({
      "plait.config.yaml": "concurrency: 7\n",
      ".git/HEAD": "",
      "a/b/plan.yaml": plan,
    });
    const more = { XDG_CONFIG_HOME: user };
    expect(await seen(join(root, "a/b"), [], more)).toMatchObject({ slots: { planned: 7 }, land: "partial" });
  });

  it("outside the repository are not read", async () => {
    const outer = folderWith({
      "plait.config.yaml": "nonsense: 1\n",
      "repo/plan.yaml": plan,
      "repo/.git/HEAD": "",
    });
    expect(await seen(join(outer, "repo"))).toMatchObject({ slots: { planned: 4 } });
  });

  it("make an agent known, so that its name is not warned of", async () => {
    const text = plan.replace("    prompt", "    agent: mine\n    prompt");
    const without = folderWith({ "plan.yaml": text });
    expect((await asked(["validate", "plan.yaml"], { cwd: without, env })).stderr).toContain("unknown-agent");
    const cwd = folderWith({
      "plan.yaml": text,
      "plait.config.yaml": "agents:\n  mine:\n    run: [./agent.sh, '{prompt-file}']\n",
    });
    expect(await asked(["validate", "plan.yaml"], { cwd, env })).toEqual({
      code: 0,
      stdout: "plan.yaml: 1 task, ok\n",
      stderr: "",
    });
    const budget = folderWith({
      "plan.yaml": `${text}budget: 5\n`,
      "plait.config.yaml": "agents:\n  mine:\n    run: [./agent.sh, '{prompt-file}']\n",
    });
    expect((await asked(["plan", "plan.yaml"], { cwd: budget, env })).stderr).toContain(
      "warning: mine does not report costs, so the budget of $5.00 cannot be enforced.\n",
    );
    const planned = await asked(["plan", "plan.yaml"], { cwd, env });
    expect(planned.stderr).toBe("agent mine runs ./agent.sh {prompt-file} (plait.config.yaml)\n");
  });
});

describe("a bad configuration", () => {
  const cwd = folderWith({
    "plan.yaml": plan,
    "plait.config.yaml": "agents:\n  mine:\n    run: [x]\n    exit: { 75: rate-limit }\n",
  });

  it.each(["validate", "plan", "run"])("ends %s with 2, its place and what was meant", async (command) => {
    const { code, stdout, stderr } = await asked([command, "plan.yaml"], { cwd, env });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("plait.config.yaml:4:5: error[unknown-key]: unknown key `exit` in an agent\n");
    expect(stderr).toContain("did you mean `exits`?");
    expect(stderr).toContain("1 error in plait.config.yaml\n");
  });

  it("is part of the JSON result", async () => {
    const { code, stdout } = await asked(["validate", "plan.yaml", "--json"], { cwd, env });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, exit: 2, findings: [{ code: "unknown-key" }] });
  });

  it("hinders no command that starts no agent", async () => {
    repositoryIn(cwd);
    expect((await asked(["runs"], { cwd, env })).code).toBe(0);
  });
});

function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"];
  const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

function repositoryIn(cwd: string): void {
  git(cwd, "init", "-q");
  git(cwd, "config", "user.name", "t");
  git(cwd, "config", "user.email", "t@t");
  git(cwd, "add", "-A");
  git(cwd, "commit", "-qm", "start");
}

/** A repository whose agent is this script, called with the task and the prompt's file. */
function repositoryWith(script: string) {
  const cwd = folderWith({
    "plan.yaml": plan,
    "agent.sh": script,
    "plait.config.yaml": [
      "agents:",
      "  script:",
      '    run: [sh, agent.sh, "{task}", "{prompt-file}"]',
      "    env: { GREETING: hello }",
      "    version: [sh, -c, echo 1.0]",
      "    exits: { 75: rate-limit }",
      "defaults: { agent: script, retries: 0 }",
      "",
    ].join("\n"),
  });
  repositoryIn(cwd);
  return { cwd, env: { ...env, HOME: folderWith({}) } };
}

const WORK = `printf '%s %s: ' "$GREETING" "$1" > hello.txt\ncat "$2" >> hello.txt\n`;
const TOLD = "agent script runs sh agent.sh {task} {prompt-file} (plait.config.yaml)\n";

describe("a script as an agent", () => {
  it("runs a plan to its end, and is known when a run goes on", () => {
    const own = repositoryWith(`[ -e "$HOME/second" ] || { touch "$HOME/second"; exit 9; }\n${WORK}`);
    const first = plait(["run", "plan.yaml", "--allow-root"], own);
    expect([first.code, first.stderr]).toEqual([1, expect.stringContaining(TOLD)]);
    const { code, stderr } = plait(["resume", "--allow-root"], own);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(readFileSync(join(own.cwd, "hello.txt"), "utf8")).toMatch(
      /^hello hello: [\s\S]*Write a greeting\./,
    );
    expect(git(own.cwd, "status", "--porcelain")).toBe("");
  });
});
