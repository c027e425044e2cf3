import { describe, expect, test } from "vitest";
import { gateOf } from "../../test/support/plans.ts";
import { revision, Scenario } from "../../test/support/scenario.ts";
import { evolve } from "./evolve.ts";
import { taskState } from "./run-tasks.ts";
import { findBlocker } from "./select/blocking.ts";
import { remarks } from "./select/remarks.ts";
import { entries } from "./sorted-map.ts";

const unit = gateOf("npm test");
const lint = gateOf("npm run lint");

const unjudged = (plan: { gates: (typeof unit)[] }, policy = {}) =>
  new Scenario([{ id: "a" }, { id: "b" }], { plan, policy, base: "unjudged" });

describe("the base", () => {
  test("is judged by every gate of the plan, one after another, while agents start", () => {
    const run = unjudged({ gates: [unit, lint] });
    expect(run.wants()).toEqual(["start a/1", "start b/1", "gate npm test for base"]);
    run.judge(unit, "base");
    expect(run.wants()).toEqual(["start a/1", "start b/1", "gate npm run lint for base"]);
    run.judge(lint, "base");
    expect(run.wants()).toEqual(["start a/1", "start b/1"]);
  });

  test("holds up gates of work until each has judged the base, and merging until all have (I9)", () => {
    const gates = [unit, lint];
    const run = new Scenario([{ id: "a", gates }], { plan: { gates }, base: "unjudged" }).work("a/1");
    expect(run.wants()).toEqual(["gate npm test for base"]);
    run.judge(unit, "base");
    expect(run.wants()).toEqual(["gate npm run lint for base", "gate npm test for a/1"]);
    run.judge(unit, "work a/1");
    expect(run.wants()).toEqual(["gate npm run lint for base"]);
    run.judge(lint, "base");
    expect(run.wants()).toEqual(["gate npm run lint for a/1"]);
    run.judge(lint, "work a/1");
    expect(run.wants()).toEqual(["merge a/1"]);
  });

  test("holds up the merge of work that only its own gates judge", () => {
    const own = gateOf("npm run e2e");
    const run = new Scenario([{ id: "a", gates: [own] }], { plan: { gates: [unit] }, base: "unjudged" });
    run.work("a/1").judge(own, "work a/1");
    expect(run.wants()).toEqual(["gate npm test for base"]);
    run.judge(unit, "base");
    expect(run.wants()).toEqual(["merge a/1"]);
  });

  test("that is red interrupts the agents, and their work is continued once it is accepted", () => {
    const run = unjudged({ gates: [unit, lint] })
      .start("a/1")
      .judge(unit, "base", "red");
    expect(run.wants()).toEqual(["attend a/1", "stop a/1 (red-base)", "gate npm run lint for base"]);
    // One that was on its way ends as well.
    run.start("b/1");
    expect(run.wants()).toContain("stop b/1 (red-base)");
    const interrupted = { reason: "cancelled", because: "red-base", detail: "stopped" } as const;
    run.end("a/1", interrupted).save("a/1");
    run.end("b/1", interrupted).save("b/1", { changed: false });
    run.judge(lint, "base");
    expect(run.wants()).toEqual(["finish red-base"]);
    run.resume();
    expect(run.wants()).toEqual(["gate npm test for base"]);
    run.judge(unit, "base");
    expect(run.wants()).toEqual(["start a/2 fixing a/1", "start b/2"]);
    expect(run.task("a").used).toEqual({ retries: 0, free: null, fixRounds: 0, orphans: 0 });
  });

  test("that is red leaves finished work to the resume, unjudged", () => {
    const run = unjudged({ gates: [unit] })
      .work("a/1")
      .judge(unit, "base", "red");
    expect(run.wants()).toEqual(["finish red-base"]);
    run.resume().judge(unit, "base");
    expect(run.wants()).toEqual(["start b/1", "gate npm test for a/1"]);
  });

  test("is judged in a drain as long as work waits for it", () => {
    const run = unjudged({ gates: [unit] })
      .start("a/1")
      .ask({ kind: "stop", mode: "drain" });
    expect(run.wants()).toEqual(["attend a/1", "gate npm test for base"]);
    const idle = unjudged({ gates: [unit] }).ask({ kind: "stop", mode: "drain" });
    expect(idle.wants()).toEqual(["finish drained"]);
  });

  test("that is red ends the run with nothing started, when all gates have spoken (I1)", () => {
    const run = unjudged({ gates: [unit, lint] }).judge(unit, "base", "red");
    expect(run.wants()).toEqual([expect.stringMatching(/^gate npm run lint /)]);
    run.judge(lint, "base");
    expect(run.wants()).toEqual(["finish red-base"]);
  });

  test("that is red and allowed to be stops nothing", () => {
    const run = unjudged({ gates: [unit] }, { redBase: "allow" }).judge(unit, "base", "red");
    expect(run.wants()).toEqual(["start a/1", "start b/1"]);
  });

  test("that is known to be red stops nothing", () => {
    const known = gateOf("npm test", { knownRed: true });
    const run = unjudged({ gates: [known] }).judge(known, "base", "red");
    expect(run.wants()).toEqual(["start a/1", "start b/1"]);
  });

  test("is judged again by the next driver where it was red", () => {
    const run = unjudged({ gates: [unit] })
      .judge(unit, "base", "red")
      .resume();
    expect(run.wants()).toContain("gate npm test for base");
    run.judge(unit, "base").start("a/1").resume();
    expect(run.wants().some((want) => want.startsWith("gate"))).toBe(false);
  });

  test("that was red holds up agents on a resume, unless what could make it green has changed", () => {
    const red = () =>
      unjudged({ gates: [unit] })
        .judge(unit, "base", "red")
        .resume();
    expect(red().wants()).toEqual(["gate npm test for base"]);
    expect(red().resume().wants()).toEqual(["gate npm test for base"]);
    expect(red().judge(unit, "base", "red").wants()).toEqual(["finish red-base"]);
    expect(red().ask({ kind: "allow-red-base" }).wants()).toContain("start a/1");
    const known = gateOf("npm test", { knownRed: true });
    const accepted = unjudged({ gates: [known] })
      .judge(known, "base", "red")
      .resume();
    expect(accepted.wants()).toContain("start a/1");
    const { state } = red();
    const [task] = state.index.plan.tasks;
    expect(task && findBlocker(state, task.id, state.clock)).toEqual({ kind: "base" });
    const prepared = red();
    const prepare = {
      ...prepared.state.index.plan.prepare,
      setup: [{ kind: "shell", line: "true" } as const],
    };
    const { plan: old } = prepared.state.index;
    const plan = { ...old, prepare, tasks: old.tasks.map((one) => ({ ...one, prepare })) };
    prepared.ask({ kind: "revise", plan, accounts: {}, redo: [], policy: prepared.state.policy });
    expect(prepared.wants()).toContain("start a/1");
  });

  test("that a person repairs by another preparation costs no finished work: it is checked again, the rest continues (I4)", () => {
    const gates = [unit];
    const both = [
      { id: "a", gates },
      { id: "b", gates },
    ];
    const run = new Scenario(both, { plan: { gates }, base: "unjudged" });
    run.start("a/1").start("b/1").end("b/1").save("b/1").judge(unit, "base", "red");
    run.end("a/1", { reason: "cancelled", because: "red-base", detail: "" }).save("a/1").resume();
    const { plan: old } = run.state.index;
    const prepare = { ...old.prepare, setup: [{ kind: "shell", line: "true" } as const] };
    const tasks = old.tasks.map((one) => ({ ...one, prepare }));
    run.ask({
      kind: "revise",
      plan: { ...old, prepare, tasks },
      accounts: {},
      redo: [],
      policy: run.state.policy,
    });
    expect(taskState(run.state, 0).fix).toMatchObject({ attempt: "a/1" });
    expect(run.wants()).toContain("start a/2 fixing a/1");
    expect(run.wants()).not.toContain("start b/2");
    const [b] = taskState(run.state, 1).live;
    expect(b?.stage).toMatchObject({ kind: "gate", missing: [{ gate: { name: "npm test" } }] });
    const words = tasks.map((one) => ({ ...one, title: "other words" }));
    const plan = { ...old, prepare, tasks: words };
    run.ask({ kind: "revise", plan, accounts: {}, redo: [], policy: run.state.policy });
    expect(run.wants()).toContain("start b/2");
  });

  test("is not asked whether a task's own gate is green: that is what the task is for", () => {
    const own = gateOf("npm run e2e");
    const run = new Scenario([{ id: "a", gates: [unit, own] }], {
      plan: { gates: [unit] },
      base: "unjudged",
    });
    run.judge(unit, "base");
    expect(run.wants()).toEqual(["start a/1"]);
  });

  test("is not judged where nobody writes", () => {
    const look = { id: "look", access: "read-only" } as const;
    const plan = { gates: [unit] };
    expect(new Scenario([look], { plan, base: "unjudged" }).wants()).toEqual(["start look/1"]);
    const chosen = new Scenario([look, { id: "a" }], { plan, base: "unjudged", only: ["look"] });
    expect(chosen.wants()).toEqual(["start look/1"]);
  });

  test("that is red stays so for agents when a person hands something in", () => {
    const run = unjudged({ gates: [unit] }).judge(unit, "base", "red");
    const a = run.state.index.plan.tasks[0]?.id as never;
    run.ask({ kind: "open", task: a }).opened("a/1").ask({ kind: "accept", task: a });
    expect(run.wants()).toEqual(["save a/1"]);
    expect(
      run
        .save("a/1")
        .wants()
        .some((want) => want.startsWith("start")),
    ).toBe(false);
  });

  test("told twice is told once", () => {
    const run = unjudged({ gates: [unit] }).judge(unit, "base", "red");
    const last = run.facts.at(-1);
    expect(last && evolve(run.state, last)).toEqual(run.state);
  });
});

test("a gate that is green only when it is tried again is counted, once a verdict", () => {
  const run = new Scenario([{ id: "a" }], { plan: { gates: [unit] } }).work("a/1").judge(unit, "work a/1");
  const judged = run.facts.at(-1);
  if (judged?.type !== "gate.judged") throw new Error("not judged");
  const flaky = { ...judged, tree: revision("other").tree, tries: 2 };
  run.fact(flaky).fact(flaky);
  expect([...entries(run.state.flaky)]).toEqual([["npm test", 1]]);
  expect(remarks(run.state)).toEqual(['gate "npm test" is flaky: green only after a retry']);
});
