import type {
  AccountLimitReason,
  EpochMs,
  GateAsker,
  MergedAttempt,
  Revision,
  RunOutcome,
  TaskAttempt,
} from "./facts.ts";
import type { AccountKey, AttemptId, GateKey, Oid, RefName, TaskId, TextHash } from "./ids.ts";
import type { Check } from "./run-index.ts";
import type { FixAsked, OpenTask, StopCause } from "./run-state.ts";

/**
 * What should be under way now. Level-triggered: asked again after each fact and after each replay, so a crash can lose
 * no effect. The driver starts what is wanted and not in flight, by key, and keeps four rules:
 * - It never ends an attempt because its want is gone, only because a `stop` is wanted; a gate whose want is gone it ends.
 * - `wants` does not see what is in flight: all starts of one answer have their `attempt.started` folded before another
 *   answer's starts are begun, or a slot would be given twice.
 * - For the same reason it begins the gates that `gatesToBegin` says, and no other.
 * - `finish` is acted on only when nothing is in flight and every fact is durable, and nothing is decided between that
 *   answer and its durable `run.ended`.
 */
export type Want = { readonly key: string } & (
  | {
      /** Begin a new attempt: `attempt.started` first, then worktree, preparation, process. */
      readonly kind: "start";
      readonly task: TaskId;
      readonly attempt: AttemptId;
      readonly base: Revision;
      /** The conversation to continue, and the worktree where something is to be fixed there. */
      readonly fix: FixAsked | null;
      readonly brief: TextHash | null;
    }
  /** See a started attempt to its end. Same key as its start: only a new driver finds it not in flight. */
  | { readonly kind: "attend"; readonly attempt: AttemptId }
  | {
      readonly kind: "stop";
      readonly attempt: AttemptId;
      readonly because: StopCause;
      /** At once, without a word to the agent. */
      readonly kill: boolean;
    }
  | { readonly kind: "save"; readonly attempt: AttemptId }
  /** Make a worktree ready for a person. */
  | { readonly kind: "open"; readonly task: TaskId; readonly open: OpenTask }
  /** Judge a tree. */
  | {
      readonly kind: "gate";
      readonly tree: Oid;
      readonly check: Check;
      /** All who wait for the verdict; it goes into the fact as it is. */
      readonly asked: readonly GateAsker[];
      readonly since: EpochMs;
    }
  /** Build the next candidate: as many of the tasks, from the first, as merge cleanly; a conflict is the first one's. */
  | { readonly kind: "merge"; readonly from: Oid; readonly tasks: readonly TaskAttempt[] }
  | {
      readonly kind: "advance";
      readonly from: Oid;
      readonly to: Revision;
      readonly tasks: readonly MergedAttempt[];
    }
  | { readonly kind: "probe"; readonly account: AccountKey; readonly why: AccountLimitReason }
  /** Move the target to `result`, which carries the integration commit `tip`; `onto` is where a joined one was built. */
  | { readonly kind: "land"; readonly tip: Oid; readonly result: Revision; readonly onto: Oid | null }
  /** Put the target, which has landed, or a branch with `result` on the server. `onto`: as in `land`. */
  | { readonly kind: "publish"; readonly tip: Oid; readonly result: Revision; readonly onto: Oid | null }
  /** Take what landed off the target again. */
  | {
      readonly kind: "undo";
      readonly tip: Oid;
      readonly target: RefName;
      readonly from: Oid;
      readonly to: Revision;
    }
  | { readonly kind: "finish"; readonly outcome: RunOutcome }
);

export type GateWant = Extract<Want, { kind: "gate" }>;

/**
 * The gates that may begin beside those in flight: of each as many as it has slots, in the order that they are wanted. One
 * in flight keeps its slot until it is gone, also when it is being ended, and is never ended for the sake of another.
 */
export function gatesToBegin(wanted: readonly Want[], inFlight: readonly Want[]): GateWant[] {
  const running = new Map<GateKey, number>();
  const isGate = (want: Want): want is GateWant => want.kind === "gate";
  const take = ({ check }: GateWant) => {
    const n = (running.get(check.key) ?? 0) + 1;
    running.set(check.key, n);
    return check.gate.slots === null || n <= check.gate.slots;
  };
  const flying = inFlight.filter(isGate);
  flying.forEach(take);
  const keys = new Set(flying.map(({ key }) => key));
  return wanted.filter(isGate).filter((want) => !keys.has(want.key) && take(want));
}
