import { describe, expect, test } from "vitest";
import { gateOf, taskId } from "../../test/support/plans.ts";
import { Scenario } from "../../test/support/scenario.ts";

const unit = gateOf("npm test");

describe("what starts", () => {
  test("the longest remaining path goes first, whatever the order of the file", () => {
    const tasks = [{ id: "x" }, { id: "y" }, { id: "long" }, { id: "end", needs: ["long"] }];
    const run = new Scenario(tasks, { policy: { slots: 2 } });
    expect(run.wants()).toEqual(["start long/1", "start x/1"]);
  });

  test("estimates count, and a task without one is taken for the median", () => {
    const estimate = (timeMs: number) => ({ timeMs, costUsd: null });
    const tasks = [
      { id: "a" },
      { id: "b", estimate: estimate(60_000) },
      { id: "c", estimate: estimate(9_000) },
    ];
    expect(new Scenario(tasks, { policy: { slots: 1 } }).wants()).toEqual(["start b/1"]);
  });

  test("what the user ranks higher goes before any path", () => {
    const tasks = [{ id: "a" }, { id: "b", needs: ["a"] }, { id: "urgent", priority: 5 }];
    expect(new Scenario(tasks, { policy: { slots: 1 } }).wants()).toEqual(["start urgent/1"]);
  });

  test("slots bound the attempts that are live, gating included", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], {
      plan: { gates: [unit] },
      policy: { slots: 1 },
    }).work("a/1");
    expect(run.wants()).toEqual(["gate npm test for a/1"]);
    run.judge(unit, "work a/1");
    expect(run.wants()).toEqual(["start b/1", "merge a/1"]);
  });

  test("a full group holds back its own tasks only", () => {
    const tasks = [{ id: "a", group: "api" }, { id: "b", group: "api" }, { id: "c" }];
    const run = new Scenario(tasks, { plan: { limits: { api: 1 } } });
    expect(run.wants()).toEqual(["start a/1", "start c/1"]);
    run.start("a/1");
    expect(run.wants()).toEqual(["attend a/1", "start c/1"]);
  });

  test("a resize takes effect at the next start and ends nothing", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }, { id: "c" }], { policy: { slots: 2 } })
      .start("a/1")
      .start("b/1");
    run.ask({ kind: "resize", slots: 1 });
    expect(run.wants()).toEqual(["attend a/1", "attend b/1"]);
    run.ask({ kind: "resize", slots: 3 });
    expect(run.wants()).toEqual(["attend a/1", "attend b/1", "start c/1"]);
  });

  test("a spent budget starts nothing more, lets merges finish and ends the run as over budget", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { slots: 1, budgetUsd: 2 } });
    run.start("a/1").end("a/1", null, { costUsd: 2.5 }).save("a/1").merge();
    expect(run.wants()).toEqual(["finish over-budget"]);
  });

  test("--only runs what was chosen and counts nothing else", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], { only: ["a"] });
    expect(run.wants()).toEqual(["start a/1"]);
    run.work("a/1").merge().land();
    expect(run.wants()).toEqual(["finish complete"]);
  });

  test("a chosen task whose need was not chosen is skipped, not waited for", () => {
    const run = new Scenario([{ id: "a" }, { id: "b", needs: ["a"] }], { only: ["b"] });
    expect(run.phase("b")).toEqual({ kind: "skipped", because: "a" });
    expect(run.wants()).toEqual(["finish incomplete"]);
  });
});

describe("stopping", () => {
  const two = [{ id: "a" }, { id: "b" }];

  test("drain lets attempts end and merge, starts nothing, lands nothing", () => {
    const run = new Scenario(two, { policy: { slots: 1 } }).start("a/1").ask({ kind: "stop", mode: "drain" });
    expect(run.wants()).toEqual(["attend a/1"]);
    run.end("a/1").save("a/1").merge();
    expect(run.wants()).toEqual(["finish drained"]);
  });

  test("drain of a run that is all merged still lands nothing", () => {
    const run = new Scenario([{ id: "a" }]).work("a/1").merge().ask({ kind: "stop", mode: "drain" });
    expect(run.wants()).toEqual(["finish drained"]);
  });

  test("stop ends agents and saves their work; a resume goes on where it was", () => {
    const run = new Scenario(two, { policy: { slots: 1 } }).start("a/1").ask({ kind: "stop", mode: "stop" });
    expect(run.wants()).toEqual(["attend a/1", "stop a/1 (stop)"]);
    run.end("a/1", { reason: "cancelled", because: "stop", detail: "stopped" });
    expect(run.wants()).toEqual(["save a/1"]);
    run.save("a/1").finish();
    expect(run.state.ended?.outcome).toBe("stopped");
    run.resume();
    expect(run.wants()).toEqual(["start a/2"]);
    expect(run.task("a").used.retries).toBe(0);
  });

  test("a stop leaves queued work to the resume", () => {
    const run = new Scenario(two).work("a/1").ask({ kind: "stop", mode: "stop" });
    expect(run.wants()).toEqual(["finish stopped"]);
    run.finish().resume();
    expect(run.wants()).toEqual(["start b/1", "merge a/1"]);
  });

  test("kill leaves the saving to the resume", () => {
    const run = new Scenario([{ id: "a" }]).start("a/1").ask({ kind: "stop", mode: "kill" });
    run.end("a/1", { reason: "cancelled", because: "stop", detail: "killed" });
    expect(run.wants()).toEqual(["finish stopped"]);
    run.finish().resume();
    expect(run.wants()).toEqual(["save a/1"]);
  });

  test("I2: a kill after a failure that ends the run leaves the saving to the resume, too", () => {
    const tasks = [{ id: "a", retries: 0 }, { id: "b" }];
    const run = new Scenario(tasks, { policy: { failFast: true } }).start("a/1").start("b/1");
    run.end("a/1", { reason: "timeout", clock: "total", detail: "" }).save("a/1");
    run.ask({ kind: "stop", mode: "kill" });
    run.end("b/1", { reason: "cancelled", because: "fail-fast", detail: "killed" });
    expect(run.wants()).toEqual(["finish stopped"]);
    run.finish().resume();
    expect(run.wants()).toContain("save b/1");
  });

  test("a pause starts nothing and ends nothing", () => {
    const run = new Scenario(two, { policy: { slots: 1 } }).start("a/1").ask({ kind: "pause" });
    run.end("a/1").save("a/1").merge();
    expect(run.wants()).toEqual([]);
    run.ask({ kind: "unpause" });
    expect(run.wants()).toEqual(["start b/1"]);
  });
});

describe("landing", () => {
  const red = [{ id: "a" }, { id: "b", retries: 0 }];
  const halfDone = (land: "end" | "partial" | "never") => {
    const run = new Scenario(red, { plan: { land } }).work("a/1").merge();
    return run.start("b/1").end("b/1", { reason: "agent-said-no", detail: "no" }).save("b/1");
  };

  test("an incomplete run lands nothing by default", () => {
    expect(halfDone("end").wants()).toEqual(["finish incomplete"]);
  });

  test("with land: partial it lands what merged, and is still incomplete", () => {
    const run = halfDone("partial");
    expect(run.wants()).toEqual(["land"]);
    expect(run.land().wants()).toEqual(["finish incomplete"]);
  });

  test("a person may ask for it afterwards", () => {
    const run = halfDone("end").finish().ask({ kind: "land" });
    expect(run.wants()).toEqual(["land"]);
  });

  test("with land: never the integration branch is the place, and its tree is gated", () => {
    const check = gateOf("npm run all");
    const run = new Scenario([{ id: "a", gates: [] }], { plan: { land: "never", gates: [check] } });
    run.work("a/1").merge();
    expect(run.wants()).toEqual(["gate npm run all for landing"]);
    run.judge(check, "merge a/1");
    expect(run.wants()).toEqual(["finish complete"]);
  });

  test("a red gate on the tree to be landed lands nothing (I1)", () => {
    const check = gateOf("npm run all");
    const run = new Scenario([{ id: "a", gates: [] }], { plan: { gates: [check] } }).work("a/1").merge();
    run.judge(check, "merge a/1", "red");
    expect(run.state.landing).toMatchObject({ kind: "refused", why: "gate" });
    expect(run.wants()).toEqual(["finish not-landed"]);
  });

  test("a target that moved gives a new tree, which is gated before it lands (I1)", () => {
    const run = new Scenario([{ id: "a" }], { plan: { gates: [unit] } });
    run.work("a/1").judge(unit, "work a/1").build().judge(unit, "merge a/1").advance();
    const joined = { commit: "1".repeat(40) as never, tree: "2".repeat(40) as never };
    run.fact({
      type: "landing.built",
      tip: run.state.tip.commit,
      onto: "3".repeat(40) as never,
      result: joined,
    });
    expect(run.wants()).toEqual(["gate npm test for landing"]);
    run.fact({ ...run.facts.find((fact) => fact.type === "gate.judged"), tree: joined.tree } as never);
    expect(run.want("land")).toMatchObject({ result: joined, onto: "3".repeat(40) });
  });

  test("a refused landing is not complete, and a resume tries it again", () => {
    const run = new Scenario([{ id: "a" }]).work("a/1").merge();
    run.fact({ type: "landing.refused", tip: run.state.tip.commit, why: "dirty", detail: "2 files" });
    expect(run.wants()).toEqual(["finish not-landed"]);
    run.finish().resume();
    expect(run.wants()).toEqual(["land"]);
  });

  test("a run of read-only tasks has nothing to land and is complete", () => {
    const run = new Scenario([{ id: "a", access: "read-only" }]);
    run.start("a/1").end("a/1").save("a/1", { changed: false });
    expect(run.wants()).toEqual(["finish complete"]);
  });
});

test("a task held for approval lets the run end, and goes to the queue when approved", () => {
  const run = new Scenario([{ id: "a", approve: true }]).work("a/1");
  expect(run.phase("a").kind).toBe("held");
  expect(run.wants()).toEqual(["finish held"]);
  run.finish().ask({ kind: "approve", task: taskId("a") });
  expect(run.wants()).toEqual(["merge a/1"]);
});

test("a run that waits for a person lets attempts end and be saved, merges nothing, and ends as held", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }, { id: "c" }]).work("a/1").start("b/1");
  run.fact({ type: "run.held", why: "somebody moved the integration branch" });
  expect(run.wants()).toEqual(["attend b/1"]);
  run.end("b/1").save("b/1");
  expect(run.wants()).toEqual(["finish held"]);
  run.finish().resume();
  expect(run.wants()).toEqual(["start c/1", "merge a/1"]);
});
