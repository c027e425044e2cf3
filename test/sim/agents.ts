import type { EpochMs } from "../../src/core/facts.ts";
import type { AttemptFailure } from "../../src/core/failure.ts";
import type { GateKey } from "../../src/core/ids.ts";
import { gateKey, type Task } from "../../src/core/plan.ts";
import type { Kind } from "./plans.ts";
import { type Random, randomFrom } from "./random.ts";

/**
 * What the agents of one task do, try after try. It depends on the seed, the task and the number of tries that were not
 * cut short from outside, and on nothing else: so a run with crashes can be compared with a calm one (I4).
 */
export type Outcome = {
  readonly durationMs: number;
  readonly costUsd: number;
  readonly end: "ok" | "hangs" | { readonly fails: (now: EpochMs) => AttemptFailure };
  /** Whether it writes its paths; a failed try may leave half of them. */
  readonly writes: boolean;
  /** A gate that its work turns red. */
  readonly poisons: GateKey | null;
  /** Whether it also writes where it may not. */
  readonly strays: boolean;
  /** Tells apart the works of several attempts. */
  readonly letter: string;
};

export type Script = (tryNumber: number) => Outcome;

/** Paths that several tasks may fight over, in wild plans. */
const SHARED_PATHS = ["shared/routes", "shared/config"];

export function scriptOf(seed: number, kind: Kind, task: Task): Script {
  const random = randomFrom(seed, "agent", task.id);
  const stumbles = isStraight(random, kind, task) ? 0 : random.int(1, 3);
  const isHopeless = kind === "wild" && random.chance(0.06);
  const failures = Array.from({ length: stumbles }, () => randomStumble(random, task));
  const last = randomStumble(random, task, { forEver: true });
  const good = randomSuccess(random, task);
  return (tryNumber) => {
    const outcome = failures[tryNumber] ?? (isHopeless ? last : good);
    return { ...outcome, letter: kind === "wild" && tryNumber % 2 === 1 ? "b" : "a" };
  };
}

/** Racing tries of an oracle plan all succeed: several that fail at once would use up several lines of the script. */
function isStraight(random: Random, kind: Kind, task: Task): boolean {
  return random.chance(0.6) || kind === "calm" || (kind === "oracle" && task.race > 1);
}

/** The paths that a task changes. Only its first dependent may go on with a task's own path. */
export function pathsOf(seed: number, kind: Kind, task: Task, tasks: readonly Task[]): string[] {
  if (task.access === "read-only") return [];
  const random = randomFrom(seed, "paths", task.id);
  const paths = [`own/${task.id}`];
  const [need] = task.needs;
  const isFirstDependent = need !== undefined && tasks.find(({ needs }) => needs[0] === need)?.id === task.id;
  if (isFirstDependent && random.chance(0.4)) paths.push(`own/${need}`);
  if (kind === "wild" && random.chance(0.2)) paths.push(random.pick(SHARED_PATHS));
  return paths;
}

function randomSuccess(random: Random, task: Task): Outcome {
  const leavesNothing = task.access === "write" && task.allowEmpty && random.chance(0.5);
  return {
    durationMs: random.int(5, 40 * 60) * 1000,
    costUsd: random.int(0, 200) / 100,
    end: "ok",
    writes: !leavesNothing,
    poisons: null,
    strays: false,
    letter: "a",
  };
}

function randomStumble(random: Random, task: Task, { forEver = false } = {}): Outcome {
  const base = { ...randomSuccess(random, task), durationMs: random.int(1, 20 * 60) * 1000 };
  const { gates } = task;
  const found = random.int(0, 9);
  // A fix round goes on with what is there, so work that a later try would not make must not be left behind.
  const mayLeave = task.access === "write" && !task.allowEmpty;
  if (found === 0 && mayLeave && gates.length > 0)
    return { ...base, writes: true, poisons: gateKey(random.pick(gates)) };
  if (found === 1 && mayLeave) return { ...base, writes: true, strays: true };
  if (found === 2 && mayLeave) return { ...base, writes: false };
  if (found === 3) return { ...base, end: "hangs" };
  return { ...base, writes: random.chance(0.5), end: { fails: randomFailure(random, task, forEver) } };
}

function randomFailure(random: Random, task: Task, forEver: boolean): (now: EpochMs) => AttemptFailure {
  const detail = "as scripted";
  const mine = ["agent-error", "crash", "max-turns", "environment"] as const;
  const theirs = ["overloaded", "network", "auth", "billing"] as const;
  const final = ["budget", "context", "denied", "agent-said-no", "rejected"] as const;
  if (forEver && random.chance(0.5)) {
    const reason = random.pick(final);
    return () => ({ reason, detail });
  }
  // What parks an account for ever would keep the run going for ever: only one's own failures last.
  if (task.work.kind === "command" || forEver || random.chance(0.4)) {
    const reason = random.pick(mine);
    return () => ({ reason, detail });
  }
  const waitMs = random.chance(0.5) ? random.int(1, 3600) * 1000 : null;
  const kind = random.int(0, 3);
  if (kind === 0) return () => ({ reason: "rate-limit", retryAfterMs: waitMs, detail });
  if (kind === 1) {
    return (now) => ({ reason: "usage-limit", resetsAt: waitMs === null ? null : now + waitMs, detail });
  }
  const reason = random.pick(theirs);
  return () => ({ reason, detail });
}
