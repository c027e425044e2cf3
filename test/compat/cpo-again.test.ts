import { describe, expect, test } from "vitest";
import { planToGoOn, unfinishedOf } from "../../src/app/cpo/go-on.ts";
import type { Finding } from "../../src/core/facts.ts";
import { remarks } from "../../src/core/select/remarks.ts";
import { formatCommand } from "../../src/core/text/command.ts";
import { listCpoSteps, notLanded } from "../../src/report/cpo/next.ts";
import { figuresOf, outline } from "../../src/report/cpo/outline.ts";
import { executionLine, nodeLine } from "../../src/report/cpo/progress.ts";
import { cpoReport } from "../../src/report/cpo/report.ts";
import { logHead } from "../../src/report/cpo/task-log.ts";
import { hashOf, planOf, type TaskSketch } from "../support/plans.ts";
import { Scenario } from "../support/scenario.ts";

/** A run that goes on with a folder that was edited, and what is said of runs that did not go well. */

const run = { kind: "shell", line: "make test" } as const;
const source = { format: "cpo", path: "parallel/TS-0042-x", hash: hashOf("plan") };
const judge = (wave: number, ...needs: string[]): TaskSketch => ({
  id: `wave-${wave}-validation`,
  work: { kind: "command", run },
  access: "read-only",
  needs,
  retries: 0,
});
const one: TaskSketch = { id: "task-001", wave: 1, retries: 0 };
const two: TaskSketch = { id: "task-002", wave: 2, retries: 0 };
const before = [one, judge(1, "task-001"), { ...two, needs: ["wave-1-validation"] }];

/** The first wave is done, the second has failed. */
const begun = (only?: string[]) => {
  const told = new Scenario(before, { plan: { source }, ...(only && { only }) });
  told.work("task-001/1").merge().start("wave-1-validation/1").end("wave-1-validation/1");
  told.save("wave-1-validation/1", { changed: false });
  if (only !== undefined) return told.land().finish();
  told.start("task-002/1").end("task-002/1", { reason: "crash", detail: "it broke" });
  return told.save("task-002/1", { changed: false }).finish();
};
const edited = (tasks: readonly TaskSketch[]) =>
  planOf(tasks, { source: { ...source, hash: hashOf("edited") } });
const nothing = () => false;

describe("--retry-failed", () => {
  test("takes the folder as it is now: what was added runs, and a validation judges what was added to its wave", () => {
    const told = begun();
    const three: TaskSketch = { id: "task-003", wave: 1 };
    const now = edited([one, three, judge(1, "task-001", "task-003"), two, judge(2, "task-002")]);
    const going = planToGoOn(told, now, nothing);
    expect(going).toMatchObject({ redo: ["wave-1-validation"], stays: [], isNew: true });
    expect(going?.plan.tasks.map(({ id }) => id)).toEqual(now.tasks.map(({ id }) => id));
    const { plan, redo } = going as NonNullable<typeof going>;
    const { policy } = told.state;
    told.resume().ask({ kind: "revise", plan, policy, accounts: {}, redo });
    expect(told.task("task-001").phase.kind).toBe("merged");
    for (const id of ["task-002", "task-003", "wave-1-validation", "wave-2-validation"])
      expect([id, told.task(id).phase.kind]).toEqual([id, "waiting"]);
  });

  test("what is done stays as the run has it, whatever is written, skipped or deleted now", () => {
    const told = begun();
    const other = { work: { kind: "command", run: { kind: "shell", line: "other" } } } as const;
    const now = edited([{ ...one, title: "Another", ...other, access: "write" }, two]);
    const going = planToGoOn(told, now, ({ id }) => id === "task-001");
    expect(going).toMatchObject({ redo: [], stays: ["task-001"] });
    const { plan } = going as NonNullable<typeof going>;
    expect(plan.tasks.map(({ id }) => id)).toEqual(["task-001", "task-002", "wave-1-validation"]);
    expect(plan.tasks[0]).toEqual(told.state.index.plan.tasks[0]);
    const { policy } = told.state;
    expect(told.resume().refusal({ kind: "revise", plan, policy, accounts: {}, redo: [] })).toBeNull();
  });

  test("the same folder is nothing new; without what is skipped it is", () => {
    const told = begun();
    const same = planOf(before, { source });
    expect(planToGoOn(told, same, nothing)?.isNew).toBe(false);
    const going = planToGoOn(told, same, ({ id }) => id === "task-002");
    expect(going?.isNew).toBe(true);
    expect(going?.plan.tasks.map(({ id }) => id)).toEqual(["task-001", "wave-1-validation"]);
  });

  test("a run of one wave stays with it", () => {
    const told = begun(["task-001", "wave-1-validation"]);
    const now = edited([
      one,
      { id: "task-003", wave: 1 },
      judge(1, "task-001", "task-003"),
      two,
      { id: "task-004", wave: 2 },
    ]);
    const ids = planToGoOn(told, now, nothing)?.plan.tasks.map(({ id }) => id);
    expect(ids).toEqual(["task-001", "task-003", "wave-1-validation", "task-002"]);
  });

  test("is for the latest run that is not complete, and not for one that was taken back before", () => {
    const [left, done] = [begun(), begun(["task-001", "wave-1-validation"])];
    expect(unfinishedOf([done, left])).toBe(left);
    expect(unfinishedOf([done])).toBeNull();
    const undone = { state: { ...left.state, landing: { kind: "undone" } } } as never as Scenario;
    expect(unfinishedOf([done, undone])).toBeNull();
    expect(unfinishedOf([undone, done])).toBe(undone);
  });
});

describe("what is said of a run", () => {
  const outside: Finding[] = [
    { kind: "boundary", path: "docs/a.md", detail: "inside the boundary docs/**", blocks: false },
    { kind: "outside-claims", path: "b.txt", detail: "not among what the task owns", blocks: false },
  ];

  test("changes outside its scope, in every file and at the end", () => {
    const told = new Scenario([one], { plan: { source } }).start("task-001/1").end("task-001/1");
    told.save("task-001/1", { findings: outside }).merge().land().finish();
    const [node] = outline(told.state, told.now)[0]?.nodes ?? [];
    expect(nodeLine(node as never, 1)).toBe(
      "[PROGRESS] wave=1 task=task-001 status=completed commits=1 findings=2",
    );
    const beside = { techSpecId: null, name: null, said: new Map(), commits: new Map() };
    expect(cpoReport(told.state, beside).tasks[0]?.findings).toEqual(
      outside.map(({ kind, path, detail }) => ({ kind, path, detail })),
    );
    expect(remarks(told.state)).toContain("task-001 changed files outside `owns`: docs/a.md, b.txt");
  });

  test("a wave that was stopped is not running", () => {
    const told = new Scenario(before, { plan: { source } }).start("task-001/1");
    expect(outline(told.state, told.now).map(({ status }) => status)).toEqual(["running", "pending"]);
    const cutOff = outline(told.state, told.now, { isRunning: false });
    expect(cutOff.map(({ status, nodes }) => [status, nodes[0]?.word])).toEqual([
      ["stopped", "STOPPED"],
      ["pending", "PENDING"],
    ]);
    expect(figuresOf(cutOff).wavesFailed).toBe(0);
  });

  test("a command that fails is no agent, and dependencies are no wave", () => {
    const install: TaskSketch = { id: "dependencies", work: { kind: "command", run }, retries: 0 };
    const told = new Scenario([install, { ...one, needs: ["dependencies"] }], { plan: { source } });
    told.start("dependencies/1").end("dependencies/1", { reason: "agent-error", detail: "exit code 3" });
    told.save("dependencies/1", { changed: false }).finish();
    const waves = outline(told.state, told.now);
    expect(waves.map(({ status, nodes }) => [status, nodes[0]?.note])).toEqual([
      ["failed", "exit code 3"],
      ["skipped", "dependencies failed"],
    ]);
    expect(executionLine(waves, { isDone: false })).toBe(
      "[PROGRESS] execution status=failed waves_failed=0 dependencies=failed",
    );
    const about = { task: "dependencies", run: "x-1", attempt: 1, startedAt: 0, worktree: "/w" };
    expect(logHead({ ...about, work: { command: "npm install" } })).toContain("\nCommand: npm install\n");
  });

  test("what to type is cpo's where it has it, and else names the run", () => {
    const commands = (told: Scenario) =>
      listCpoSteps(told.state, { typed: "plait cpo", named: source.path }).map(({ command }) =>
        formatCommand(command),
      );
    expect(commands(begun())).toEqual([
      "plait cpo run parallel/TS-0042-x --retry-failed",
      "plait logs task-002 --run run-1",
      "plait open task-002 --run run-1",
      "plait land run-1",
    ]);
    const done = new Scenario([one], { plan: { source } }).work("task-001/1").merge();
    const ended = { at: done.state.clock, outcome: "incomplete" };
    const refused = (why: "no-target" | "dirty") => {
      const target = why === "no-target" ? null : done.state.target;
      return {
        state: { ...done.state, ended, target, landing: { kind: "refused", why, detail: "No." } },
      } as Scenario;
    };
    expect(commands(refused("no-target"))).toEqual(["plait land run-1 --onto <branch>"]);
    expect(commands(refused("dirty"))).toEqual(["plait cpo run parallel/TS-0042-x --retry-failed"]);
    expect(notLanded(refused("dirty").state)).toBe("Not landed: No.");
    expect(notLanded(begun().state)).toBeNull();
  });
});
