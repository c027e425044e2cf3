import { describe, expect, test } from "vitest";
import { calm, makeCase } from "./case.ts";
import { inEvolve } from "./mutants/mutant.ts";
import { REAL, runCase, runSeed } from "./run.ts";
import { report, shrink } from "./shrink.ts";
import { sightsOf, TO_BE_SEEN } from "./sights.ts";

/** PLAIT_SIM_SEEDS=10000 runs more of them, PLAIT_SIM_SEED=17 runs that one. */
const { PLAIT_SIM_SEED: one, PLAIT_SIM_SEEDS: count = "250" } = process.env;
const seeds = one === undefined ? Array.from({ length: Number(count) }, (_, i) => i + 1) : [Number(one)];

describe("the core in a simulated world", () => {
  const seen = new Set<string>();
  /** Of the first runs, to be compared with what their seeds give once more. */
  const told = new Map<number, string>();

  test(`keeps every invariant in ${seeds.length} random runs`, {
    timeout: 60_000 + 200 * seeds.length,
  }, () => {
    const start = performance.now();
    for (const seed of seeds) {
      const result = runSeed(seed);
      if (told.size < 40) told.set(seed, JSON.stringify(result.facts));
      for (const sight of sightsOf(result.facts)) seen.add(sight);
      if (result.broken !== null) expect.fail(report(seed, shrink(seed, REAL, result)));
    }
    const seconds = (performance.now() - start) / 1000;
    console.info(
      `${seeds.length} runs in ${seconds.toFixed(1)} s, ${Math.round(seeds.length / seconds)} a second`,
    );
  });

  test.runIf(seeds.length >= 250)("gets into every corner that it is for", () => {
    expect(TO_BE_SEEN.filter((sight) => !seen.has(sight))).toEqual([]);
  });

  test("a seed determines its run to the last byte", () => {
    expect(told.size).toBe(Math.min(40, seeds.length));
    for (const [seed, facts] of told) expect(JSON.stringify(runSeed(seed).facts)).toBe(facts);
  });

  test("a calm run of a plan that can only end well is complete or has no branch to land on", () => {
    const cases = seeds.slice(0, 200).map((seed) => calm(makeCase(seed)));
    for (const theCase of cases.filter(({ kind }) => kind === "oracle")) {
      const { broken, outcome } = runCase(theCase);
      expect({ seed: theCase.seed, broken }).toEqual({ seed: theCase.seed, broken: null });
      const canLand = theCase.hasTarget || theCase.policy.land === "never";
      if (canLand) expect(outcome).toBe("complete");
    }
  });
});

describe("a failing case", () => {
  test("shrinks to a smaller one that breaks the same invariant, and says how to run it again", () => {
    const forgetful = inEvolve("forgets advances", (state, fact, fold) =>
      fact.type === "integration.advanced" ? state : fold(state, fact),
    ).plant(REAL);
    const seed = 2;
    const found = runSeed(seed, forgetful);
    const shrunk = shrink(seed, forgetful, found);
    expect(shrunk.result.broken?.invariant).toBe(found.broken?.invariant);
    expect(shrunk.cut.tasks.length).toBeGreaterThan(0);
    expect(shrunk.cut.faults.length).toBe(makeCase(seed).faults.length);
    expect(report(seed, shrunk)).toContain(`PLAIT_SIM_SEED=${seed} npm test`);
  });
});
