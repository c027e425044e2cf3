import { describe, expect, test } from "vitest";
import { gateOf } from "../../test/support/plans.ts";
import { revision, Scenario } from "../../test/support/scenario.ts";
import { evolve } from "./evolve.ts";
import { remarks } from "./select/remarks.ts";
import { entries } from "./sorted-map.ts";

const unit = gateOf("npm test");
const lint = gateOf("npm run lint");

const unjudged = (plan: { gates: (typeof unit)[] }, policy = {}) =>
  new Scenario([{ id: "a" }, { id: "b" }], { plan, policy, base: "unjudged" });

describe("the base", () => {
  test("is judged by every gate of the plan, one after another, before anything starts", () => {
    const run = unjudged({ gates: [unit, lint] });
    expect(run.wants()).toEqual([expect.stringMatching(/^gate npm test /)]);
    run.judge(unit, "base");
    expect(run.wants()).toEqual([expect.stringMatching(/^gate npm run lint /)]);
    run.judge(lint, "base");
    expect(run.wants()).toEqual(["start a/1", "start b/1"]);
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

  test("is judged again by the next driver, and not once something has started", () => {
    const run = unjudged({ gates: [unit] })
      .judge(unit, "base", "red")
      .resume();
    expect(run.wants()).toEqual([expect.stringMatching(/^gate npm test /)]);
    run.judge(unit, "base").start("a/1").resume();
    expect(run.wants().some((want) => want.startsWith("gate"))).toBe(false);
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
  expect(remarks(run.state)).toEqual([
    "gate npm test is flaky: 1 time it was green only when it was tried again",
  ]);
});
