import { decide } from "../../src/core/decide.ts";
import { evolve } from "../../src/core/evolve.ts";
import type { Fact } from "../../src/core/facts.ts";
import { nextWake, wants } from "../../src/core/wants.ts";
import { type Case, type Cut, makeCase, WHOLE } from "./case.ts";
import { EFFECTS } from "./effects.ts";
import { type System, Trial } from "./trial.ts";
import { Violation } from "./violation.ts";

/** The core and the driver as they are. */
export const REAL: System = { core: { evolve, wants, nextWake, decide }, effects: EFFECTS };

/** How one case ended: well, or with the invariant that did not hold. */
export type Result = {
  readonly facts: readonly Fact[];
  readonly outcome: string;
  readonly broken: { readonly invariant: string; readonly message: string } | null;
};

export function runSeed(seed: number, system: System = REAL, cut: Cut = WHOLE): Result {
  return runCase(makeCase(seed, cut), system);
}

export function runCase(theCase: Case, system: System = REAL): Result {
  const trial = new Trial(theCase, system);
  try {
    const state = trial.run();
    return { facts: trial.facts, outcome: state.ended?.outcome ?? "none", broken: null };
  } catch (error) {
    return { facts: trial.facts, outcome: "none", broken: describe(error) };
  }
}

/** Whatever else is thrown breaks the promise that the core is total. */
function describe(error: unknown): NonNullable<Result["broken"]> {
  if (error instanceof Violation) return { invariant: error.invariant, message: error.message };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { invariant: "evolve is total", message: text };
}
