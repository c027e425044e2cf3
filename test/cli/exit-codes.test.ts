import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { asked } from "./asked.ts";
import { folderWith, main, plait } from "./plait.ts";

const good = "plait: 1\ngates: [make]\ntasks:\n  - id: a\n    prompt: Do it.\n";
const folder = folderWith({ "plan.yaml": good, "bad.yaml": "plait: 1\ntaks: []\n", "-x.yaml": good });

describe("exit codes", () => {
  it("are those that users were promised", () => {
    expect(exitCodes).toEqual({
      ok: 0,
      incomplete: 1,
      badRequest: 2,
      badEnvironment: 3,
      bug: 70,
      hungUp: 129,
      interrupted: 130,
      terminated: 143,
    });
  });

  it.each<[number, string[]]>([
    [0, ["--version"]],
    [0, ["-V"]],
    [0, ["validate", "plan.yaml"]],
    [2, ["validate", "bad.yaml"]],
  ])("%i is what the process ends with for plait %j", (code, args) => {
    const { code: ended, stdout, stderr } = plait(args, { cwd: folder });
    expect([ended, stdout !== "", stderr !== ""]).toEqual([code, code === 0, code !== 0]);
  });

  it.each<[number, string[]]>([
    [0, []],
    [0, ["--help"]],
    [0, ["-h"]],
    [0, ["help"]],
    [0, ["help", "plan"]],
    [0, ["plan", "--help"]],
    [0, ["validate", "plan.yaml"]],
    [0, ["help", "options"]],
    [0, ["help", "limits"]],
    [0, ["help", "exit-codes"]],
    [0, ["help", "spec", "init"]],
    [0, ["help", "accept"]],
    [0, ["validate", "plan.yaml", "--json"]],
    [0, ["validate", "--", "plan.yaml"]],
    [0, ["plan", "plan.yaml"]],
    [0, ["plan", "plan.yaml", "-j", "3", "--agent", "demo", "--model", "m"]],
    [0, ["plan", "plan.yaml", "--graph=dot"]],
    [0, ["schema"]],
    [2, ["schema", "plans"]],
    [0, ["explain"]],
    [0, ["explain", "unknown-key"]],
    [2, ["validate", "bad.yaml"]],
    [2, ["validate", "bad.yaml", "--json"]],
    [2, ["plan", "bad.yaml"]],
    [2, ["plan", "bad.yaml", "--json"]],
    [2, ["plan", "bad.yaml", "--graph", "svg"]],
    [2, ["validate", "missing.yaml"]],
    [2, ["validate", "plan.yaml", "other.yaml"]],
    [2, ["validate", "plan.yaml", "--nope"]],
    [2, ["plan", "plan.yaml", "-j", "0"]],
    [2, ["plan", "plan.yaml", "-j"]],
    [2, ["plan", "plan.yaml", "--graph", "xml"]],
    [2, ["plan", "plan.yaml", "--graph", "dot", "--json"]],
    [2, ["plan", "plan.yaml", "--format", "nope"]],
    [0, ["plan", "./-x.yaml"]],
    [0, ["plan", "--", "-x.yaml"]],
    [2, ["plan", "-x.yaml"]],
    [2, ["plan", "-"]],
    [2, ["plan", "plan.yaml", "--agent", ""]],
    [2, ["plan", "plan.yaml", "--agent"]],
    [2, ["plan", "plan.yaml", "--agent", "--strict"]],
    [2, ["plan", "plan.yaml", "--agent=-x"]],
    [2, ["plan", "plan.yaml", "--model", "a\u0007b"]],
    [2, ["plan", "plan.yaml", "--graph", "--strict"]],
    [2, ["-C", "--strict", "validate", "plan.yaml"]],
    [2, ["validate", "plan.yaml", "--max-tasks", "x"]],
    [2, ["-C", "nowhere", "validate", "plan.yaml"]],
    [2, ["valdate", "plan.yaml"]],
    [2, ["plan.yaml"]],
    [2, ["--nope"]],
    [2, ["explain", "nope"]],
    [2, ["help", "nope"]],
    [2, ["help", "spec", "nope"]],
    [2, ["check", "plan.yaml"]],
  ])("%i for plait %j", async (code, args) => {
    const run = await asked(args, { cwd: folder });
    expect(run.code).toBe(code);
    // A wrong request says so, and never on stdout, where only a JSON result may be.
    if (code === 2 && !args.includes("--json")) {
      expect(run.stdout).toBe("");
      expect(run.stderr).not.toBe("");
    }
    if (code === 0) expect(run.stderr).toBe("");
  });
});

describe("a wrong request", () => {
  const said = async (...args: string[]) => (await asked(args, { cwd: folder })).stderr;

  it("says what to type instead", async () => {
    expect(await said("valdate", "plan.yaml")).toBe(
      "error: unknown command `valdate`\n  help: did you mean validate?\nnext  plait --help\n",
    );
    expect(await said("validate", "plan.yaml", "--stict")).toBe(
      "error: unknown option `--stict`\n  help: did you mean --strict?\nnext  plait validate --help\n",
    );
    expect(await said("plan.yaml")).toBe(
      "error: unknown command `plan.yaml`\n  help: preview a plan: plait plan plan.yaml\nnext  plait --help\n",
    );
    expect(await said("explain", "unknown-kee")).toBe(
      'error: unknown code "unknown-kee"\n  help: did you mean unknown-key?\n',
    );
  });

  it("points to the help of the command that was meant", async () => {
    expect(await said("explain", "--nope")).toContain("next  plait explain --help\n");
    expect(await said("attach", "a", "b")).toContain("next  plait watch --help\n");
  });

  it("points to no help where the hint says what to type", async () => {
    expect(await said("explain", "plan")).not.toContain("next");
    expect(await said("plan", "-")).not.toContain("next");
  });

  it("names the flag, the value and what is allowed", async () => {
    expect(await said("plan", "plan.yaml", "-j", "many")).toContain(
      'error: --concurrency "many" is not a whole number from 1 to 256\n',
    );
    expect(await said("plan", "plan.yaml", "--graph", "png")).toContain(
      'error: --graph "png" is not one of mermaid, dot, svg\n',
    );
    expect(await said("plan", "plan.yaml", "--format", "x")).toMatch(
      /error: --format "x" is not one of \w+, /,
    );
    expect(await said("plan", "plan.yaml", "--agent", "a\u0007")).toContain(
      'error: --agent "a\\u0007" contains a control character\n',
    );
    expect(await said("plan", "plan.yaml", "--json", "--graph", "svg")).toContain("cannot be combined");
    expect(await said("-C", "nowhere", "plan", "plan.yaml")).toContain(
      'error: --cwd "nowhere" is not a folder\n',
    );
    expect(await said("open")).toContain("missing required argument `task`");
  });

  it("never takes a flag for the value of another", async () => {
    expect(await said("plan", "plan.yaml", "--agent", "--strict")).toBe(
      "error: --agent needs a name\n  help: --strict looks like a flag; pass a name: --agent …\nnext  plait plan --help\n",
    );
    expect(await said("plan", "plan.yaml", "-j")).toContain("error: --concurrency needs a number\n");
    expect(await said("plan", "plan.yaml", "-j", "-1")).toContain('--concurrency "-1" is not a whole number');
  });

  it("says how a file is named that begins with a dash", async () => {
    expect(await said("plan", "-x.yaml")).toContain("  help: to read a file with that name: ./-x.yaml\n");
    expect(await said("plan", "-")).toContain("error: a plan cannot be read from stdin\n");
    expect(await said("plan", "-")).toContain("  help: to read a file with that name: ./-\n");
  });

  it("includes a variable that cannot be used", async () => {
    const { code, stderr } = await asked(["validate", "plan.yaml"], {
      cwd: folder,
      env: { PLAIT_MAX_TASKS: "lots" },
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: PLAIT_MAX_TASKS must be a whole number/);
  });

  it("cannot put escape codes on the terminal", async () => {
    expect(await said("\u001b[31mx")).toContain("<U+001B>[31mx");
    expect(await said("validate", "\u001b[31m.yaml")).toContain("<U+001B>[31m.yaml: error[file-missing]");
  });
});

describe("an environment that cannot be used", () => {
  const { PATH = "" } = process.env;
  const inDeletedFolder = (...args: string[]) => {
    const gone = folderWith({});
    const script = `rmdir "$PWD" && exec "$@"`;
    const { status, stdout, stderr } = spawnSync(
      "sh",
      ["-c", script, "sh", process.execPath, main, ...args],
      {
        cwd: gone,
        env: { PATH },
        encoding: "utf8",
      },
    );
    return { code: status, stdout, stderr };
  };

  it("is a current folder that is gone: one line and exit code 3", () => {
    for (const command of ["validate", "plan"]) {
      expect(inDeletedFolder(command, "plan.yaml")).toEqual({
        code: 3,
        stdout: "",
        stderr: "error: the current folder no longer exists\n  help: change to another folder: cd /\n",
      });
    }
    expect(inDeletedFolder("-C", "sub", "validate", "plan.yaml").code).toBe(3);
  });

  it("does not matter to what needs no folder", () => {
    expect(inDeletedFolder("-C", folder, "validate", "plan.yaml").code).toBe(0);
    expect(inDeletedFolder("explain", "cycle").code).toBe(0);
    expect(inDeletedFolder("-C", join(folder, "nowhere"), "validate", "plan.yaml").code).toBe(2);
  });
});

describe("flags", async () => {
  it("are understood before and after the command", async () => {
    const other = folderWith({ "plan.yaml": good });
    expect((await asked(["-C", other, "validate", "plan.yaml"])).stdout).toBe("plan.yaml: 1 task, ok\n");
    expect((await asked(["validate", "plan.yaml", "--cwd", other])).stdout).toBe("plan.yaml: 1 task, ok\n");
  });

  it("raise and lower the caps, over the environment", async () => {
    const two = folderWith({ "plan.yaml": `${good}  - id: b\n    prompt: More.\n` });
    const run = (args: string[], env = {}) => asked(["validate", "plan.yaml", ...args], { cwd: two, env });
    expect((await run([])).code).toBe(0);
    expect((await run(["--max-tasks", "1"])).stderr).toContain("too-many-tasks");
    expect((await run([], { PLAIT_MAX_TASKS: "1" })).code).toBe(2);
    expect((await run(["--max-tasks", "2"], { PLAIT_MAX_TASKS: "1" })).code).toBe(0);
  });

  it("--strict refuses what cannot be decided", async () => {
    const claims = ["'src/@(a|b)/**'", "src/a/**"].map(
      (glob, i) => `  - { id: t${i}, prompt: Go, owns: [${glob}] }\n`,
    );
    const unsure = folderWith({ "plan.yaml": `plait: 1\ntasks:\n${claims.join("")}` });
    const relaxed = await asked(["validate", "plan.yaml"], { cwd: unsure });
    expect({ code: relaxed.code, stdout: relaxed.stdout }).toEqual({
      code: 0,
      stdout: "plan.yaml: 2 tasks, ok\n",
    });
    expect(relaxed.stderr).toContain("warning[overlap-unclear]");
    const strict = await asked(["validate", "plan.yaml", "--strict"], { cwd: unsure });
    expect({ code: strict.code, stdout: strict.stdout }).toEqual({ code: 2, stdout: "" });
    expect(strict.stderr).toContain("error[overlap-unclear]");
  });

  it("--agent and --model win over the plan", async () => {
    const { stdout } = await asked(["plan", "plan.yaml", "--json", "--agent", "demo", "--model", "m"], {
      cwd: folder,
    });
    expect(JSON.parse(stdout).plan.tasks[0].work).toEqual({
      kind: "agent",
      use: "demo",
      name: null,
      model: "m",
    });
  });

  it("--concurrency is the number of slots, else the plan's", async () => {
    const three = folderWith({ "plan.yaml": `${good}concurrency: 3\n` });
    const slots = async (...args: string[]) => {
      const { stdout } = await asked(["plan", "plan.yaml", "--json", ...args], { cwd: three });
      return JSON.parse(stdout).plan.slots.planned;
    };
    expect([await slots(), await slots("-j", "7")]).toEqual([3, 7]);
  });
});
