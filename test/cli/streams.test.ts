import { spawnSync } from "node:child_process";
import { cpSync, existsSync, openSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { asked } from "./asked.ts";
import { folderWith, main, plait, plaitIntoClosedPipe, root } from "./plait.ts";

const example = "examples/checkout/plan.yaml";
const warned = "plait: 1\ntasks:\n  - id: a\n    command: make\n    agent: claude\n";
const folder = folderWith({ "warned.yaml": warned, "bad.yaml": "plait: 1\ntaks: []\n" });
const colourCode = "\u001b[";

describe("stdout is the result, stderr what is said about it", () => {
  it("for a good plan", () => {
    expect(plait(["validate", example])).toEqual({
      code: 0,
      stdout: `${example}: 5 tasks, ok\n`,
      stderr: "",
    });
  });

  it("for a plan with warnings", async () => {
    const { code, stdout, stderr } = await asked(["validate", "warned.yaml"], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "warned.yaml: 1 task, ok\n" });
    expect(stderr).toContain("warning[unused-key]");
    expect(stderr).toMatch(/\n1 warning in warned\.yaml\n$/);
  });

  it("for JSON, which has everything and leaves stderr empty", async () => {
    const { stdout, stderr } = await asked(["validate", "bad.yaml", "--json"], { cwd: folder });
    expect(stderr).toBe("");
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ v: 1, ok: false, exit: 2, plan: null });
    expect(document.findings[0]).toMatchObject({
      severity: "error",
      at: { file: "bad.yaml", start: { line: 2, col: 1 } },
    });
    const good = JSON.parse((await asked(["validate", example, "--json"])).stdout);
    expect(good).toMatchObject({ v: 1, ok: true, exit: 0 });
    expect(good.plan).toEqual({ name: "checkout", format: "native", path: example, tasks: 5, needs: 4 });
    // Notes are for programs and for `plait plan`; people are not bothered with them here.
    expect(good.findings).toMatchObject([{ code: "no-owns", severity: "note" }]);
    // Both commands answer in the same shape; only what they say about the plan differs.
    expect(JSON.parse((await asked(["plan", "bad.yaml", "--json"], { cwd: folder })).stdout)).toEqual(
      document,
    );
    const planned = JSON.parse((await asked(["plan", example, "--json"])).stdout);
    expect(Object.keys(planned)).toEqual(Object.keys(good));
    expect(planned.plan).toMatchObject({ name: "checkout", size: { tasks: 5, needs: 4 } });
  });

  it("as JSON that may go to a terminal", async () => {
    const hostile = "\u009b31m\u202e\u200b\ufeff.";
    const odd = folderWith({
      "odd.json": JSON.stringify({ plait: 1, tasks: [{ id: "a", title: hostile, prompt: "x" }] }),
    });
    for (const args of [["plan"], ["validate", "--strict"]]) {
      const { stdout } = await asked([...args, "odd.json", "--json"], { cwd: odd });
      expect(stdout).not.toMatch(/[\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/);
      if (args[0] === "plan") expect(JSON.parse(stdout).plan.tasks[0].title).toBe(hostile);
    }
  });

  it("for GitHub Actions, which is told on stderr", async () => {
    const env = { GITHUB_ACTIONS: "true" };
    const { stdout, stderr } = await asked(["validate", "bad.yaml", "--json"], { cwd: folder, env });
    expect(JSON.parse(stdout).ok).toBe(false);
    expect(stderr).toMatch(/^::error file=bad\.yaml,line=2,col=1,title=unknown-key::/m);
  });

  it("for GitHub Actions with paths from where plait was started", async () => {
    const env = { GITHUB_ACTIONS: "true" };
    const run = async (...args: string[]) => (await asked(args, { cwd: dirname(folder), env })).stderr;
    const sub = basename(folder);
    expect(await run("-C", sub, "validate", "bad.yaml")).toContain(`::error file=${sub}/bad.yaml,line=2`);
    expect(await run("validate", `${sub}/bad.yaml`)).toContain(`::error file=${sub}/bad.yaml,line=2`);
    expect(await run("validate", join(folder, "bad.yaml"))).toContain(`::error file=${sub}/bad.yaml,line=2`);
  });
});

describe("colours", () => {
  it("are not written into pipes", () => {
    for (const args of [["plan", example], ["validate", "test/cli/broken.yaml"], ["--help"], []]) {
      const { stdout, stderr } = plait(args);
      expect(stdout + stderr).not.toContain("\u001b");
    }
  });

  it.each<[string, Record<string, string>, string[], boolean]>([
    ["FORCE_COLOR", { FORCE_COLOR: "1" }, [], true],
    ["CLICOLOR_FORCE", { CLICOLOR_FORCE: "1" }, [], true],
    ["--color", {}, ["--color"], true],
    ["--color with NO_COLOR", { NO_COLOR: "1" }, ["--color"], true],
    ["--no-color with FORCE_COLOR", { FORCE_COLOR: "1" }, ["--no-color"], false],
    ["NO_COLOR", { NO_COLOR: "1" }, [], false],
  ])("with %s", async (_, env, flags, expected) => {
    const { stdout } = await asked(["plan", example, ...flags], { env });
    const { stderr } = await asked(["validate", "test/cli/broken.yaml", ...flags], { env });
    expect([stdout.includes(colourCode), stderr.includes(colourCode)]).toEqual([expected, expected]);
  });

  it("are never in JSON or in a graph", async () => {
    for (const args of [["--json"], ["--graph", "svg"], ["--graph", "mermaid"]]) {
      expect((await asked(["plan", example, "--color", ...args])).stdout).not.toContain("\u001b");
    }
  });
});

describe("characters", () => {
  const ascii = /^[\n\x20-\x7e]*$/;
  const odd = folderWith({
    "grün.yaml": "plait: 1\nname: Prüfung …\ntasks:\n  - id: a\n    title: “ü” → 日本\n    command: echo ü\n",
    "schlimm.yaml": "plait: 1\ntasks:\n  - id: a\n    prompt: x\n    grün: → ü\n",
  });

  it("are ASCII in a locale or a terminal that knows no others", async () => {
    for (const env of [{ LC_ALL: "C" }, { TERM: "dumb" }]) {
      expect((await asked(["plan", example], { env })).stdout).toMatch(ascii);
      expect((await asked(["validate", "test/cli/broken.yaml"], { env })).stderr).toMatch(ascii);
    }
    expect((await asked(["plan", example], { env: { LC_ALL: "en_US.UTF-8" } })).stdout).toContain("━");
  });

  it.each<[string[], number]>([
    [["plan", "grün.yaml"], 0],
    [["plan", "grün.yaml", "--json"], 0],
    [["plan", "grün.yaml", "--graph", "svg"], 0],
    [["plan", "grün.yaml", "--graph", "dot"], 0],
    [["plan", "grün.yaml", "--graph", "mermaid"], 0],
    [["validate", "grün.yaml"], 0],
    [["validate", "schlimm.yaml"], 2],
    [["validate", "schlimm.yaml", "--json"], 2],
    [["validate", "fehlt…ü.yaml"], 2],
    [["plan", "grün.yaml", "--graph", "→"], 2],
    [["schema"], 0],
    [["explain", "unknown-key"], 0],
  ])("are ASCII with --ascii, whatever users write: plait %j", async (args, code) => {
    const run = await asked([...args, "--ascii"], { cwd: odd });
    expect(run.code).toBe(code);
    expect(run.stdout + run.stderr).toMatch(ascii);
  });

  it("of users are spelled out with --ascii, and are the same for programs", async () => {
    expect((await asked(["plan", "grün.yaml", "--ascii"], { cwd: odd })).stdout).toContain(
      "Pr<U+00FC>fung ...",
    );
    const { stdout } = await asked(["plan", "grün.yaml", "--ascii", "--json"], { cwd: odd });
    expect(JSON.parse(stdout).plan.name).toBe("Prüfung …");
  });
});

describe("the next command", () => {
  const good = "plait: 1\ngates: [make]\ntasks:\n  - { id: a, prompt: x }\n  - { id: b, prompt: x }\n";
  const names = [
    "plan.yaml",
    "it's a plan.yaml",
    "-x.yaml",
    "a\nb\t.yaml",
    "\u001b[31m.yaml",
    "\u202egrün.yaml",
    "$HOME.yaml",
  ];
  const odd = folderWith(Object.fromEntries(names.map((name) => [`sub/${name}`, good])));

  it
    .skipIf(!existsSync("/bin/bash"))
    .each(names.map((name, n) => [name, n % 2 === 0 ? [] : ["--ascii"]] as const))(
    "can be typed for a file called %j %j",
    async (name, flags) => {
      const args = ["-C", "sub", "plan", ...flags, "--max-tasks", "2", "--", name];
      const { code, stdout } = await asked(args, { cwd: odd, env: { PLAIT_MAX_TASKS: "1" } });
      expect(code).toBe(0);
      const next = /next {2}plait run (.*)\n$/.exec(stdout)?.[1] ?? "";
      const script = `plait() { printf '%s\\0' "$@"; }; plait run --dry-run ${next}`;
      const typed = spawnSync("/bin/bash", ["--norc", "-c", script], {
        cwd: odd,
        env: { LC_ALL: "C.UTF-8" },
        encoding: "utf8",
      });
      const env = { PLAIT_MAX_TASKS: "1", LC_ALL: "C.UTF-8" };
      const run = await asked(typed.stdout.split("\0").slice(0, -1), { cwd: odd, env });
      expect(typed.stderr + run.stderr).toBe("");
      expect(run.stdout).toMatch(/next {2}plait run /);
    },
  );
});

describe("a plan of 2,000 tasks", () => {
  const tasks = Array.from({ length: 2_000 }, (_, i) => ({
    id: `t${i}`,
    prompt: "x",
    wave: i < 1_000 ? 1 : 2,
  }));
  const large = folderWith({ "waves.json": JSON.stringify({ plait: 1, gates: ["make"], tasks }) });

  it.each([["svg"], ["dot"], ["mermaid"]])(
    "in two waves has a graph as %s, and not a line for every pair",
    async (kind) => {
      const { code, stdout, stderr } = await asked(["plan", "waves.json", "--graph", kind], { cwd: large });
      expect(code).toBe(0);
      expect(stderr).toMatch(kind === "mermaid" ? /^Mermaid draws at most 50,000 characters .*\n$/ : /^$/);
      expect(stdout.length).toBeLessThan(1_000_000);
    },
  );

  it("has JSON that grows with the plan and not with its square", async () => {
    const { code, stdout } = await asked(["plan", "waves.json", "--json"], { cwd: large });
    expect(code).toBe(0);
    expect(stdout.length).toBeLessThan(4_000_000);
    expect(JSON.parse(stdout).plan.size).toMatchObject({ needs: 0, ranks: 2, waves: 2 });
  });
});

describe("an unexpected error", () => {
  const broken = folderWith({});
  cpSync(dirname(main), broken, { recursive: true });
  const chunks = readdirSync(join(broken, "chunks")).filter((name) => name.startsWith("validate-"));
  for (const chunk of chunks)
    writeFileSync(join(broken, "chunks", chunk), 'throw new Error("boom\\nmore");\n');
  const run = (...args: string[]) => {
    const program = [join(broken, "main.js"), "validate", example, ...args];
    return spawnSync(process.execPath, program, { cwd: root, env: {}, encoding: "utf8" });
  };

  it("is one line and exit code 70", () => {
    const { status, stdout, stderr } = run();
    expect({ status, stdout }).toEqual({ status: 70, stdout: "" });
    expect(stderr).toBe("error: bug in plait: boom (run again with --debug for details)\n");
  });

  it("says with --debug where it comes from", () => {
    const { status, stderr } = run("--debug");
    expect(status).toBe(70);
    expect(stderr).toMatch(/^error: bug in plait: boom\nError: boom\n.*\n\s+at /s);
  });
});

describe("a reader that has gone", () => {
  it.each([["plan", example], ["schema"], ["--version"], ["--help"], ["plan", example, "--json"]])(
    "is no failure: plait %s %s",
    async (...args) => {
      expect(await plaitIntoClosedPipe(args.filter(Boolean), "stdout")).toEqual({
        code: 0,
        stdout: "",
        stderr: "",
      });
    },
  );

  it("of stderr changes nothing either", async () => {
    expect(await plaitIntoClosedPipe(["validate", "test/cli/broken.yaml"], "stderr")).toMatchObject({
      code: 2,
    });
  });

  it.skipIf(!existsSync("/dev/full"))("is told from a disk that is full", () => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [main, "plan", example], {
      cwd: root,
      env: {},
      encoding: "utf8",
      stdio: ["ignore", full, "pipe"],
    });
    expect(status).toBe(3);
    expect(stderr).toContain("error: cannot write the output: ENOSPC");
  });
});
