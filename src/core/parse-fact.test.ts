import { expect, test } from "vitest";
import { Scenario } from "../../test/support/scenario.ts";
import { parseFact } from "./parse-fact.ts";

test("a fact that went through JSON is the fact it was", () => {
  for (const fact of new Scenario([{ id: "a" }]).work("a/1").merge().facts) {
    expect(parseFact(JSON.parse(JSON.stringify(fact)))).toEqual(fact);
  }
});

test.each([
  [null, "must be an object"],
  [{ v: 2, at: 1, type: "run.paused" }, "version 1, not 2"],
  [{ v: 1, at: "now", type: "run.paused" }, "must have a time"],
  [{ v: 1, at: 1, type: "toString" }, '"toString" is not a known type of fact'],
])("%j is refused", (value, reason) => {
  expect(() => parseFact(value)).toThrow(reason);
});
