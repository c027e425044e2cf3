import { describe, expect, test } from "vitest";
import { NO_USAGE } from "./adapter.ts";
import { sumOfUsage, usageSince } from "./usage.ts";

const usage = (costUsd: number | null, inputTokens: number | null, outputTokens: number | null) => ({
  costUsd,
  inputTokens,
  outputTokens,
});

test("a sum knows what one of them knows", () => {
  expect(sumOfUsage([usage(1, null, 3), NO_USAGE, usage(2, null, null)])).toEqual(usage(3, null, 3));
  expect(sumOfUsage([])).toEqual(NO_USAGE);
});

describe("what is new in a count that goes on", () => {
  test("is what lies above the count before", () => {
    expect(usageSince(usage(1, 10, 5), usage(3, 30, 5))).toEqual(usage(2, 20, 0));
  });

  test("is all of it, where nothing was told before", () => {
    expect(usageSince(NO_USAGE, usage(3, 30, 5))).toEqual(usage(3, 30, 5));
  });

  test("is not known, where nothing is told now", () => {
    expect(usageSince(usage(1, 10, 5), NO_USAGE)).toEqual(NO_USAGE);
  });

  test("is all of it, where the count began anew: a killed program has not written it down", () => {
    expect(usageSince(usage(1, 10, 5), usage(0.5, 30, 9))).toEqual(usage(0.5, 30, 9));
  });
});
