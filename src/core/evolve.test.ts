import { describe, expect, test } from "vitest";
import { gateOf, taskId } from "../../test/support/plans.ts";
import { Scenario, withCommit } from "../../test/support/scenario.ts";
import { evolve, replay } from "./evolve.ts";
import { stayingTrees } from "./select/task-lists.ts";

const unit = gateOf("npm test");
const crash = { reason: "crash", detail: "exit 1" } as const;

describe("one task from start to landing", () => {
  test("each step is wanted after the fact before it, and the end is complete (I1)", () => {
    const run = new Scenario([{ id: "a" }], { plan: { gates: [unit] } });
    expect(run.wants()).toEqual(["start a/1"]);
    run.start("a/1");
    expect(run.wants()).toEqual(["attend a/1"]);
    run.end("a/1");
    expect(run.wants()).toEqual(["save a/1"]);
    run.save("a/1");
    expect(run.wants()).toEqual(["gate npm test for a/1"]);
    run.judge(unit, "work a/1");
    expect(run.wants()).toEqual(["merge a/1"]);
    run.build();
    expect(run.wants()).toEqual(["gate npm test for candidate"]);
    run.judge(unit, "merge a/1");
    expect(run.wants()).toEqual(["advance a/1"]);
    run.advance();
    expect(run.wants()).toEqual(["land"]);
    run.land();
    expect(run.wants()).toEqual(["finish complete"]);
    run.finish();
    expect(run.wants()).toEqual([]);
  });

  test("a verdict holds for the tree, so an unchanged merged tree is not gated twice", () => {
    const run = new Scenario([{ id: "a" }], { plan: { gates: [unit] } }).work("a/1").judge(unit, "work a/1");
    const { from, tasks } = run.want("merge");
    const { phase } = run.task("a");
    if (phase.kind !== "queued") throw new Error("not queued");
    run.fact({ type: "candidate.built", from, result: phase.result, tasks: tasks.map(withCommit) });
    expect(run.wants()).toEqual(["advance a/1"]);
  });

  test("an advance without its green verdicts is believed but never counts as complete (I1)", () => {
    const run = new Scenario([{ id: "a" }], { plan: { gates: [unit] } })
      .work("a/1")
      .judge(unit, "work a/1")
      .build();
    const [candidate] = run.state.candidates;
    if (candidate === undefined) throw new Error("no candidate");
    const { from, result: to, tasks } = candidate;
    run.fact({ type: "integration.advanced", from, to, tasks });
    expect(run.phase("a")).toMatchObject({ kind: "merged", proven: false });
    run.judge(unit, "merge a/1").land();
    expect(run.wants()).toEqual(["finish incomplete"]);
  });

  test("work that a red gate finds on the attempt's tree is tried again, then fails", () => {
    const run = new Scenario([{ id: "a", retries: 1 }], { plan: { gates: [unit] } });
    run.work("a/1").judge(unit, "work a/1", "red");
    expect(run.phase("a")).toMatchObject({ kind: "backoff", failure: { reason: "gate", on: "attempt" } });
    expect(run.wants()).toEqual([]);
    run.later(run.wake() ?? 0);
    expect(run.wants()).toEqual(["start a/2"]);
    run.work("a/2").judge(unit, "work a/2", "red");
    expect(run.phase("a").kind).toBe("failed");
    expect(run.wants()).toEqual(["finish incomplete"]);
  });
});

describe("needs", () => {
  test("a dependent starts only when all its needs are merged, from the tip that holds them (I11)", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }, { id: "c", needs: ["a", "b"] }]);
    run.work("a/1").work("b/1");
    expect(run.wants()).toEqual(["merge a/1"]);
    run.merge();
    expect(run.wants()).toEqual(["merge b/1"]);
    run.merge();
    expect(run.want("start")).toMatchObject({ attempt: "c/1", base: run.state.tip });
  });

  test("a read-only task passes without a merge and satisfies its dependents", () => {
    const run = new Scenario([
      { id: "review", access: "read-only" },
      { id: "b", needs: ["review"] },
    ]);
    run.start("review/1").end("review/1").save("review/1", { changed: false });
    expect(run.phase("review").kind).toBe("passed");
    expect(run.wants()).toEqual(["start b/1"]);
  });

  test("a writing task that leaves nothing behind has failed, unless it may be empty", () => {
    const run = new Scenario([
      { id: "a", retries: 0 },
      { id: "b", allowEmpty: true },
    ]);
    for (const id of ["a/1", "b/1"]) run.start(id).end(id).save(id, { changed: false });
    expect(run.phase("a")).toMatchObject({ kind: "failed", failure: { reason: "nothing-done" } });
    expect(run.phase("b").kind).toBe("passed");
  });

  test("a task whose need failed is skipped and says why, others go on (I9)", () => {
    const run = new Scenario([
      { id: "a", retries: 0 },
      { id: "b", needs: ["a"] },
      { id: "c", needs: ["b"] },
      { id: "d" },
    ]);
    run.start("a/1").end("a/1", crash).save("a/1");
    expect(run.phase("b")).toEqual({ kind: "skipped", because: "a" });
    expect(run.phase("c")).toEqual({ kind: "skipped", because: "b" });
    expect(run.wants()).toEqual(["start d/1"]);
  });

  test("a retry brings skipped dependents back, and the run ends complete", () => {
    const run = new Scenario([
      { id: "a", retries: 0 },
      { id: "b", needs: ["a"] },
    ]);
    run.start("a/1").end("a/1", crash).save("a/1").finish();
    run.ask({ kind: "retry", task: taskId("a") });
    expect(run.phases()).toEqual({ a: "waiting", b: "waiting" });
    run.work("a/2").merge().work("b/1").merge().land();
    expect(run.wants()).toEqual(["finish complete"]);
  });

  test("a dependent of two failed tasks stays skipped until both are tried again", () => {
    const run = new Scenario([
      { id: "a", retries: 0 },
      { id: "b", retries: 0 },
      { id: "c", needs: ["a", "b"] },
    ]);
    for (const id of ["a/1", "b/1"]) run.start(id).end(id, crash).save(id);
    run.ask({ kind: "retry", task: taskId("a") });
    expect(run.phase("c")).toEqual({ kind: "skipped", because: "b" });
    run.ask({ kind: "retry", task: taskId("b") });
    expect(run.phase("c")).toEqual({ kind: "waiting" });
  });
});

describe("crash and resume (I4)", () => {
  test("an attempt found dead is saved and run again without using up a retry; the second time it is a crash", () => {
    const run = new Scenario([{ id: "a", retries: 0 }]).start("a/1").resume();
    expect(run.wants()).toEqual(["attend a/1"]);
    run.end("a/1", { reason: "orphaned", detail: "found dead" }).save("a/1");
    expect(run.wants()).toEqual(["start a/2"]);
    run.start("a/2").end("a/2", { reason: "orphaned", detail: "found dead" }).save("a/2");
    expect(run.phase("a")).toMatchObject({ kind: "failed", failure: { reason: "crash" } });
  });

  test("replaying the facts gives the same state", () => {
    const run = new Scenario([{ id: "a" }, { id: "b", needs: ["a"] }], { plan: { gates: [unit] } });
    run.work("a/1").judge(unit, "work a/1").build().judge(unit, "merge a/1").advance().start("b/1");
    expect(replay(run.facts)).toEqual(run.state);
  });

  test("repeated and stale facts change nothing but the clock", () => {
    const run = new Scenario([{ id: "a" }, { id: "b", needs: ["a"] }], { plan: { gates: [unit] } });
    run.work("a/1").judge(unit, "work a/1").build().judge(unit, "merge a/1").advance();
    for (const fact of run.facts) expect(evolve(run.state, fact)).toBe(run.state);
  });

  test("no wait lasts longer than its own length after a resume, whatever the wall clock did", () => {
    const run = new Scenario([{ id: "a" }]).start("a/1").end("a/1", crash).save("a/1");
    const { phase } = run.task("a");
    if (phase.kind !== "backoff") throw new Error("not in back-off");
    run.later(-86_400_000).resume();
    expect(run.wake()).toBe(phase.durationMs);
  });

  test("an attempt that was told to stop and is found dead later is no accident", () => {
    const run = new Scenario([{ id: "a", retries: 0 }]).start("a/1").ask({ kind: "stop", mode: "kill" });
    expect(run.wants()).toEqual(["attend a/1", "kill a/1 (stop)"]);
    run.resume().end("a/1", { reason: "orphaned", detail: "found dead" }).save("a/1");
    expect(run.task("a").used).toMatchObject({ orphans: 0, retries: 0 });
    expect(run.wants()).toEqual(["start a/2"]);
  });
});

test("a journal from before worktrees could stay says that none does; who resumes may ask for it", () => {
  const run = new Scenario([{ id: "a" }]).work("a/1");
  const old = run.facts.map((fact) => {
    if (fact.type !== "run.started") return fact;
    const { keepWorktrees: _, ...policy } = fact.policy;
    return { ...fact, policy: policy as typeof fact.policy };
  });
  const state = replay(old);
  expect(state?.policy.keepWorktrees).toBe(false);
  expect(stayingTrees(state ?? run.state)).toEqual([]);
  expect(run.ask({ kind: "keep-worktrees" }).state.policy.keepWorktrees).toBe(true);
});
