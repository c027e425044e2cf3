import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asked } from "./asked.ts";
import { folderWith, type Run } from "./plait.ts";

/** Which plan a command takes where none is named, and which file was meant where there is none of that name. */

const plan = `plait: 1
name: found
defaults: { agent: demo }
gates: [{ name: test, run: "true" }]
tasks:
  - id: a
    owns: [a.txt]
    prompt: "demo: write a.txt done"
`;
const dispatch =
  "---\nplait: 1\ntasks:\n  - { id: b, prompt: x, owns: [b.txt], gates: [{ name: t, run: 'true' }] }\n---\n";
const folder = (name: string) => ({
  [`parallel/${name}/manifest.json`]: JSON.stringify({ tech_spec_id: "TS-1", waves: [] }),
});

const run = (files: Readonly<Record<string, string>>, ...args: string[]): Promise<Run> =>
  asked(args, { cwd: folderWith(files) });

describe("a command that takes a plan, without one", () => {
  it.each([
    ["plan.yaml", plan],
    ["plan.yml", plan],
    ["plait.yaml", plan],
    ["plan.md", dispatch],
  ])("takes %s where that is the only plan, and says so", async (name, text) => {
    for (const command of ["validate", "plan", "convert"]) {
      const { code, stderr } = await run({ [name]: text, "notes.md": "# Notes\n" }, command);
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: `plan: ${name}\n` });
    }
  });

  it("starts with the plan that `plait run` finds", async () => {
    const { code, stdout, stderr } = await run({ "plan.yaml": plan }, "run", "--dry-run");
    expect([code, stderr]).toEqual([0, "plan: plan.yaml\n"]);
    expect(stdout).toContain("plait run plan.yaml");
  });

  it("shows what --only would run, and refuses a task that is not in the plan", async () => {
    const more = `${plan}  - { id: b, needs: [a], owns: [b.txt], prompt: x }\n  - { id: c, owns: [c.txt], prompt: x }\n`;
    const { code, stdout } = await run({ "plan.yaml": more }, "run", "--only", "b", "--dry-run", "--json");
    const { tasks } = JSON.parse(stdout).plan;
    expect([code, tasks.map(({ id }: { id: string }) => id).sort()]).toEqual([0, ["a", "b"]]);
    const shown = await run({ "plan.yaml": more }, "run", "--only", "a,c", "--dry-run");
    expect(shown.stdout).toContain("plait run plan.yaml --only a,c");
    const unknown = await run({ "plan.yaml": more }, "run", "--only", "zz", "--dry-run");
    expect([unknown.code, unknown.stdout]).toEqual([2, ""]);
    expect(unknown.stderr).toContain("zz");
  });

  it("takes the plan of the repository's root in a folder below that has none", async () => {
    const at = folderWith({ "plan.yaml": plan, "src/api/notes.md": "# Notes\n", "docs/plan.yaml": plan });
    execFileSync("git", ["init", "-q", at]);
    const below = await asked(["validate"], { cwd: join(at, "src/api") });
    expect([below.code, below.stderr]).toEqual([0, "plan: ../../plan.yaml\n"]);
    const own = await asked(["validate"], { cwd: join(at, "docs") });
    expect([own.code, own.stderr]).toEqual([0, "plan: plan.yaml\n"]);
    rmSync(join(at, "plan.yaml"));
    const none = await asked(["validate"], { cwd: join(at, "src/api") });
    expect(none.stderr).toContain("error: no plan found in this folder");
  });

  it("lists plans where there are several, artifact folders among them", async () => {
    const files = { "plan.yaml": plan, "plan.md": dispatch, ...folder("one") };
    expect(await run(files, "run")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "error: more than one plan: plan.yaml, plan.md, parallel/one\n  help: pass one: plait run plan.yaml\n",
    });
  });

  it("does not take prose called plan.md for a second plan", async () => {
    const { code, stderr } = await run({ "plan.yaml": plan, "plan.md": "# My plan\n\nRest.\n" }, "validate");
    expect([code, stderr]).toEqual([0, "plan: plan.yaml\n"]);
  });

  it("shows the errors of the only file with such a name", async () => {
    const { code, stderr } = await run({ "plan.yaml": "tasks: []\n" }, "validate");
    expect(code).toBe(2);
    expect(stderr).toContain("plan: plan.yaml\n");
    expect(stderr).toContain("plan.yaml:1:1: error[unknown-format]");
  });

  it("names plans with other names, and takes none of them", async () => {
    const { code, stderr } = await run({ "shop.yaml": plan, "other.yaml": "a: 1\n" }, "run");
    expect([code, stderr]).toEqual([2, "error: missing plan\n  help: pass a plan: plait run shop.yaml\n"]);
  });

  it("says what to write where there is none", async () => {
    const { code, stderr } = await run({ "README.md": "# x\n" }, "run");
    expect(code).toBe(2);
    expect(stderr).toContain("error: no plan found in this folder\n");
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(
      `create plan.yaml with "plait: 1" and "tasks:", or pass a prompt: plait run --prompt 'Fix the login'`,
    );
  });

  it("prints nothing besides the document with --json", async () => {
    const { code, stdout, stderr } = await run({ "plan.yaml": plan }, "validate", "--json");
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, plan: { path: "plan.yaml" } });
  });
});

describe("a plan that does not exist", () => {
  it.each([
    ["paln.yaml", "did you mean `plan.yaml`?"],
    ["plan", "did you mean `plan.yaml`?"],
    ["plans/shpo.yaml", "did you mean `plans/shop.yaml`?"],
    ["nothing-like-it.yaml", "check the path; it is relative to the current folder"],
    ["none/plan.yaml", "check the path; it is relative to the current folder"],
  ])("%s: %s", async (typed, hint) => {
    for (const command of ["run", "validate", "plan", "convert"]) {
      const { code, stderr } = await run({ "plan.yaml": plan, "plans/shop.yaml": plan }, command, typed);
      expect(code).toBe(2);
      expect(stderr).toContain("error[file-missing]");
      expect(stderr).toContain(`help: ${hint}\n`);
    }
  });
});
