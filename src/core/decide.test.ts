import { describe, expect, test } from "vitest";
import { ACCOUNT, planOf, taskId } from "../../test/support/plans.ts";
import { Scenario } from "../../test/support/scenario.ts";

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
      "There is no task zz in this run.",
    ],
    [
      "a running task",
      new Scenario(two).start("a/1"),
      { kind: "retry", task: a },
      "Cannot retry a: attempt a/1 is under way.",
    ],
    [
      "a merged task",
      new Scenario(two).work("a/1").merge(),
      { kind: "cancel", task: a },
      "Cannot drop a: it is merged.",
    ],
    [
      "a skipped task",
      failed(),
      { kind: "retry", task: taskId("b") },
      "Cannot retry b: it needs a. Retry that.",
    ],
    [
      "to take over a task that only looks",
      new Scenario([{ id: "a", access: "read-only" }]).start("a/1").end("a/1", said).save("a/1"),
      { kind: "open", task: a },
      "Cannot open a: it only looks, so there is nothing to hand in. To look again: plait retry a",
    ],
    [
      "a task that is not held",
      new Scenario(two),
      { kind: "approve", task: a },
      "Cannot approve a: it is waiting, not held.",
    ],
    [
      "nothing to land",
      new Scenario(two),
      { kind: "land" },
      "Nothing is merged yet, so there is nothing to land.",
    ],
    [
      "zero slots",
      new Scenario(two),
      { kind: "resize", slots: 0 },
      "The number of slots must be from 1 to 256, not 0.",
    ],
    [
      "a second pause",
      new Scenario(two).ask({ kind: "pause" }),
      { kind: "pause" },
      "The run is paused already.",
    ],
    [
      "a softer stop",
      new Scenario(two).ask({ kind: "stop", mode: "stop" }),
      { kind: "stop", mode: "drain" },
      "The run is stopping already (stop).",
    ],
    [
      "work behind an unmet need",
      new Scenario(two),
      { kind: "open", task: taskId("b") },
      "Cannot open b: it needs a.",
    ],
    [
      "work that nobody took over",
      new Scenario(two),
      { kind: "accept", task: a },
      "Cannot accept a: it is not open. First: plait open a",
    ],
    [
      "a retry of what a person has",
      new Scenario(two).ask({ kind: "open", task: a }),
      { kind: "retry", task: a },
      "Cannot retry a: you have it open. First: plait accept a, or plait drop a",
    ],
    [
      "to take back what has not landed",
      new Scenario(two),
      { kind: "undo" },
      "The run has not landed, so there is nothing to take back.",
    ],
  ] as const)("%s", (_name, run, command, refusal) => {
    expect(run.refusal(command)).toBe(refusal);
  });
});

test("a task that was not chosen cannot be retried", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }], { only: ["b"] });
  expect(run.refusal({ kind: "retry", task: a })).toBe("a is not part of this run.");
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
  const refusal = "You have a, and the new plan changes it. First: plait accept a, or plait drop a";
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

  test("a task that is gone while it runs is ended, saved, and no longer counts", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { slots: 2 } }).start("a/1").start("b/1");
    run.ask({ kind: "revise", plan: plan([{ id: "a" }]), accounts, redo: [], policy });
    expect(run.wants()).toEqual(["attend a/1", "attend b/1", "stop b/1 (cancel)"]);
    expect(run.refusal({ kind: "retry", task: taskId("b") })).toBe("b is not part of this run.");
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
