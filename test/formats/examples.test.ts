import { describe, expect, test } from "vitest";
import { loadPlan } from "../../src/app/load-plan.ts";
import { defaultCaps } from "../../src/config/caps.ts";
import { defaultLayers } from "../../src/config/settings.ts";
import { examples } from "./examples.ts";
import { show } from "./read-as-plan.ts";

describe("the examples", () => {
  test("are there", () => expect(examples.length).toBeGreaterThanOrEqual(4));

  test.each(examples)("$name is a plan without a finding that matters", async ({ path }) => {
    const { plan, diagnostics } = await loadPlan(path, { caps: defaultCaps, layers: defaultLayers() });
    expect(diagnostics.filter(({ severity }) => severity !== "note").map(show)).toEqual([]);
    expect(plan).not.toBeNull();
  });

  test.each(examples)("$name tells editors its schema", ({ name, text }) => {
    const sign = name.endsWith(".json")
      ? '"$schema": "../../schema/plan.schema.json"'
      : "# yaml-language-server: $schema=../../schema/plan.schema.json";
    expect(
      text
        .split("\n")
        .slice(0, 2)
        .map((line) => line.trim().replace(/,$/, "")),
    ).toContain(sign);
  });
});
