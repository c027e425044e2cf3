import { describe, expect, test } from "vitest";
import { ended, story } from "../../../test/support/checkout.ts";
import type { Scenario } from "../../../test/support/scenario.ts";
import { criticalWay } from "./forecast.ts";
import { overview } from "./overview.ts";

function way(run: Scenario) {
  const { behind, ahead } = criticalWay(overview(run.state, run.now));
  return [...behind.map(({ task }) => task), "|", ...ahead].join(" ");
}

describe("the critical path of a run", () => {
  test("goes from what held up the next to what the forecast names", () => {
    expect(way(story())).toBe("deps schema api-types cart-api | checkout-ui e2e release-check");
  });

  test("ends with what was done last, once all is over", () => {
    expect(way(ended())).toMatch(/^deps .*release-check \|$/);
  });

  test("does not lead through what was left when the run was stopped", () => {
    const run = story();
    run.fact({ type: "run.ended", outcome: "stopped" });
    expect(way(run)).toMatch(/^deps .*\|$/);
  });
});
