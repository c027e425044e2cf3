import { expect, test } from "vitest";
import { story } from "../../../test/support/checkout.ts";
import { gapsOf } from "../../core/select/timeline/segment.ts";
import { timeAxis } from "./time-axis.ts";

const HOUR = 3_600_000;

test("a night without a driver takes no room, and every moment of the rest has its own place", () => {
  const run = story();
  const evening = run.facts.reduce((last, { at }) => Math.max(last, at), 0);
  run.later(8 * HOUR).resume();
  const start = run.facts[0]!.at;
  const axis = timeAxis(gapsOf(run.facts), start, run.now + HOUR);
  expect(axis.lengthMs).toBe(evening - start + HOUR);
  for (const at of [start, start + 60_000, evening - 1, run.now + 1, run.now + HOUR])
    expect(axis.at(axis.offset(at))).toBe(at);
  expect(axis.offset(evening + HOUR)).toBe(axis.offset(evening));
});

test("a clock that was set back makes no gap", () => {
  const run = story();
  run.later(-HOUR).resume();
  expect(gapsOf(run.facts)).toEqual([]);
});
