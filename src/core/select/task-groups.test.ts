import { expect, test } from "vitest";
import { planOf, type TaskSketch } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import type { PathPattern } from "../ownership/pattern.ts";
import { groupNames, isGrouped, taskGroups } from "./task-groups.ts";
import { taskRows } from "./task-rows.ts";

const owns = (pattern: string) => [{ mode: "any", pattern: pattern as PathPattern, symbol: null }] as const;

const TASKS: TaskSketch[] = [
  { id: "a", group: "core", owns: owns("lib/a.ts") },
  { id: "b", owns: owns("lib/b.ts") },
  { id: "c", owns: owns("README.md") },
  { id: "d", owns: owns("**/*.md") },
  { id: "e" },
  { id: "f", owns: owns("lib/") },
];

test("a task is in the group that its plan names, else in the first folder that it owns", () => {
  const names = groupNames(planOf(TASKS, { limits: { core: 1 } }));
  expect([...names.values()]).toEqual(["core", "lib", null, null, null, "lib"]);
});

test("groups count who has the ball; what belongs to none comes last", () => {
  const run = new Scenario(TASKS, { plan: { limits: { core: 1 } } }).work("b/1").merge().start("e/1");
  const groups = taskGroups(taskRows(run.state, run.now), groupNames(run.state.index.plan));
  expect(groups.map(({ name, done, rows }) => `${name} ${done} of ${rows.length}`)).toEqual([
    "core 0 of 1",
    "lib 1 of 2",
    "others 0 of 3",
  ]);
  expect(groups[2]?.actors).toMatchObject({ agents: 1, later: 2 });
});

test("many tasks are looked at by groups, unless all of them are in one", () => {
  const many = (folder: (n: number) => string, length = 60) =>
    isGrouped(
      planOf(Array.from({ length }, (_, n) => ({ id: `t${n}`, owns: owns(`${folder(n)}/${n}.ts`) }))),
    );
  expect([many((n) => `f${n % 2}`), many(() => "src"), many((n) => `f${n % 2}`, 59)]).toEqual([
    true,
    false,
    false,
  ]);
});
