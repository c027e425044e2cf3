import type { EpochMs, Fact } from "../../../src/core/facts.ts";
import type { RunState, TaskState } from "../../../src/core/run-state.ts";
import { entries } from "../../../src/core/sorted-map.ts";
import type { Want } from "../../../src/core/want.ts";
import type { Effects } from "../driver.ts";
import type { System } from "../trial.ts";

/**
 * A bug planted by hand: one change, of a kind that was seen in other tools or is easily made here. The simulator must
 * find each of them, or it is not worth running.
 */
export type Mutant = { readonly name: string; readonly plant: (system: System) => System };

export type Fold = (state: RunState, fact: Fact) => RunState;

/** Changes the fold. The change sees the state before, the fact, and the real fold. */
export function inEvolve(
  name: string,
  change: (state: RunState, fact: Fact, fold: Fold) => RunState,
): Mutant {
  return {
    name,
    plant: (system) => {
      const { evolve } = system.core;
      const fold: Fold = (state, fact) => evolve(state, fact) as RunState;
      const mutated = (state: RunState | null, fact: Fact) =>
        state === null ? evolve(state, fact) : change(state, fact, fold);
      return { ...system, core: { ...system.core, evolve: mutated } };
    },
  };
}

type Ask = (state: RunState) => Want[];

/** Changes the answer to what is wanted. */
export function inWants(name: string, change: (state: RunState, ask: Ask, now: EpochMs) => Want[]): Mutant {
  return {
    name,
    plant: (system) => {
      const { wants } = system.core;
      const mutated = (state: RunState, now: EpochMs) => change(state, (asked) => wants(asked, now), now);
      return { ...system, core: { ...system.core, wants: mutated } };
    },
  };
}

export function inEffects(name: string, change: (effects: Effects) => Partial<Effects>): Mutant {
  return {
    name,
    plant: (system) => ({ ...system, effects: { ...system.effects, ...change(system.effects) } }),
  };
}

/** Every task with its index. */
export function tasksOf(state: RunState): [i: number, task: TaskState][] {
  return [...entries(state.tasks)].map(([i, task]) => [i, task]);
}
