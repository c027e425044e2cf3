import { describe, expect, test } from "vitest";
import { partOfPlan } from "../../src/app/cpo/go-on.ts";
import type { FailureReason } from "../../src/core/failure.ts";
import { integrationDue, remarks } from "../../src/core/select/remarks.ts";
import { type CpoWave, figuresOf, outline } from "../../src/report/cpo/outline.ts";
import {
  changes,
  countLines,
  executionLine,
  nodeLine,
  nodeText,
  waveLine,
} from "../../src/report/cpo/progress.ts";
import { cpoReport, resultJson } from "../../src/report/cpo/report.ts";
import { logFoot, logHead } from "../../src/report/cpo/task-log.ts";
import { hashOf, planOf, type TaskSketch, taskId } from "../support/plans.ts";
import { Scenario } from "../support/scenario.ts";

const run = { kind: "shell", line: "make test" } as const;
const source = { format: "cpo", path: "parallel/TS-0042-x", hash: hashOf("plan") };

/** As the format makes it: two waves, a validation after the first, an installation before both. */
const tasks: readonly TaskSketch[] = [
  { id: "dependencies-node", work: { kind: "command", run }, allowEmpty: true },
  { id: "task-001", wave: 1, needs: ["dependencies-node"], retries: 0 },
  { id: "task-002", wave: 1, needs: ["dependencies-node"], retries: 0 },
  {
    id: "wave-1-validation",
    work: { kind: "command", run },
    access: "read-only",
    needs: ["task-001", "task-002"],
    retries: 0,
  },
  { id: "task-003", wave: 2, needs: ["task-001", "wave-1-validation"] },
];

/** Every fact is looked at, as the listener of a run does. */
class Told {
  readonly run = new Scenario(tasks, { plan: { source } });
  readonly lines: string[] = [];
  readonly texts: string[] = [];
  private before: readonly CpoWave[] = [];

  constructor() {
    this.look();
  }

  step(...steps: ((run: Scenario) => Scenario)[]): this {
    for (const one of steps) {
      one(this.run);
      this.look();
    }
    return this;
  }

  private look(): void {
    const after = outline(this.run.state, this.run.now);
    for (const change of changes(this.before, after)) {
      if (change.kind === "wave") this.lines.push(waveLine(change.wave) ?? "");
      else {
        this.lines.push(nodeLine(change.node, change.node.word === "COMPLETED" ? 2 : null));
        this.texts.push(nodeText(change.node));
      }
    }
    this.before = after;
  }
}

const start = (id: string) => (run: Scenario) => run.start(`${id}/1`);
const end = (id: string) => (run: Scenario) => run.end(`${id}/1`).save(`${id}/1`);
const merge = (run: Scenario) => run.merge();
const pass = (id: string) => (run: Scenario) => run.end(`${id}/1`).save(`${id}/1`, { changed: false });
const fail =
  (id: string, reason: Extract<FailureReason, "crash"> = "crash") =>
  (run: Scenario) =>
    run.end(`${id}/1`, { reason, detail: "it broke" }).save(`${id}/1`, { changed: false });

const firstWave = (told: Told) =>
  told
    .step(start("dependencies-node"), end("dependencies-node"), merge)
    .step(start("task-001"), start("task-002"), end("task-001"), merge);

describe("a run in the words of cpo", () => {
  test("a good run: lines for people and lines for scripts", () => {
    const told = firstWave(new Told())
      .step(end("task-002"), merge, start("wave-1-validation"), pass("wave-1-validation"))
      .step(start("task-003"), end("task-003"), merge)
      .step((one) => one.land())
      .step((one) => one.finish());
    expect(told.texts).toEqual([
      "  dependencies: RUNNING",
      "  dependencies: COMPLETED",
      "  task-001: RUNNING",
      "  task-002: RUNNING",
      "  task-001: COMPLETED",
      "  task-002: COMPLETED",
      "  validation: RUNNING",
      "  validation: COMPLETED",
      "  task-003: RUNNING",
      "  task-003: COMPLETED",
    ]);
    expect(told.lines.filter((line) => line !== "")).toEqual([
      "[PROGRESS] dependencies status=started",
      "[PROGRESS] dependencies status=completed",
      "[PROGRESS] wave=1 task=task-001 status=started",
      "[PROGRESS] wave=1 task=task-002 status=started",
      "[PROGRESS] wave=1 task=task-001 status=completed commits=2",
      "[PROGRESS] wave=1 task=task-002 status=completed commits=2",
      "[PROGRESS] wave=1 validation status=started",
      "[PROGRESS] wave=1 validation status=completed",
      "[PROGRESS] wave=1 status=completed tasks=2/2",
      "[PROGRESS] wave=2 task=task-003 status=started",
      "[PROGRESS] wave=2 task=task-003 status=completed commits=2",
      "[PROGRESS] wave=2 status=completed tasks=1/1",
    ]);
    const waves = outline(told.run.state, told.run.now, { isRunning: false });
    expect([...countLines(waves), executionLine(waves, { isDone: true })]).toEqual([
      "Completed: 3/3 tasks",
      "Failed: 0 tasks",
      "[PROGRESS] execution status=completed waves_failed=0",
    ]);
  });

  test("a failure is counted, and what follows from it is told when its wave is over (defect 5)", () => {
    const told = firstWave(new Told());
    const before = told.lines.length;
    told.step(fail("task-002"), (one) => one.finish());
    expect(told.texts.slice(-3)).toEqual([
      "  task-002: FAILED (agent crashed: it broke)",
      "  validation: SKIPPED (task-002 failed)",
      "  task-003: SKIPPED (task-002 failed)",
    ]);
    expect(told.lines.slice(before)).toEqual([
      "[PROGRESS] wave=1 task=task-002 status=failed error=crash",
      "[PROGRESS] wave=1 validation status=skipped",
      "[PROGRESS] wave=1 status=failed tasks=1/2",
      "[PROGRESS] wave=2 task=task-003 status=skipped",
      "[PROGRESS] wave=2 status=skipped tasks=0/1",
    ]);
    const waves = outline(told.run.state, told.run.now, { isRunning: false });
    expect(figuresOf(waves)).toEqual({ total: 3, completed: 1, failed: 1, skipped: 1, wavesFailed: 1 });
    expect(executionLine(waves, { isDone: false })).toBe("[PROGRESS] execution status=failed waves_failed=1");
  });

  test("later waves are silent while the wave that failed goes on", () => {
    const told = new Told().step(start("dependencies-node"), end("dependencies-node"), merge);
    told.step(start("task-001"), start("task-002"), fail("task-001"));
    expect(told.texts.at(-1)).toContain("task-001: FAILED");
    expect(told.lines.at(-1)).not.toContain("wave=2");
  });

  test("a red validation fails its wave, and the next one is skipped", () => {
    const told = firstWave(new Told()).step(end("task-002"), merge, start("wave-1-validation"));
    told.step(fail("wave-1-validation"), (one) => one.finish());
    expect(told.lines.slice(-4)).toEqual([
      "[PROGRESS] wave=1 validation status=failed error=crash",
      "[PROGRESS] wave=1 status=failed tasks=2/2",
      "[PROGRESS] wave=2 task=task-003 status=skipped",
      "[PROGRESS] wave=2 status=skipped tasks=0/1",
    ]);
  });

  test("report.json tells of waves and tasks, with the result that an agent gave", () => {
    const told = firstWave(new Told()).step(fail("task-002"), (one) => one.finish());
    const said = new Map([
      [told.run.task("task-001").past[0]?.id as never, 'Done.\n{"task_completed": true}'],
    ]);
    const commits = new Map([[told.run.task("task-001").past[0]?.id as never, 3]]);
    const report = cpoReport(told.run.state, { techSpecId: "TS-0042", name: "x", said, commits });
    expect(report).toMatchObject({
      ...{ status: "failed", tech_spec_id: "TS-0042", name: "x", run: "run-1", run_status: "not-landed" },
      ...{ total_tasks: 3, completed_tasks: 1, failed_tasks: 1, skipped_tasks: 1, waves_failed: 1 },
      ...{ landed: null, integration: null, dependencies: { status: "completed", error: null } },
      waves: [
        { number: 1, status: "failed", tasks: ["task-001", "task-002"], validation: { status: "skipped" } },
        { number: 2, status: "skipped", tasks: ["task-003"], validation: null },
      ],
      tasks: [
        {
          id: "task-001",
          agent: "claude",
          wave: 1,
          status: "completed",
          attempts: 1,
          commits: 3,
          error: null,
        },
        { id: "task-002", status: "failed", error: "crash", commits: 0, result: null, commit: null },
        { id: "task-003", status: "skipped", attempts: 0, started_at: null },
      ],
    });
    expect(report.tasks[0]).toMatchObject({
      result: { task_completed: true },
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
  });

  test("integration is due when all is done, and only for a cpo folder", () => {
    const whole = (format: string) =>
      new Scenario([{ id: "a" }], { plan: { source: { ...source, format } } }).work("a/1").merge();
    const done = whole("cpo").land().finish();
    const says =
      "Integration is due: see whether the parts fit: plait spec integrate --parallel-dir parallel/TS-0042-x";
    expect(integrationDue(done.state)).toBe(says);
    expect(remarks(done.state)).toContain(says);
    expect(integrationDue(whole("cpo").state)).toBeNull();
    expect(integrationDue(whole("native").land().finish().state)).toBeNull();
  });
});

describe("the result of an agent", () => {
  test.each([
    ['{"task_completed": true}', { task_completed: true }],
    [
      'Text {"a": 1} and\n```json\n{"task_completed": false, "full_log": "if (x) { y }"}\n```\nBye {',
      { task_completed: false },
    ],
    ['{"task_completed": true, "n": 1} later {"task_completed": true, "n": 2}', { n: 2 }],
    [
      '{"full_log": "say {\\"task_completed\\": 1}", "task_completed": true}',
      { task_completed: true, full_log: expect.any(String) },
    ],
  ])("%s", (said, result) => expect(resultJson(said)).toMatchObject(result));

  test.each([
    "",
    "no json",
    '{"task_completed": tru',
    '{"other": 1}',
    `${"{".repeat(5_000)}"task_completed"`,
  ])("that is none, or is malformed, is no failure", (said) => expect(resultJson(said)).toBeNull());
});

test("a log has one line a field, whatever stands in it", () => {
  const head = {
    task: "task-001",
    run: "x-1",
    attempt: 1,
    startedAt: 0,
    worktree: "/w\nFAILED: no",
    work: { prompt: "p.txt" },
  };
  expect(logHead(head).split("\n").slice(1, -2)).toEqual([
    "Task: task-001",
    "Run: x-1, attempt 1",
    "Started: 1970-01-01T00:00:00.000Z",
    "Worktree: /w FAILED: no",
    "Prompt: p.txt",
  ]);
  const foot = { endedAt: 0, commits: 2, exit: null, why: "not done after 2:00:00" };
  expect(logFoot({ ...foot, failure: null })).toMatch(/Completed: 1970.*\nCommits: 2\n/);
  const timeout = { reason: "timeout", clock: "total", detail: "" } as const;
  expect(logFoot({ ...foot, failure: timeout })).toMatch(
    /FAILED: .*\n.*\nExit code: 124 \(error=timeout\)\n/,
  );
});

test("a part of a plan waits for nothing that is not in it", () => {
  const plan = planOf(tasks);
  const part = partOfPlan(plan, ({ wave }) => wave === 2);
  expect(part?.tasks.map(({ id, needs }) => [id, needs])).toEqual([["task-003", []]]);
  expect(partOfPlan(plan, ({ id }) => id !== taskId("task-002"))?.tasks.at(-2)?.needs).toEqual(["task-001"]);
  expect(partOfPlan(plan, () => false)).toBeNull();
});
