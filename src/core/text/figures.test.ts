import { expect, it } from "vitest";
import { amount, count, duration, factor, shortDuration } from "./figures.ts";

const MINUTE = 60_000;

it.each([
  [0, "0 s", "0s"],
  [40_000, "40 s", "40s"],
  [90_000, "2 m", "2m"],
  [58 * MINUTE, "58 m", "58m"],
  [90 * MINUTE, "1 h 30 m", "1h30"],
  [120 * MINUTE, "2 h", "2h00"],
  [10_201 * MINUTE, "170 h", "170h01"],
  [200.4 * MINUTE, "3 h 20 m", "3h20"],
])("%i ms are %s, or %s in a narrow column", (ms, long, short) => {
  expect([duration(ms), shortDuration(ms)]).toEqual([long, short]);
});

it("amounts are forecasts in time, or plain counts of tasks", () => {
  expect(amount(MINUTE * 20, "ms")).toBe("about 20 m");
  expect([amount(1, "task"), amount(4, "task")]).toEqual(["1 task length", "4 task lengths"]);
});

it("a factor is rounded to one decimal", () => {
  expect([1, 1.19, 1.3, 5 / 3, 3.44, 0.7 + 0.6].map(factor)).toEqual([
    "1.0x",
    "1.2x",
    "1.3x",
    "1.7x",
    "3.4x",
    "1.3x",
  ]);
});

it("counts have their plural", () => {
  expect([count(1, "task"), count(0, "task"), count(2, "task")]).toEqual(["1 task", "0 tasks", "2 tasks"]);
});
