import { expect, test } from "vitest";
import { defaultLayers } from "./settings.ts";

test("an agent has time to repair a stalled stream, and is stopped before a person gives up", () => {
  const { limits, gateTimeoutMs } = defaultLayers().base;
  expect(limits.startMs).toBeLessThan(limits.idleMs);
  expect(limits.idleMs).toBeGreaterThan(5 * 60_000);
  expect(limits.idleMs).toBeLessThan(limits.totalMs);
  expect(gateTimeoutMs).toBeLessThan(limits.totalMs);
});

test("nothing is overridden", () =>
  expect(defaultLayers()).toMatchObject({ overrides: {}, force: { agent: null, model: null } }));
