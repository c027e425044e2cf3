import { describe, expect, test } from "vitest";
import { agentWork } from "../../../test/support/plans.ts";
import { Scenario } from "../../../test/support/scenario.ts";
import { countdown, elapsed, listed, ordinal, tokenCount } from "../text/figures.ts";
import { accessWords, forecast, spending } from "./forecast.ts";
import { taskRows } from "./task-rows.ts";

const minutes = (n: number, usd?: number) => ({
  timeMs: n * 60_000,
  costUsd: usd === undefined ? null : { low: usd, high: usd },
});
const about = (run: Scenario) => {
  const expected = forecast(run.state, run.now);
  return expected === null ? null : `${Math.round(expected.leftMs / 60_000)} m by ${expected.by.join(", ")}`;
};

describe("when a run will be ready", () => {
  test("the longest way decides, less what it has done already", () => {
    const tasks = [
      { id: "a", estimate: minutes(10) },
      { id: "b", needs: ["a"], estimate: minutes(5) },
      { id: "x", estimate: minutes(2) },
    ];
    const run = new Scenario(tasks);
    expect(about(run)).toBe("15 m by a, b");
    expect(about(run.start("a/1").later(4 * 60_000))).toBe("11 m by a, b");
  });

  test("the slots decide where there is more work than they can do", () => {
    const tasks = Array.from({ length: 10 }, (_, n) => ({ id: `t${n}`, estimate: minutes(10) }));
    expect(about(new Scenario(tasks, { policy: { slots: 2 } }))).toBe("50 m by ");
  });

  test("nobody knows before a few are done, where the plan says nothing", () => {
    const run = new Scenario(["a", "b", "c", "d"].map((id) => ({ id })));
    for (const id of ["a", "b", "c"]) {
      expect(about(run)).toBeNull();
      run.start(`${id}/1`).later(60_000).end(`${id}/1`).save(`${id}/1`).merge();
    }
    expect(about(run)).toBe("1 m by d");
  });
});

test("what it will cost is known when every task that is left has a figure", () => {
  const run = new Scenario([
    { id: "a", estimate: minutes(1, 2) },
    { id: "b", estimate: minutes(1, 3) },
  ]);
  const spent = () => spending(run.state, taskRows(run.state, run.now));
  expect(spent()).toEqual({ usd: null, tokens: null, expectedUsd: 5 });
  run.start("a/1").end("a/1", null, { costUsd: 4, inputTokens: 7 }).save("a/1").merge();
  expect(spent()).toEqual({ usd: 4, tokens: 7, expectedUsd: 7 });
});

test("access is told as it is", () => {
  const command = { kind: "command", run: { kind: "shell", line: "x" } } as const;
  const short = (task: object) => accessWords(new Scenario([{ id: "a", ...task }]).state).short;
  expect([short({ work: agentWork }), short({ access: "read-only" }), short({ work: command })]).toEqual([
    "full access",
    "read only",
    "commands only",
  ]);
});

test("figures are written as people read them", () => {
  expect([0, 54_900, 246_000, 3_720_000, -5].map(elapsed)).toEqual([
    "0:00",
    "0:54",
    "4:06",
    "1:02:00",
    "0:00",
  ]);
  expect([1, 54_001].map(countdown)).toEqual(["0:01", "0:55"]);
  expect([999, 180_400, 999_600, 10_940_000].map(tokenCount)).toEqual(["999", "180k", "1.0M", "10.9M"]);
  expect([1, 2, 3, 4, 11, 12, 21, 113].map(ordinal).join(" ")).toBe("1st 2nd 3rd 4th 11th 12th 21st 113th");
  expect([listed([]), listed(["a"]), listed(["a", "b", "c"])]).toEqual(["", "a", "a, b and c"]);
});
