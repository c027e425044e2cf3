import { describe, expect, test } from "vitest";
import { gateOf, taskId } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import { attemptTimes, untilMs } from "../attempt-times.ts";
import type { PastAttempt } from "../run-state.ts";
import { findBlocker } from "./blocking.ts";
import { countStatuses, progress } from "./progress.ts";
import { attemptLines } from "./task-attempts.ts";
import { taskRow, taskRows } from "./task-rows.ts";
import { cost, criticalPath, times } from "./totals.ts";

const unit = gateOf("npm test");
const said = { reason: "agent-said-no", detail: "no" } as const;

test("progress counts what is done, and tasks by their status", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }, { id: "c", needs: ["b"] }], {
    policy: { slots: 2, budgetUsd: 9 },
  });
  run.work("a/1").merge().start("b/1").end("b/1", said, { costUsd: 1.5 }).save("b/1");
  expect(progress(run.state)).toMatchObject({
    total: 3,
    done: 1,
    slots: { used: 0, of: 2 },
    spentUsd: 1.5,
    budgetUsd: 9,
  });
  const counts = countStatuses(taskRows(run.state, run.now));
  expect(counts).toMatchObject({ merged: 1, failed: 1, skipped: 1, running: 0, dropped: 0 });
});

describe("why a task is not under way", () => {
  const block = (run: Scenario, id: string) => findBlocker(run.state, taskId(id), run.now);

  test("it needs others", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }, { id: "c", needs: ["a", "b"] }]).work("a/1").merge();
    expect(block(run, "c")).toEqual({ kind: "needs", tasks: ["b"] });
  });

  test("all slots are taken, or its group is full", () => {
    const tasks = [{ id: "a", group: "api" }, { id: "b", group: "api" }, { id: "c" }];
    const run = new Scenario(tasks, { plan: { limits: { api: 1 } }, policy: { slots: 2 } }).start("a/1");
    expect(block(run, "b")).toEqual({ kind: "group", group: "api", max: 1 });
    expect(block(run, "c")).toBeNull();
    expect(block(run.ask({ kind: "resize", slots: 1 }), "c")).toEqual({ kind: "slots", of: 1 });
  });

  test("it waits for its next try, its account, its gates, its turn or a person", () => {
    const limit = { reason: "usage-limit", resetsAt: null, detail: "limit" } as const;
    const run = new Scenario([{ id: "a" }, { id: "b" }, { id: "c" }], {
      plan: { gates: [unit] },
      policy: { slots: 2 },
    });
    run.start("b/1").start("a/1").end("a/1", limit).save("a/1").end("b/1").save("b/1");
    expect(block(run, "a")).toMatchObject({ kind: "account", why: "usage-limit" });
    expect(block(run, "c")).toMatchObject({ kind: "account", why: "usage-limit" });
    expect(block(run, "b")).toEqual({ kind: "gates", names: ["npm test"] });
    expect(block(run.judge(unit, "work b/1"), "b")).toEqual({ kind: "queue", ahead: 0 });
    expect(block(run.fact({ type: "task.held", task: taskId("c"), why: "look" }), "c")).toEqual({
      kind: "person",
      why: "look",
    });
  });

  test("the run is paused, stopping or over budget", () => {
    const paused = new Scenario([{ id: "a" }]).ask({ kind: "pause" });
    expect(block(paused, "a")).toEqual({ kind: "paused" });
    expect(block(new Scenario([{ id: "a" }]).ask({ kind: "stop", mode: "drain" }), "a")).toEqual({
      kind: "stopping",
    });
    expect(block(new Scenario([{ id: "a" }], { policy: { budgetUsd: 0 } }), "a")).toEqual({
      kind: "budget",
      budgetUsd: 0,
    });
  });
});

test("cost tells what was spent for nothing, and when the total is too low", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }])
    .start("a/1")
    .end("a/1", null, { costUsd: 2 })
    .save("a/1");
  run.start("b/1").end("b/1", said, { costUsd: 0.5 }).save("b/1");
  expect(cost(run.state)).toEqual({
    totalUsd: 2.5,
    lostUsd: 0.5,
    byTask: [
      { task: "a", usd: 2, lostUsd: 0 },
      { task: "b", usd: 0.5, lostUsd: 0.5 },
    ],
    isReported: true,
    isPartial: false,
    silent: [],
  });
  run.ask({ kind: "retry", task: taskId("b") }).work("b/2");
  expect(cost(run.state).isPartial).toBe(true);
});

test("time against serial time counts the work of all attempts", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }]).start("a/1").start("b/1").later(1000);
  run.end("a/1").save("a/1").end("b/1").save("b/1");
  const { wallMs, serialMs, speedUp } = times(run.state, run.now);
  expect(serialMs).toBeGreaterThan(1.9 * 1000);
  expect(wallMs).toBeLessThan(1.1 * 1000);
  expect(speedUp).toBeCloseTo(serialMs / wallMs);
});

test("a night without a driver is nobody's work", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }]).start("a/1").start("b/1").later(2_000).end("b/1");
  run
    .later(8 * 3_600_000)
    .resume()
    .later(1_000);
  run.end("a/1", { reason: "orphaned", detail: "" }).save("a/1").save("b/1");
  const { wallMs, serialMs } = times(run.state, run.now);
  expect([wallMs, serialMs].map((ms) => Math.round(ms / 1_000))).toEqual([3, 6]);
  const begun = run.facts.filter(({ type }) => type === "attempt.started").map(({ at }) => at);
  const lines = taskRows(run.state, run.now).flatMap((row) => attemptLines(run.state, row, { now: run.now }));
  expect(lines.map(({ startedAt }) => startedAt)).toEqual(begun);
  expect(lines.map(({ ms }) => Math.round(ms / 1_000))).toEqual([3, 3]);
  const [b] = run.task("b").past as [PastAttempt];
  expect(b.ended.at).toBe(run.facts.find(({ type }) => type === "attempt.ended")?.at);
  const { agentMs, gatesMs } = attemptTimes(b, b.settledAt);
  expect([agentMs, gatesMs].map((ms) => Math.round(ms / 1_000))).toEqual([2, 1]);
});

test("a night is no time in the queue", () => {
  const run = new Scenario([{ id: "a" }]).work("a/1").later(2_000);
  const from = run.now;
  run
    .later(8 * 3_600_000)
    .fact({ type: "run.slept", from })
    .later(1_000);
  const shown = () => Math.round((taskRow(run.state, taskId("a"), run.now)?.lastsMs ?? 0) / 1_000);
  expect(shown()).toBe(3);
  run.build().later(1_000);
  expect(shown()).toBe(1);
  run.advance();
  const [taken, { phase }] = [run.task("a").past[0] as PastAttempt, run.task("a")];
  expect(phase.kind === "merged" && Math.round(untilMs(taken, phase) / 1_000)).toBe(4);
});

test("the critical path is what is left of it", () => {
  const tasks = [{ id: "a" }, { id: "b", needs: ["a"] }, { id: "c", needs: ["b"] }, { id: "x" }];
  const run = new Scenario(tasks);
  expect(criticalPath(run.state)).toEqual(["a", "b", "c"]);
  run.work("a/1").merge();
  expect(criticalPath(run.state)).toEqual(["b", "c"]);
});
