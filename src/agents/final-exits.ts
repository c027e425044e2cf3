import type { AttemptFailure } from "../core/failure.ts";
import type { Ending, Reading } from "./adapter.ts";
import type { Agents } from "./registry.ts";

/** A shell exits like this when a program cannot be started, and programs with 2 when called wrongly: a retry ends the same way. */
export const FINAL_EXIT_CODES: readonly (number | null)[] = [2, 126, 127];

/** The same agents, but an exit code of these is final whatever the agent is. Failures that an agent explains stay as they are. */
export function withFinalExits(agents: Agents): Agents {
  return new Map(
    Array.from(agents, ([name, adapter]) => [
      name,
      { ...adapter, reader: (worktree) => wrapReading(adapter.reader(worktree)) },
    ]),
  );
}

function wrapReading(reading: Reading): Reading {
  return {
    read: (line) => {
      const { next, events } = reading.read(line);
      return { next: wrapReading(next), events };
    },
    conclude: (ending) => {
      const conclusion = reading.conclude(ending);
      return { ...conclusion, failure: finalFailure(conclusion.failure, ending) };
    },
  };
}

function finalFailure(failure: AttemptFailure | null, { code }: Ending): AttemptFailure | null {
  const isUnexplained = failure?.reason === "crash" || failure?.reason === "agent-error";
  return isUnexplained && FINAL_EXIT_CODES.includes(code)
    ? { reason: "rejected", detail: failure.detail }
    : failure;
}
