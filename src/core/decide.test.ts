import { describe, expect, test } from "vitest";
import { ACCOUNT, planOf, taskId } from "../../test/support/plans.ts";
import { Scenario } from "../../test/support/scenario.ts";
import { decide, type RunCommand } from "./decide.ts";
import { listRevision } from "./select/plan-changes.ts";
import { countStatuses, progress } from "./select/progress.ts";
import { taskRows } from "./select/task-rows.ts";
import { formatRefusal } from "./text/refusal.ts";

const a = taskId("a");
const said = { reason: "agent-said-no", detail: "no" } as const;
const two = [{ id: "a" }, { id: "b", needs: ["a"] }];
const failed = () => new Scenario(two).start("a/1").end("a/1", said).save("a/1");

describe("refusals say why", () => {
  test.each([
    [
      "an unknown task",
      new Scenario(two),
      { kind: "retry", task: taskId("zz") },
      "unknown task `zz`; list the tasks: plait status run-1",
    ],
    [
      "a running task",
      new Scenario(two).start("a/1"),
      { kind: "retry", task: a },
      "cannot retry `a`: it is running; see the run: plait status run-1",
    ],
    [
      "a task whose work waits for its checks in a stopped run",
      new Scenario(two).start("a/1").ask({ kind: "stop", mode: "kill" }).end("a/1").finish(),
      { kind: "open", task: a },
      "cannot open `a`: it is stopped; resume the run: plait resume run-1",
    ],
    [
      "a merged task",
      new Scenario(two).work("a/1").merge(),
      { kind: "cancel", task: a },
      "cannot drop `a`: it is merged",
    ],
    [
      "a skipped task",
      failed(),
      { kind: "retry", task: taskId("b") },
      "cannot retry `b`: it needs `a`; retry `a` first: plait retry a --run run-1",
    ],
    [
      "to take over a task that only looks",
      new Scenario([{ id: "a", access: "read-only" }]).start("a/1").end("a/1", said).save("a/1"),
      { kind: "open", task: a },
      "cannot open `a`: it is read-only; run it again: plait retry a --run run-1",
    ],
    [
      "a task that is not held",
      new Scenario(two),
      { kind: "approve", task: a },
      "cannot approve `a`: it is waiting, not held",
    ],
    ["nothing to land", new Scenario(two), { kind: "land" }, "run-1 has no merged tasks to land"],
    [
      "zero slots",
      new Scenario(two),
      { kind: "resize", slots: 0 },
      "the number of slots must be 1 to 256, not 0",
    ],
    [
      "a second pause",
      new Scenario(two).ask({ kind: "pause" }),
      { kind: "pause" },
      "the run is already paused",
    ],
    [
      "a softer stop",
      new Scenario(two).ask({ kind: "stop", mode: "stop" }),
      { kind: "stop", mode: "drain" },
      "the run is already stopping; watch it: plait watch run-1",
    ],
    [
      "work behind an unmet need",
      new Scenario(two),
      { kind: "open", task: taskId("b") },
      "cannot open `b`: it needs `a`",
    ],
    [
      "work that nobody took over",
      new Scenario(two),
      { kind: "accept", task: a },
      "cannot submit `a`: it is not open; open it first: plait open a --run run-1",
    ],
    [
      "a retry of what a person has",
      new Scenario(two).ask({ kind: "open", task: a }),
      { kind: "retry", task: a },
      "cannot retry `a`: you have it open; submit or drop it first: plait submit a --run run-1, or plait drop a --run run-1",
    ],
    [
      "to land beside a task that runs",
      new Scenario([{ id: "a" }, { id: "b" }]).work("a/1").merge().start("b/1"),
      { kind: "land" },
      "1 task is not finished; stop the run first: plait stop run-1 --now",
    ],
    ["to take back what has not landed", new Scenario(two), { kind: "undo" }, "the run has not landed"],
  ] as const)("%s", (_name, run, command, refusal) => {
    expect(run.refusal(command)).toBe(refusal);
  });
});

test("a task that was not chosen cannot be retried", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }], { only: ["b"] });
  expect(run.refusal({ kind: "retry", task: a })).toBe("`a` is not part of run-1");
});

describe("what people ask for", () => {
  test("a cancelled task is ended, saved, and its dependents are skipped", () => {
    const run = new Scenario(two).start("a/1").ask({ kind: "cancel", task: a });
    expect(run.wants()).toEqual(["attend a/1", "stop a/1 (cancel)"]);
    expect(run.phase("b")).toEqual({ kind: "skipped", because: "a" });
    run.end("a/1").save("a/1");
    expect(run.phase("a").kind).toBe("cancelled");
    expect(run.task("a").past[0]?.failure).toMatchObject({ reason: "cancelled" });
  });

  test("cancelling a queued task takes its candidate out of the queue, the others stay", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { mergeAhead: 2 } })
      .work("a/1")
      .work("b/1");
    run.build().build().ask({ kind: "cancel", task: a });
    expect(run.state.candidates).toEqual([]);
    expect(run.wants()).toEqual(["merge b/1"]);
  });

  test("a person's work is saved, gated and merged like an agent's, and dependents go on", () => {
    const run = failed().ask({ kind: "open", task: a });
    expect(run.wants()).toEqual(["open a/2"]);
    run.opened("a/2").ask({ kind: "accept", task: a });
    expect(run.wants()).toEqual(["save a/2"]);
    expect(run.phase("b")).toEqual({ kind: "waiting" });
    run.save("a/2").merge();
    expect(run.wants()).toEqual(["start b/1"]);
  });
});

test("an edited plan takes nothing from a person who has it open (I2)", () => {
  const { policy } = new Scenario([{ id: "a" }]).state;
  const open = () => new Scenario([{ id: "a" }, { id: "b" }]).ask({ kind: "open", task: a });
  const revised = (...tasks: Parameters<typeof planOf>[0]) =>
    ({ kind: "revise", plan: planOf(tasks), accounts: {}, redo: [], policy }) as const;
  const refusal =
    "the new plan changes `a`, which you have open; submit or drop it first: plait submit a --run run-1, or plait drop a --run run-1";
  expect(open().refusal(revised({ id: "b" }))).toBe(refusal);
  expect(open().refusal(revised({ id: "a", title: "other words" }, { id: "b" }))).toBe(refusal);
  expect(open().refusal(revised({ id: "a" }, { id: "c" }))).toBeNull();
});

describe("a revised plan", () => {
  const accounts = { a: ACCOUNT, b: ACCOUNT, c: ACCOUNT };
  const plan = (tasks: Parameters<typeof planOf>[0]) => planOf(tasks);
  const { policy } = new Scenario([{ id: "a" }]).state;

  test("merged tasks stay, new ones wait, removed ones that had begun are cancelled", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }]).work("a/1").merge().start("b/1");
    run.ask({
      kind: "revise",
      plan: plan([{ id: "a" }, { id: "c", needs: ["a"] }]),
      accounts,
      redo: [],
      policy,
    });
    expect(run.phases()).toEqual({ a: "merged", c: "waiting", b: "cancelled" });
    expect(run.wants()).toEqual(["attend b/1", "stop b/1 (cancel)", "start c/1"]);
  });

  test("a merged task that is removed stays, and counts wherever merged tasks are counted", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }, { id: "c" }]).work("b/1").merge().start("c/1");
    const revise = { kind: "revise", plan: plan([{ id: "a" }]), accounts, redo: [], policy } as const;
    expect(listRevision(run.state, revise.plan, [])).toEqual([
      "dropped: c",
      "not in the plan, merged work stays: b",
    ]);
    run.ask(revise).end("c/1").save("c/1");
    expect(run.phases()).toEqual({ a: "waiting", b: "merged", c: "cancelled" });
    expect(progress(run.state)).toMatchObject({ done: 1, total: 2 });
    expect(countStatuses(taskRows(run.state, run.now))).toMatchObject({ merged: 1, waiting: 1, dropped: 0 });
    expect(taskRows(run.state, run.now).map(({ task }) => task)).toEqual(["a", "b"]);
    const { state } = run;
    expect(run.ask(revise).state.tasks).toEqual(state.tasks);
    run.work("a/1").merge();
    expect(progress(run.state)).toMatchObject({ done: 2, total: 2 });
  });

  test("a task that is gone while it runs is ended, saved, and no longer counts", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { slots: 2 } }).start("a/1").start("b/1");
    run.ask({ kind: "revise", plan: plan([{ id: "a" }]), accounts, redo: [], policy });
    expect(run.wants()).toEqual(["attend a/1", "attend b/1", "stop b/1 (cancel)"]);
    expect(run.refusal({ kind: "retry", task: taskId("b") })).toBe("`b` is not part of run-1");
    run.end("b/1").save("b/1").end("a/1").save("a/1").merge().land();
    expect(run.wants()).toEqual(["finish complete"]);
  });

  test("a task that comes back into the plan is done after all", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }]).start("b/1");
    run
      .ask({ kind: "revise", plan: plan([{ id: "a" }]), accounts, redo: [], policy })
      .end("b/1")
      .save("b/1");
    run.ask({ kind: "revise", plan: plan([{ id: "a" }, { id: "b" }]), accounts, redo: [], policy });
    expect(run.wants()).toEqual(["start a/1", "start b/2"]);
  });

  test("a task that is changed while it runs is ended and tried again with the new words", () => {
    const run = new Scenario([{ id: "a" }]).start("a/1");
    run.ask({ kind: "revise", plan: plan([{ id: "a", title: "new words" }]), accounts, redo: [], policy });
    expect(run.wants()).toEqual(["attend a/1", "stop a/1 (superseded)"]);
    run.end("a/1").save("a/1");
    expect(run.wants()).toEqual(["start a/2"]);
  });

  test("a changed merged task needs to be named for redoing", () => {
    const run = new Scenario([{ id: "a" }, { id: "b", needs: ["a"] }]).work("a/1").merge();
    const changed = plan([
      { id: "a", title: "new words" },
      { id: "b", needs: ["a"] },
    ]);
    expect(run.refusal({ kind: "revise", plan: changed, accounts, redo: [], policy })).toContain("--redo a");
    run.ask({ kind: "revise", plan: changed, accounts, redo: [a], policy });
    expect(run.phases()).toEqual({ a: "waiting", b: "waiting" });
    run.work("a/2").merge();
    expect(run.wants()).toEqual(["start b/1"]);
  });

  test("I11: a fix that waited for a redone need starts afresh, from a tree that has its new work", () => {
    const tasks = [{ id: "a" }, { id: "b", needs: ["a"], fixRounds: 1 }];
    const run = new Scenario(tasks).work("a/1").merge().start("b/1").end("b/1");
    run.save("b/1", { findings: [{ kind: "outside-claims", path: "x", detail: "not owned", blocks: true }] });
    expect(run.want("start").fix).toMatchObject({ attempt: "b/1" });
    const changed = plan([{ id: "a", title: "new words" }, tasks[1]!]);
    run
      .ask({ kind: "revise", plan: changed, accounts, redo: [a], policy })
      .work("a/2")
      .merge();
    expect(run.want("start")).toMatchObject({ attempt: "b/2", fix: null, base: run.state.tip });
  });

  test("work for the old words that merged while the plan was changed does not count", () => {
    const run = new Scenario([{ id: "a" }]).work("a/1").build();
    const { from, to, tasks } = run.want("advance");
    run.ask({ kind: "revise", plan: plan([{ id: "a", title: "new words" }]), accounts, redo: [], policy });
    run.fact({ type: "integration.advanced", from, to, tasks });
    expect(run.wants()).toEqual(["start a/2"]);
    expect(run.want("start").base).toEqual(to);
  });

  test("a task that ran when its need was redone and given up is skipped when it comes back", () => {
    const run = new Scenario([{ id: "a" }, { id: "b", needs: ["a"] }]).work("a/1").merge().start("b/1");
    run.ask({
      kind: "revise",
      plan: plan([
        { id: "a", title: "new" },
        { id: "b", needs: ["a"] },
      ]),
      accounts,
      redo: [a],
      policy,
    });
    run.ask({ kind: "cancel", task: a }).end("b/1", { reason: "crash", detail: "exit 1" }).save("b/1");
    expect(run.phase("b")).toEqual({ kind: "skipped", because: "a" });
  });

  test("a new need of a waiting task is waited for", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { slots: 1 } }).start("a/1");
    run.ask({
      kind: "revise",
      plan: plan([{ id: "a" }, { id: "b", needs: ["c"] }, { id: "c" }]),
      accounts,
      redo: [],
      policy,
    });
    run.end("a/1").save("a/1").merge();
    expect(run.wants()).toEqual(["start c/1"]);
  });
});

describe("a refusal uses the word of the status", () => {
  const ask = (run: Scenario, asked: RunCommand, isRunning: boolean) => {
    const decision = decide(run.state, asked, run.now, { state: run.state, isRunning });
    return decision.ok ? null : formatRefusal(decision.refusal);
  };
  const running = () => new Scenario([{ id: "a" }, { id: "b" }]).start("a/1");

  test("of a run whose process died", () => {
    expect(ask(running(), { kind: "open", task: a }, false)).toBe(
      "cannot open `a`: it is interrupted; resume the run: plait resume run-1",
    );
    expect(ask(running(), { kind: "approve", task: a }, false)).toBe(
      "cannot approve `a`: it is interrupted, not held; resume the run: plait resume run-1",
    );
    expect(ask(running().work("b/1").merge(), { kind: "land" }, false)).toBe(
      "1 task is not finished; resume the run: plait resume run-1",
    );
  });

  test("of work that is checked", () => {
    const checking = running().end("a/1");
    expect(ask(checking, { kind: "approve", task: a }, true)).toBe(
      "cannot approve `a`: it is saving, not held",
    );
  });
});
