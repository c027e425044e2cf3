import { describe, expect, it } from "vitest";
import { minutes, type SampleTask, samplePlan } from "../../../../test/support/sample-plan.ts";
import { preview } from "./preview.ts";

describe("the verdict", () => {
  const chain = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ id: `t${i}`, needs: i === 0 ? [] : [`t${i - 1}`] }));
  const side = (n: number, of = minutes(10)) =>
    Array.from({ length: n }, (_, i) => ({ id: `t${i}`, estimate: of }));

  it.each<[string, SampleTask[], number, string, string]>([
    ["a single task", [{ id: "a" }], 4, "one-task", "one task: nothing to run in parallel"],
    [
      "a chain",
      chain(5),
      4,
      "one-chain",
      "one long chain of 5 tasks: each needs the one before it, so more slots do not help",
    ],
    ["one slot", side(3), 1, "one-slot", "one slot: tasks run serially; up to 3 could run in parallel"],
    [
      "a chain with one small task beside it",
      [...chain(9), { id: "x" }],
      4,
      "little-gain",
      "speed-up at most 1.1x, 9 task lengths instead of 10 task lengths serially: running serially is as good",
    ],
    [
      "short tasks",
      side(5, { timeMs: 10_000, costUsd: null }),
      4,
      "little-time",
      "saves 30 s, about 20 s instead of about 50 s serially: running serially is as good",
    ],
    [
      "few tasks",
      [{ id: "a" }, { id: "b" }, { id: "c", needs: ["a", "b"] }],
      4,
      "few-tasks",
      "3 tasks, 1.5x, 2 task lengths instead of 3 task lengths serially: running serially is nearly as good",
    ],
    [
      "tasks side by side",
      side(6),
      8,
      "worth-it",
      "worth running in parallel: 6.0x, about 10 m instead of about 60 m serially",
    ],
    [
      "more tasks than slots",
      side(12),
      4,
      "worth-it",
      "worth running in parallel: 4.0x, about 30 m instead of about 2 h serially",
    ],
  ])("on %s", (_, tasks, slots, reason, says) => {
    const { verdict } = preview(samplePlan(tasks), { slots });
    expect(verdict).toEqual({ parallel: reason === "worth-it", reason, says });
  });
});
