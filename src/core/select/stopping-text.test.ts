import { expect, test } from "vitest";
import { Scenario } from "../../../test/support/scenario.ts";
import { stoppingText } from "./stopping-text.ts";

test("a stop counts the attempts that it stops, and says so where there is none", () => {
  const run = new Scenario([{ id: "a" }, { id: "b" }]);
  expect(stoppingText(run.state, "stop")).toBe(
    "Stopping: nothing is under way. Go on with: plait resume run-1",
  );
  run.start("a/1");
  expect(stoppingText(run.state, "stop")).toMatch(/^Stopping 1 attempt and saving its work\./);
  run.start("b/1");
  expect(stoppingText(run.state, "drain")).toMatch(/^Draining: 2 attempts may end/);
});
