import { expect, test } from "vitest";
import { gateOf, oidOf, planOf, taskId } from "../../test/support/plans.ts";
import { Scenario } from "../../test/support/scenario.ts";
import { findStackOf, findStackTops, groupByNeeds, type StackStep } from "./proposal.ts";

const step = (task: string, on: string | null, tree = `${task} alone`): StackStep => ({
  task: taskId(task),
  on: on === null ? null : taskId(on),
  result: { commit: oidOf(`commit ${task} on ${on}`), tree: oidOf(`t ${tree}`) },
});

test("tasks that needs connect are one stack, whatever is between them", () => {
  const plan = planOf([
    { id: "a" },
    { id: "look", access: "read-only", needs: ["a"] },
    { id: "b", needs: ["look"] },
    { id: "c" },
  ]);
  const group = groupByNeeds(plan);
  expect(group(taskId("b"))).toBe(group(taskId("a")));
  expect(group(taskId("c"))).not.toBe(group(taskId("a")));
  const stack = [step("a", null), step("c", null), step("b", "a")];
  expect(findStackTops(stack).map(({ task }) => task)).toEqual(["c", "b"]);
  expect(findStackOf(stack, stack[2] as StackStep).map(({ task }) => task)).toEqual(["a", "b"]);
});

test("each stack is gated alone before it is proposed; a red one makes all tasks one line (I1)", () => {
  const check = gateOf("npm run all");
  const run = new Scenario(
    [
      { id: "a", gates: [] },
      { id: "b", gates: [] },
    ],
    {
      plan: { gates: [check] },
      policy: { publish: "pull-request-per-task" },
    },
  );
  run.work("a/1").merge().work("b/1").merge();
  run.judge(check, "merge b/1");
  expect(run.wants()).toEqual(["publish"]);
  const { tip } = run.state;
  const line = [step("a", null), step("b", "a", "merge b/1")];
  const stacks = [step("a", null), step("b", null)];
  const result = { commit: line[1]?.result.commit ?? tip.commit, tree: tip.tree };
  run.fact({ type: "landing.built", tip: tip.commit, onto: oidOf("onto"), result, line, stacks });
  expect(run.wants()).toEqual(["gate npm run all for landing", "gate npm run all for landing"]);
  run.judge(check, "a alone").judge(check, "b alone", "red");
  expect(run.state.landing).toMatchObject({ kind: "built", stack: line });
  expect(run.wants()).toEqual(["publish"]);
});

test("every step of a stack is gated where its tree has no verdict; a red one below the top is noted and holds up nothing", () => {
  const check = gateOf("npm run all");
  const run = new Scenario(
    [
      { id: "a", gates: [] },
      { id: "b", gates: [], needs: ["a"] },
    ],
    { plan: { gates: [check] }, policy: { publish: "pull-request-per-task" } },
  );
  run.work("a/1").merge().work("b/1").merge();
  run.judge(check, "merge b/1");
  const { tip } = run.state;
  const line = [step("a", null), step("b", "a", "merge b/1")];
  const result = { commit: line[1]?.result.commit ?? tip.commit, tree: tip.tree };
  const built = { type: "landing.built", tip: tip.commit, onto: oidOf("onto"), result, line } as const;
  run.fact(built);
  expect(run.wants()).toEqual(["gate npm run all for landing"]);
  run.judge(check, "a alone", "red");
  expect(run.state.landing).toMatchObject({ kind: "built", reds: [expect.any(String)] });
  expect(run.wants()).toEqual(["publish"]);
  run.judge(check, "a alone");
  expect(run.wants()).toEqual(["publish"]);
});
