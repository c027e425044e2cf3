import { expect, test } from "vitest";
import { gateOf } from "../../test/support/plans.ts";
import { Scenario } from "../../test/support/scenario.ts";
import { mayNeedTree } from "./tree-demand.ts";

const unit = gateOf("npm test");

test("no tree is needed once the last work is green on the tip, whose tree lands", () => {
  const run = new Scenario([{ id: "a", gates: [unit] }], { plan: { gates: [unit] } }).work("a/1");
  expect(mayNeedTree(run.state)).toBe(true);
  run.judge(unit, "work a/1");
  expect(mayNeedTree(run.state)).toBe(false);
});

test("a tree may be needed while tasks are to come, and while a merged tree is not gated", () => {
  const run = new Scenario(
    [
      { id: "a", gates: [unit] },
      { id: "b", gates: [unit] },
    ],
    { plan: { gates: [unit] } },
  ).work("a/1");
  run.work("b/1").judge(unit, "work a/1");
  expect(mayNeedTree(run.state)).toBe(true);
  run.judge(unit, "work b/1");
  expect(mayNeedTree(run.state)).toBe(true);
});
