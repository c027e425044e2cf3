import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { git, makePlace, type Place, plaitIn } from "../cli/place.ts";
import { main, plait, root } from "../cli/plait.ts";

/** The old command line, as its users type it, in real repositories with the demo agent in the place of Claude. */

const place = (files: Readonly<Record<string, string>>): Place => {
  const { repo, env } = makePlace(files);
  // Nothing is tried again by itself: that takes time and is another subject.
  const { HOME = "" } = env;
  const config = join(HOME, ".config/plait/config.yaml");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, "defaults: { retries: 0, fix-rounds: 0 }\n");
  return { repo, env: { ...env, PLAIT_AGENT: "demo" } };
};

const inventory = join(root, "examples/inventory");
const exampleFiles = () =>
  Object.fromEntries(
    readdirSync(inventory, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(inventory, name)).isFile())
      .map((name) => [name, readFileSync(join(inventory, name), "utf8")]),
  );

const reportOf = ({ repo }: Place, dir: string) =>
  JSON.parse(readFileSync(join(repo, dir, "report.json"), "utf8"));
const logOf = ({ repo }: Place, dir: string, name: string) =>
  readFileSync(join(repo, dir, "logs", name), "utf8");

const SPEC = "parallel/TS-0042-inventory";

test("a folder is run from anywhere in the repository, lands as a whole, and leaves its logs and its report", async () => {
  const at = place(exampleFiles());
  // A branch and a marker that somebody left: neither is used, neither is touched (defects 4, 7 and 8).
  git(at, "checkout", "-q", "-b", "develop");
  writeFileSync(join(at.repo, "later.txt"), "on develop only\n");
  git(at, "add", "-A");
  git(at, "commit", "-q", "-m", "later");
  git(at, "branch", "feature/task-001-stock", "main");
  const before = git(at, "rev-parse", "main");
  const below = { ...at, repo: join(at.repo, "src") };
  const { code, stdout, stderr } = await plaitIn(below, "cpo", "run", `../${SPEC}`);
  expect(stderr.split("\n").filter((line) => line.startsWith("error"))).toEqual([]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Wave 1:\n {2}task-00.-\w+: RUNNING\n/);
  expect(stdout).toMatch(/\nWave 2:\n[\s\S]*\n\nCompleted: 4\/4 tasks\nFailed: 0 tasks\n/);
  expect(stdout).toContain("landed on develop as ");
  expect(stdout).toContain(
    `Integration is due: see whether the parts fit: plait spec integrate --parallel-dir ../${SPEC}`,
  );
  // All of it is on the branch that was checked out, wave upon wave (defects 4, 5 and 6); no marker is committed (7).
  expect(git(at, "rev-parse", "main", "feature/task-001-stock")).toBe(`${before}\n${before}`);
  const files = git(at, "ls-files").split("\n");
  expect(files).toEqual(
    expect.arrayContaining(["later.txt", "src/stock.js", "src/prices.js", "test/value.test.js"]),
  );
  expect(files.filter((name) => name.includes("claude-task-complete"))).toEqual([]);
  expect(git(at, "status", "--porcelain")).toBe("");
  expect(git(at, "worktree", "list").split("\n")).toHaveLength(1);

  const lines = logOf(at, SPEC, "orchestrator.log").trim().split("\n");
  expect(stderr.split("\n").filter((line) => line.startsWith("[PROGRESS]"))).toEqual(lines);
  expect(lines).toEqual(
    expect.arrayContaining([
      "[PROGRESS] wave=1 task=task-001-stock status=started",
      "[PROGRESS] wave=1 task=task-001-stock status=completed commits=1",
      "[PROGRESS] wave=1 status=completed tasks=2/2",
    ]),
  );
  expect(lines.at(-1)).toBe("[PROGRESS] execution status=completed waves_failed=0");
  const log = logOf(at, SPEC, "task-001-stock.log");
  for (const field of [
    "Task: task-001-stock",
    "Started: ",
    "Worktree: /",
    "Prompt: ",
    "Completed: ",
    "Commits: 1",
  ])
    expect(log).toContain(`\n${field}`);
  expect(statSync(join(at.repo, SPEC, "logs", "task-001-stock.log")).mode & 0o777).toBe(0o600);
  expect(reportOf(at, SPEC)).toMatchObject({
    ...{
      status: "completed",
      tech_spec_id: "TS-0042",
      name: "inventory",
      completed_tasks: 4,
      failed_tasks: 0,
    },
    landed: { branch: "develop", commit: git(at, "rev-parse", "HEAD") },
    waves: [
      { number: 1, status: "completed", validation: { status: "completed" } },
      { number: 2, status: "completed" },
    ],
    integration: { status: "pending" },
  });
  expect(reportOf(at, SPEC).tasks[0]).toMatchObject({
    id: "task-001-stock",
    commits: 1,
    result: { task_completed: true },
  });
  const status = await plaitIn(at, "cpo", "status", SPEC);
  expect(status.code).toBe(0);
  expect(status.stdout).toMatch(/COMPLETED \(run inventory-\w+\)\nWave 1:\n {2}task-001-stock: COMPLETED\n/);
});

const DIR = "parallel/TS-0001-small";
const manifest = (validation: string) =>
  `${JSON.stringify({
    tech_spec_id: "TS-0001",
    name: "small",
    waves: [
      { number: 1, tasks: [{ id: "task-001", agent: "a:b" }], validation },
      { number: 2, tasks: [{ id: "task-002", agent: "a:b" }] },
    ],
  })}\n`;
const task = (n: number, needs: string) =>
  `---\nid: task-00${n}\ncomponent: c${n}\nwave: ${n}\ndeps: [${needs}]\nagent: a:b\nskills: []\ncontracts: []\n---\n# task-00${n}: Part ${n}\n\n## Scope\nCREATE: src/${n}.txt\nBOUNDARY: docs/**\n`;
const small = (validation: string) => ({
  "src/a.txt": "a\n",
  ".gitignore": "parallel/*/logs/\nparallel/*/prompts/\n",
  ".claude-task-complete": "left by somebody\n",
  [`${DIR}/manifest.json`]: manifest(validation),
  [`${DIR}/context.md`]: "# Small\n",
  [`${DIR}/tasks/task-001-c1.md`]: task(1, ""),
  [`${DIR}/tasks/task-002-c2.md`]: task(2, "task-001"),
  [`${DIR}/prompts/task-001.txt`]: "demo: write src/1.txt one\n",
  [`${DIR}/prompts/task-002.txt`]: "demo: write src/2.txt two\ndemo: forget\n",
});

test("a marker alone is no work: missing files are named, go back to the agent, and nothing is merged without them (I1)", async () => {
  const files = small("true");
  const at = place({
    ...files,
    [`${DIR}/tasks/task-002-c2.md`]: task(2, "").replace("wave: 2", "wave: 1").replace("CREATE", "MODIFY"),
    [`${DIR}/manifest.json`]: JSON.stringify({
      tech_spec_id: "TS-0001",
      name: "small",
      waves: [{ number: 1, tasks: ["task-001", "task-002"].map((id) => ({ id, agent: "a:b" })) }],
    }),
    [`${DIR}/prompts/task-001.txt`]: "demo: say I only touch the marker.\n",
    [`${DIR}/prompts/task-002.txt`]: "demo: say I only touch the marker.\n",
  });
  const start = git(at, "rev-parse", "HEAD");
  const ended = await plaitIn(at, "cpo", "run", DIR);
  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain("  task-001: FAILED (did not create src/1.txt)\n");
  expect(ended.stdout).toContain(
    "  task-002: FAILED (made no changes; if that is correct, set `allow-empty: true` in ",
  );
  expect(ended.stdout).toContain("\nCompleted: 0/2 tasks\nFailed: 2 tasks\n");
  expect(ended.stderr).toContain("[PROGRESS] wave=1 task=task-001 status=failed error=incomplete");
  expect(git(at, "rev-parse", "HEAD")).toBe(start);

  // With a fix round the agent gets the finding; a task whose own file allows that changes nothing.
  const spec = join(at.repo, DIR, "tasks/task-002-c2.md");
  writeFileSync(spec, readFileSync(spec, "utf8").replace("skills: []", "skills: []\nallow-empty: true"));
  const { HOME = "" } = at.env;
  writeFileSync(join(HOME, ".config/plait/config.yaml"), "defaults: { retries: 0, fix-rounds: 1 }\n");
  writeFileSync(
    join(at.repo, DIR, "prompts/task-001.txt"),
    "demo: say I begin.\ndemo: on attempt 2+: write src/1.txt one\n",
  );
  const again = await plaitIn(at, "cpo", "run", DIR);
  expect(again.stdout).toContain("  task-001: RETRYING (did not create src/1.txt)\n");
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("Completed: 2/2 tasks") });
  expect(readFileSync(join(at.repo, "src/1.txt"), "utf8")).toBe("one\n");
});

test("what fails is counted and blocks the next wave, a second terminal sees it, and --retry-failed goes on with what was mended", async () => {
  const at = place(small("test -f src/nothing.txt"));
  const write = (name: string, text: string) => writeFileSync(join(at.repo, DIR, name), text);
  const start = git(at, "rev-parse", "HEAD");
  const looked = join(dirname(at.repo), "looked");
  write(
    "prompts/task-001.txt",
    `demo: run until test -e ${looked}; do sleep 0.05; done\ndemo: write src/1.txt one\n`,
  );
  const child = spawn(process.execPath, [main, "cpo", "run", DIR], {
    cwd: at.repo,
    env: at.env,
    stdio: "ignore",
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const log = join(at.repo, DIR, "logs/orchestrator.log");
  await expect
    .poll(() => existsSync(log) && readFileSync(log, "utf8").includes("task=task-001 status=started"), {
      timeout: 60_000,
    })
    .toBe(true);
  const second = await plaitIn(at, "cpo", "status", DIR);
  expect(second.stdout).toMatch(
    /: RUNNING \(run .*\nWave 1:\n {2}task-001: RUNNING\n {2}validation: PENDING\nWave 2:\n {2}task-002: PENDING\nCompleted: 0\/2 tasks\n/,
  );
  // Two at once would do all of it twice.
  const twice = await plaitIn(at, "cpo", "run", DIR);
  expect([twice.code, twice.stdout]).toEqual([1, ""]);
  expect(twice.stderr).toMatch(/small-\w+ is already running \S+\n[\s\S]*plait cpo status/);
  writeFileSync(looked, "");
  expect(await ended).toBe(1);
  expect(readFileSync(log, "utf8").trim().split("\n").slice(-5)).toEqual([
    expect.stringMatching(/^\[PROGRESS\] wave=1 validation status=failed error=\w+$/),
    "[PROGRESS] wave=1 status=failed tasks=1/1",
    "[PROGRESS] wave=2 task=task-002 status=skipped",
    "[PROGRESS] wave=2 status=skipped tasks=0/1",
    "[PROGRESS] execution status=failed waves_failed=1",
  ]);
  expect(git(at, "rev-parse", "HEAD")).toBe(start);
  const { run } = reportOf(at, DIR);

  // The validation is mended, what is merged is edited, a task is added; now an agent ends without its marker, and the stale one of somebody else does not count.
  const added = { id: "task-003", agent: "a:b" };
  const more = JSON.parse(manifest("test -f src/1.txt"));
  more.waves[0].tasks.push(added);
  write("manifest.json", JSON.stringify(more));
  write("tasks/task-003-c3.md", task(3, "").replace("wave: 3", "wave: 1"));
  write("prompts/task-003.txt", "demo: write src/3.txt three\ndemo: write docs/3.md mine\n");
  write("prompts/task-001.txt", "demo: write src/1.txt other\n");
  const again = await plaitIn(at, "cpo", "run", DIR, "--retry-failed");
  expect(again.code).toBe(1);
  expect(again.stdout).toContain(
    "task-002: FAILED (agent error: the agent did not create its done-file .claude-task-complete",
  );
  expect(again.stdout).toContain("\nCompleted: 2/3 tasks\nFailed: 1 tasks\n");
  expect(again.stdout).toContain("\ntask-003 changed files outside `owns`: docs/3.md\n");
  expect(again.stdout).toContain(`\nnext: plait cpo run ${DIR} --retry-failed `);
  expect(reportOf(at, DIR)).toMatchObject({ run, status: "failed", landed: null, integration: null });
  expect(logOf(at, DIR, "task-002.log")).toMatch(/\nFAILED: .*\nError: .*\nExit code: 0\n/);

  write("prompts/task-002.txt", "demo: write src/2.txt two\n");
  const last = await plaitIn(at, "cpo", "run", DIR, "--retry-failed");
  expect(last.code).toBe(0);
  expect(reportOf(at, DIR)).toMatchObject({ run, status: "completed", completed_tasks: 3 });
  expect(git(at, "show", "HEAD:src/2.txt", "HEAD:src/1.txt", "HEAD:src/3.txt")).toBe("two\none\nthree");

  // From another repository, of which nothing is used; what is complete needs no more than files that say so.
  const other = { ...at, repo: join(dirname(at.repo), "other") };
  mkdirSync(other.repo);
  git(other, "init", "-q", "-b", "main", ".");
  git(other, "commit", "-q", "--allow-empty", "-m", "start");
  rmSync(join(at.repo, DIR, "report.json"));
  rmSync(join(at.repo, DIR, "logs"), { recursive: true });
  const path = join(at.repo, DIR, "manifest.json");
  const complete = await plaitIn(other, "cpo", "run", path, "--retry-failed");
  expect([complete.code, complete.stdout]).toEqual([0, expect.stringContaining(`${run}, the latest run of`)]);
  expect(reportOf(at, DIR)).toMatchObject({ run, status: "completed", completed_tasks: 3 });
  expect(logOf(at, DIR, "orchestrator.log")).toMatch(
    /task=task-003 status=completed .*\n[\s\S]*waves_failed=0\n$/,
  );
  expect(logOf(at, DIR, "task-002.log").match(/^Run: /gm)).toHaveLength(2);
  expect(existsSync(join(other.repo, ".git/plait"))).toBe(false);
});

test("one wave at a time, once the waves before it have landed; files that git tracks are left alone", async () => {
  const files = {
    ...small("true"),
    [`${DIR}/report.json`]: "mine\n",
    [`${DIR}/prompts/task-001.txt`]: "demo: write src/1.txt one\n",
  };
  const at = place(files);
  const early = await plaitIn(at, "cpo", "run", DIR, "--wave", "2");
  expect([early.code, early.stderr]).toEqual([
    1,
    expect.stringContaining("--wave 2: task-001 of earlier waves has not landed"),
  ]);
  const first = await plaitIn(
    { ...at, env: { ...at.env, PARALLEL_DIR: DIR, WORKSPACE_ROOT: "../w" } },
    "cpo",
    "run",
    "--wave",
    "1",
  );
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining("Completed: 1/1 tasks")]);
  expect(first.stdout).not.toContain("Integration is due");
  expect(first.stderr).toContain("WORKSPACE_ROOT has no effect");
  expect(first.stderr).toContain(`cannot write ${DIR}/report.json: git tracks it`);
  expect(readFileSync(join(at.repo, DIR, "report.json"), "utf8")).toBe("mine\n");
  const dry = await plaitIn(at, "cpo", "run", DIR, "--wave", "2", "--dry-run");
  expect([dry.code, dry.stdout]).toEqual([
    0,
    "Wave 2:\n  task-002: demo\nWould run 1 task, up to 3 at once. Nothing was started.\n",
  ]);
});

test("the command line answers without a run: help, version, wrong words, init, validate", async () => {
  const at = place({ "a.txt": "a\n" });
  expect(plait(["cpo", "--help"])).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/^usage: cpo /),
  });
  expect(plait(["cpo"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("usage: cpo"),
  });
  const cpo = (...words: string[]) => plaitIn(at, "cpo", ...words);
  expect(await cpo("validate", "none")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no such folder"),
  });
  expect(await cpo("run", ".")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no manifest.json"),
  });
  expect(await cpo("init", DIR, "-t", "TS-0001", "-n", "small")).toMatchObject({ code: 0 });
  expect(await cpo("init", DIR, "-t", "TS-0001", "-n", "small")).toMatchObject({ code: 2, stdout: "" });
  expect(await cpo("status", DIR)).toMatchObject({ code: 1, stdout: expect.stringContaining("No runs of") });
  expect(await cpo("validate", DIR)).toEqual({
    code: 0,
    stdout: `${DIR}: valid, 1 wave, 1 task\n`,
    stderr: "",
  });
  for (const [n, needed] of [
    [1, 2],
    [2, 1],
  ] as const)
    writeFileSync(join(at.repo, DIR, `tasks/task-00${n}-c.md`), task(n, `task-00${needed}`));
  rmSync(join(at.repo, DIR, "tasks/task-001-example.md"));
  writeFileSync(join(at.repo, DIR, "prompts/task-002.txt"), "Do it.\n");
  writeFileSync(join(at.repo, DIR, "manifest.json"), manifest("true"));
  const wrong = await cpo("validate", DIR);
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toMatch(
    new RegExp(
      `^${DIR}/tasks/task-001-c.md:\\d+:\\d+: error.*circular dependency detected: .task-001 -> task-002`,
      "m",
    ),
  );
  expect(wrong.stdout).toContain(`${DIR}: not valid`);
  expect(await cpo("run", DIR)).toMatchObject({ code: 1, stdout: "" });
});
