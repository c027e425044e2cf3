import { describe, expect, test } from "vitest";
import { story } from "../../../test/support/checkout.ts";
import { planOf, type TaskSketch } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import type { TaskId } from "../ids.ts";
import type { PathPattern } from "../ownership/pattern.ts";
import {
  type ClashMap,
  claimMeetings,
  clashes,
  clashMap,
  landingClash,
  MOST_TASKS,
  refusals,
  tasksAtWork,
} from "./clashes.ts";
import { taskRows } from "./task-rows.ts";

const happened = (run: Scenario) =>
  clashes(run.state, taskRows(run.state, run.state.clock), refusals(run.facts, run.facts.length));

describe("conflicts that happened", () => {
  test("are told with both sides, the paths, when, and what followed", () => {
    const run = story();
    expect(happened(run)).toEqual([
      {
        task: "emails",
        attempt: "emails/1",
        with: ["payments"],
        paths: ["src/events/bus.ts"],
        at: new Date(2026, 10, 15, 14, 44, 26).getTime(),
        followed: "attempt #2 is next",
        isSettled: false,
      },
    ]);
  });

  test("are settled once the task is merged, and stand behind those that are not", () => {
    const run = new Scenario([
      { id: "a", retries: 2 },
      { id: "b", fixRounds: 1 },
      { id: "c", retries: 0 },
    ]);
    run.work("a/1").conflict(["x"]).later(10_000).work("a/2").merge();
    run.work("b/1").conflict(["y"]).start("b/2").work("c/1").conflict(["z"]);
    const commit = run.phase("a").kind === "merged" ? run.state.tip.commit.slice(0, 7) : "";
    expect(happened(run).map(({ task, followed, isSettled }) => ({ task, followed, isSettled }))).toEqual([
      { task: "c", followed: "failed", isSettled: false },
      { task: "b", followed: "attempt #2 continued it, fixing", isSettled: false },
      { task: "a", followed: `attempt #2 started on the new tip, merged as ${commit}`, isSettled: true },
    ]);
  });

  test("of the whole run with its target are told apart", () => {
    const run = new Scenario([{ id: "a" }]).work("a/1").merge();
    const { tip } = run.want("land");
    run.fact({ type: "landing.refused", tip, why: "conflict", detail: "main has moved", paths: ["x"] });
    expect(landingClash(run.state)).toEqual({ target: "main", paths: ["x"], detail: "main has moved" });
    expect(landingClash(story().state)).toBeNull();
  });
});

const owns = (...patterns: string[]) =>
  patterns.map((text) => {
    const [pattern = "", symbol = null] = text.split("::");
    return { mode: "any", pattern: pattern as PathPattern, symbol } as const;
  });

const told = ({ pairs }: ClashMap) =>
  pairs.filter(({ kind }) => kind !== "apart").map(({ a, b, kind, paths }) => `${a} ${b} ${kind}: ${paths}`);

describe("who meets whom", () => {
  const map = (tasks: readonly TaskSketch[], clashed: Parameters<typeof clashMap>[1] = []) => {
    const plan = planOf(tasks);
    return clashMap(plan.tasks, clashed, claimMeetings(plan.tasks));
  };

  test("is what the plan says: the same files, parts of one file that do not meet, or nothing at all", () => {
    const tasks = [
      { id: "a", owns: owns("src/ui/**", "x.ts::one") },
      { id: "b", owns: owns("src/ui/price.ts", "x.ts::two") },
      { id: "c", owns: owns("docs/") },
      { id: "d" },
    ];
    expect(told(map(tasks))).toEqual([
      "a b may: src/ui/** and src/ui/price.ts",
      "a d unknown: ",
      "b d unknown: ",
      "c d unknown: ",
    ]);
  });

  test("is what happened, as long as it is not settled, also with a task that is merged", () => {
    const a = { task: "a", attempt: "a/1", with: ["m"], paths: ["x"], at: 0, followed: "", isSettled: false };
    const b = { ...a, task: "b", with: ["a"], isSettled: true };
    const tasks = [
      { id: "a", owns: owns("x") },
      { id: "b", owns: owns("y") },
    ];
    const found = map(tasks, [a, b] as never);
    expect(found.tasks).toEqual(["a", "m", "b"]);
    expect(told(found)).toEqual(["a m clash: x"]);
  });

  test("shows, of more than fit, those that meet", () => {
    const many = Array.from({ length: 40 }, (_, n) => ({
      id: `t${n}`,
      owns: owns(n > 37 ? "same" : `f${n}`),
    }));
    const { tasks, more } = map(many);
    expect({ shown: tasks.length, more }).toEqual({ shown: MOST_TASKS, more: 40 - MOST_TASKS });
    expect(tasks.slice(0, 2)).toEqual(["t38", "t39"] as TaskId[]);
  });

  test("is asked of those that have something to merge", () => {
    const run = story();
    expect(tasksAtWork(run.state, taskRows(run.state, run.now))).toEqual(
      "i18n inventory checkout-ui cart-ui webhooks refunds emails audit-log docs".split(" "),
    );
  });
});
