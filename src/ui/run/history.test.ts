import { expect, test } from "vitest";
import { runSeed } from "../../../test/sim/run.ts";
import { ended } from "../../../test/support/checkout.ts";
import { evolve } from "../../core/evolve.ts";
import type { Fact } from "../../core/facts.ts";
import type { RunState } from "../../core/run-state.ts";
import { createHistory } from "./history.ts";

const folded = (facts: readonly Fact[]): RunState | null =>
  facts.reduce<RunState | null>((state, fact) => evolve(state, fact), null);

const historyOf = (facts: readonly Fact[]) => {
  const history = createHistory();
  for (const fact of facts) history.add(fact);
  return history;
};

test("the state after any number of facts is what folding them gives, in whatever order it is asked for", () => {
  for (const seed of [3, 5, 8, 13]) {
    const { facts } = runSeed(seed);
    const history = historyOf(facts);
    const asked = facts.map((_, n) => (n * 61) % (facts.length + 1)).slice(0, 40);
    for (const count of [facts.length, 0, 64, 65, 63, ...asked])
      expect(history.stateAfter(count)).toEqual(folded(facts.slice(0, count)));
  }
});

test("a later fact changes no state that was given out", () => {
  const { facts } = ended();
  const history = createHistory();
  const states = facts.map((fact) => {
    history.add(fact);
    return history.latest();
  });
  expect(states[70]).toEqual(folded(facts.slice(0, 71)));
  expect(history.stateAfter(71)).toEqual(states[70]);
});

test("where a resumed run has an earlier clock, its facts come after those that were there", () => {
  const [started] = ended().facts as [Fact];
  const back = { v: 1, type: "run.paused" } as const;
  const history = historyOf([
    started,
    { ...back, at: started.at + 9_000 },
    { ...back, at: started.at + 4_000 },
  ]);
  expect(history.countAt(started.at + 4_000)).toBe(1);
  expect(history.countAt(started.at + 9_000)).toBe(3);
  expect(history.timeOf(2)).toBe(started.at + 9_000);
});

test("a notice has the place of its fact", () => {
  const { facts } = ended();
  const { noticed } = historyOf(facts);
  const failed = noticed.filter(({ notice }) => notice.kind === "failed");
  expect(failed.map(({ notice }) => notice.task)).toEqual(["tax", "promo"]);
  for (const { n, notice } of failed) expect(facts[n]?.at).toBe(notice.at);
});
