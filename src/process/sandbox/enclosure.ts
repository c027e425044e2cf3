// What stands around a program: nothing, a helper that keeps its descendants together, or walls. One small port, so that the
// supervisor starts, signals and understands all of them in the same way.

import type { ProcessRef } from "../process-entry.ts";
import type { Child, ChildExit, Invocation, SpawnFailure } from "../spawn.ts";

/** Turns what is asked for into what is spawned. Called anew for each start: descriptors and states belong to one child. */
export type Enclose = (invocation: Invocation) => Enclosure;

export type Enclosure = {
  readonly argv: readonly string[];
  /** Descriptors 3, 4, … of what is spawned: bytes that it reads there, or null where it writes. */
  readonly pipes: readonly (Buffer | null)[];
  /** Called once it runs. */
  readonly attend: (child: Child) => Attended;
};

export type Attended = {
  /** Reaches the program itself and its process group, and not only what encloses it. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** The end of the program, told by the end of what encloses it and the end of its stderr. */
  readonly readEnd: (exit: ChildExit, stderrTail: string) => Promise<ProgramEnd>;
};

export type ProgramEnd = ChildExit & {
  /** What encloses it failed before the program began, so its exit code says nothing about the program. */
  readonly notRun: SpawnFailure | null;
  /** What the program started and could not be ended. */
  readonly left: readonly ProcessRef[];
};
