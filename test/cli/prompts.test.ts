import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makePlace, plaitIn } from "./place.ts";
import { main } from "./plait.ts";

const place = makePlace();

describe("prompts instead of a plan", () => {
  it("are run, gated and landed like the tasks of a plan, and can be looked at afterwards", async () => {
    const file = join(dirname(place.repo), "third task.md");
    writeFileSync(file, "demo: write c.txt from a file\n");
    const args = [
      ...[
        "run",
        "-p",
        "Write the first\ndemo: write a.txt A",
        "-p",
        "- demo: write x.txt x\ndemo: write b.txt B",
      ],
      ...["--prompt-file", file, "--prompt-file", "-", "--gate", "test -d src", "--gate", "test ! -e never"],
      ...["--agent", "demo", "-j", "2", "--only", "write-first,third-task,demo-write-d-txt-d", "--quiet"],
    ];
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
      ...{ cwd: place.repo, env: place.env, encoding: "utf8", input: "demo: write d.txt D\n" },
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/write-first-\w{4} landed on main .*3 of 3 done, every gate green/);
    expect(git(place, "ls-tree", "--name-only", "HEAD").split("\n")).toEqual([
      "a.txt",
      "c.txt",
      "d.txt",
      "src",
    ]);
    expect(git(place, "log", "--format=%s")).toContain("Write the first");
    const { plan } = JSON.parse((await plaitIn(place, "status", "--json")).stdout);
    expect(plan).toEqual({ name: "write-first", path: "-p" });
  });

  it("have a run of their own: only the same ones are told that it is unfinished", async () => {
    const own = makePlace();
    const ask = (text: string) => plaitIn(own, "run", "-p", text, "--agent", "demo", "--gate", "true");
    expect((await ask("Leave\ndemo: exit 1")).code).toBe(1);
    expect((await ask("Write it\ndemo: write a.txt a")).stderr).not.toContain("unfinished");
    expect((await ask("Leave\ndemo: exit 1")).stderr).toContain("is unfinished (0 of 1 done)");
  });

  it("are planned, with the command that runs them", async () => {
    const { code, stdout } = await plaitIn(
      place,
      "plan",
      "-p",
      "Fix the bug",
      "--gate",
      "npm test",
      "--agent",
      "demo",
    );
    expect(code).toBe(0);
    expect(stdout).toContain("npm test");
    expect(stdout).toContain("plait run --prompt 'Fix the bug' --gate 'npm test' --agent demo");
  });

  it.each<[string, string[]]>([
    ["no plan found in this folder", ["run"]],
    ["a plan and -p cannot be combined", ["run", "plan.yaml", "-p", "x"]],
    ["--gate needs -p", ["plan", "plan.yaml", "--gate", "x"]],
    ['--prompt "" is empty', ["run", "-p", ""]],
    ["--prompt needs a text", ["run", "-p", "--agent"]],
    ["read it from stdin: --prompt-file -", ["run", "-p", "-"]],
    ["stdin can be read only once", ["run", "--prompt-file", "-", "--prompt-file", "-"]],
    ["stdin is empty", ["run", "--prompt-file", "-"]],
    [
      "--prompt-file 2: error[file-missing]",
      ["plan", "--prompt-file", "src/a.txt", "--prompt-file", "none.md"],
    ],
    [
      "--prompt 2: error[prompt-too-large]",
      ["plan", "-p", "x", "-p", "long enough", "--max-prompt-bytes", "4"],
    ],
    ["unknown option", ["validate", "-p", "x"]],
  ])("that make no sense: %s", async (message, args) => {
    const before = git(place, "for-each-ref");
    const { code, stdout, stderr } = await plaitIn(place, ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(git(place, "for-each-ref")).toBe(before);
  });
});
