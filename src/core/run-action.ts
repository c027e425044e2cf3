import type { RunCommand, TakeOverKind } from "./decide.ts";

/** Everything that may be asked of a run from outside, but a new plan; `resume` is for one that nobody drives. */
export type RunAction = Exclude<RunCommand, { kind: TakeOverKind }> | { readonly kind: "resume" };
