import { EFFECT_MUTANTS } from "./in-effects.ts";
import { EVOLVE_MUTANTS } from "./in-evolve.ts";
import { WANTS_MUTANTS } from "./in-wants.ts";
import type { Mutant } from "./mutant.ts";

export const MUTANTS: readonly Mutant[] = [...EVOLVE_MUTANTS, ...WANTS_MUTANTS, ...EFFECT_MUTANTS];
