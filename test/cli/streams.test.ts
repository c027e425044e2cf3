import { spawnSync } from "node:child_process";
import { cpSync, existsSync, openSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
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

  it("for a plan with warnings", () => {
    const { code, stdout, stderr } = plait(["validate", "warned.yaml"], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "warned.yaml: 1 task, ok\n" });
    expect(stderr).toContain("warning[unused-key]");
    expect(stderr).toMatch(/\n1 warning in warned\.yaml\n$/);
  });

  it("for JSON, which has everything and leaves stderr empty", () => {
    const { stdout, stderr } = plait(["validate", "bad.yaml", "--json"], { cwd: folder });
    expect(stderr).toBe("");
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ v: 1, ok: false, exit: 2, plan: null });
    expect(document.diagnostics[0]).toMatchObject({
      severity: "error",
      at: { file: "bad.yaml", start: { line: 2, col: 1 } },
    });
    const good = JSON.parse(plait(["validate", example, "--json"]).stdout);
    expect(good).toMatchObject({ v: 1, ok: true, exit: 0 });
    expect(good.plan).toEqual({ name: "checkout", format: "native", path: example, tasks: 5, needs: 4 });
    // Notes are for programs and for `plait plan`; people are not bothered with them here.
    expect(good.diagnostics).toMatchObject([{ code: "unclaimed", severity: "note" }]);
    expect(JSON.parse(plait(["plan", "bad.yaml", "--json"], { cwd: folder }).stdout)).toMatchObject({
      v: 1,
      ok: false,
    });
  });

  it("for GitHub Actions, which is told on stderr", () => {
    const env = { GITHUB_ACTIONS: "true" };
    const { stdout, stderr } = plait(["validate", "bad.yaml", "--json"], { cwd: folder, env });
    expect(JSON.parse(stdout).ok).toBe(false);
    expect(stderr).toMatch(/^::error file=bad\.yaml,line=2,col=1,title=unknown-key::/m);
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
  ])("with %s", (_, env, flags, expected) => {
    const { stdout } = plait(["plan", example, ...flags], { env });
    const { stderr } = plait(["validate", "test/cli/broken.yaml", ...flags], { env });
    expect([stdout.includes(colourCode), stderr.includes(colourCode)]).toEqual([expected, expected]);
  });

  it("are never in JSON or in a graph", () => {
    for (const args of [["--json"], ["--graph", "svg"], ["--graph", "mermaid"]]) {
      expect(plait(["plan", example, "--color", ...args]).stdout).not.toContain("\u001b");
    }
  });
});

describe("characters", () => {
  it("are ASCII in a locale that knows no others", () => {
    expect(plait(["plan", example], { env: { LC_ALL: "C" } }).stdout).toMatch(/^[\n\x20-\x7e]*$/);
    expect(plait(["plan", example], { env: { LC_ALL: "en_US.UTF-8" } }).stdout).toContain("━");
  });
});

describe("an unexpected error", () => {
  const broken = folderWith({});
  cpSync(dirname(main), broken, { recursive: true });
  const [chunk = ""] = readdirSync(join(broken, "chunks")).filter((name) => name.startsWith("validate-"));
  writeFileSync(join(broken, "chunks", chunk), 'throw new Error("boom\\nmore");\n');
  const run = (...args: string[]) => {
    const program = [join(broken, "main.js"), "validate", example, ...args];
    return spawnSync(process.execPath, program, { cwd: root, env: {}, encoding: "utf8" });
  };

  it("is one line and exit code 70", () => {
    const { status, stdout, stderr } = run();
    expect({ status, stdout }).toEqual({ status: 70, stdout: "" });
    expect(stderr).toBe("plait: this is a bug in plait: boom; with --debug it says where\n");
  });

  it("says with --debug where it comes from", () => {
    const { status, stderr } = run("--debug");
    expect(status).toBe(70);
    expect(stderr).toMatch(/^plait: this is a bug in plait: boom\nError: boom\n.*\n\s+at /s);
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
    expect(stderr).toContain("plait: the result cannot be written: ENOSPC");
  });
});
