import type { Task } from "../plan.ts";
import type { TaskState } from "../run-state.ts";

/**
 * Which chance of its task an attempt is. A `try` begins afresh, and there are 1 + retries of them; a `fix` round goes on with
 * a try, and each try has its own. What was stopped, parked or given for free uses none up, so its number comes again.
 */
export type Turn = { readonly kind: "try" | "fix"; readonly n: number; readonly of: number };

/** The one under way, else the last; null before the first, and for what a person did: that is no chance of the task. */
export function lastTurn(task: Task, of: TaskState): Turn | null {
  const last = of.live.at(-1) ?? of.past.at(-1);
  return last === undefined || last.author === "person" ? null : turnOf(task, of, last.continues !== null);
}

/** The one that comes. */
export function nextTurn(task: Task, of: TaskState): Turn {
  return turnOf(task, of, of.fix !== null);
}

/** A plan that was revised may allow less than was used before. */
function turnOf({ retries, fixRounds }: Task, { used }: TaskState, isFix: boolean): Turn {
  const n = isFix ? Math.max(1, used.fixRounds) : used.retries + 1;
  return { kind: isFix ? "fix" : "try", n, of: Math.max(n, isFix ? fixRounds : retries + 1) };
}

/** Whether it is more than the first try, which goes without saying. */
export const isLater = (turn: Turn | null): turn is Turn =>
  turn !== null && (turn.kind === "fix" || turn.n > 1);

/** `try 2 of 3`, `fix round 1 of 2`. Not `attempt`: attempts are numbered through, whatever they are, and `#4` may be try 2. */
export const turnText = ({ kind, n, of }: Turn): string =>
  `${kind === "fix" ? "fix round" : "try"} ${n} of ${of}`;

/** The same for a column: `2/3`, `fix 1/2`. */
export const shortTurn = ({ kind, n, of }: Turn): string => `${kind === "fix" ? "fix " : ""}${n}/${of}`;
