import { expect, test } from "vitest";
import { Scenario } from "../../test/support/scenario.ts";
import { findEffectRule } from "./failure.ts";
import { wants } from "./wants.ts";

test("an effect that a person must look at does not keep the run from ending", () => {
  const scenario = new Scenario([{ id: "a" }]);
  scenario.start("a/1");
  scenario.end("a/1");
  const kinds = () => wants(scenario.state, scenario.state.clock + 3_600_000).map(({ kind }) => kind);
  expect(kinds()).toEqual(["save"]);
  for (let n = 0; n < findEffectRule(null, false).limit; n += 1) {
    expect(kinds()).not.toContain("finish");
    scenario.fact({ type: "effect.failed", key: "save a/1", detail: "no room" });
  }
  expect(kinds()).toEqual(["save", "finish"]);
});
