import type { AccountLimitReason, EpochMs, Finding } from "./facts.ts";
import type { TaskId } from "./ids.ts";

/**
 * Why an attempt did not succeed, and the one table that says what follows. Adapters classify, the table decides:
 * nothing else in plait knows which failures are worth another try.
 */
export type AttemptFailure = {
  readonly detail: string;
  /** The detail says it all: no headline stands before it. */
  readonly isClause?: true;
} & (
  | { readonly reason: "rate-limit"; readonly retryAfterMs: number | null }
  | { readonly reason: "usage-limit"; readonly resetsAt: EpochMs | null }
  | { readonly reason: "timeout"; readonly clock: "start" | "idle" | "total" }
  | {
      readonly reason: "gate";
      readonly gate: string;
      readonly on: "attempt" | "merge";
      /** `2 of 41 tests failed`. */
      readonly summary: string;
    }
  | { readonly reason: "ownership"; readonly findings: readonly Finding[] }
  | {
      readonly reason: "conflict";
      readonly with: readonly TaskId[];
      readonly paths: readonly string[];
      /** The branch that moved, where that is the other side. */
      readonly target?: string;
      /** An attempt was to resolve it, and left markers in these files. */
      readonly isLeft?: true;
    }
  /** Files that it was to create are not there. */
  | { readonly reason: "incomplete"; readonly paths: readonly string[] }
  | {
      readonly reason: "cancelled";
      readonly because: "stop" | "cancel" | "superseded" | "fail-fast" | "red-base";
    }
  | { readonly reason: PlainReason }
);

type PlainReason =
  | "overloaded"
  | "auth"
  | "billing"
  | "budget"
  | "max-turns"
  | "context"
  | "network"
  | "agent-error"
  | "agent-said-no"
  | "crash"
  | "denied"
  | "nothing-done"
  | "environment"
  | "rejected"
  /** plait could not prepare it; no program was started. */
  | "not-started"
  | "orphaned";

export type FailureReason = AttemptFailure["reason"];

/** Doubling waits: the first, the longest. */
type Backoff = { readonly firstMs: number; readonly maxMs: number };

export type FailureRule =
  /** Try again after a back-off; the first `free` tries in a row for this reason use up no retry of the task. */
  | {
      readonly kind: "retry";
      readonly backoff: Backoff;
      readonly free: number;
      /** The wait holds for every task of the account. */
      readonly account: AccountLimitReason | null;
      /** Hand the finding back to the same conversation first, as long as the task has fix rounds. */
      readonly fixable: boolean;
    }
  /** Park the task and its account; no retry is used up. */
  | { readonly kind: "park"; readonly backoff: Backoff; readonly account: AccountLimitReason }
  | { readonly kind: "fail" }
  /** Not a failure of the task: it goes back to where it was. */
  | { readonly kind: "again" };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

type Retry = Extract<FailureRule, { kind: "retry" }>;
type Park = Extract<FailureRule, { kind: "park" }>;

const retry = (firstMs: number, more: Partial<Retry> = {}): Retry => ({
  kind: "retry",
  backoff: { firstMs, maxMs: 15 * MINUTE },
  free: 0,
  account: null,
  fixable: false,
  ...more,
});

const park = (account: AccountLimitReason, firstMs: number): Park => ({
  kind: "park",
  backoff: { firstMs, maxMs: 15 * MINUTE },
  account,
});

const fail = { kind: "fail" } as const;

/**
 * The table. Ten free tries at doubling waits are more than an hour of an overloaded vendor; sixteen are more than two hours
 * without a network, where no probe can find out whether it is back. A server that throttles asks for seconds, and not every agent
 * reports how many: those waits stay short, and 45 of them are more than an hour.
 */
export const FAILURE_RULES = {
  "rate-limit": retry(5 * SECOND, {
    backoff: { firstMs: 5 * SECOND, maxMs: 2 * MINUTE },
    free: 45,
    account: "rate-limit",
  }),
  overloaded: retry(15 * SECOND, { free: 10, account: "overloaded" }),
  "usage-limit": park("usage-limit", 15 * MINUTE),
  auth: park("auth", MINUTE),
  billing: park("billing", 15 * MINUTE),
  network: retry(10 * SECOND, { free: 16, account: "network" }),
  "agent-error": retry(10 * SECOND),
  crash: retry(5 * SECOND),
  timeout: retry(5 * SECOND),
  "max-turns": retry(5 * SECOND),
  "nothing-done": retry(5 * SECOND),
  environment: retry(30 * SECOND),
  ownership: retry(5 * SECOND, { fixable: true }),
  incomplete: retry(5 * SECOND, { fixable: true }),
  gate: retry(5 * SECOND, { fixable: true }),
  conflict: retry(5 * SECOND, { fixable: true }),
  budget: fail,
  context: fail,
  rejected: fail,
  denied: fail,
  "agent-said-no": fail,
  cancelled: { kind: "again" },
  "not-started": { kind: "again" },
  orphaned: { kind: "again" },
} as const satisfies { readonly [R in FailureReason]: FailureRule };

/** Limits that end only when somebody has looked; the others end by time. */
export const PROBED: ReadonlySet<AccountLimitReason> = new Set<AccountLimitReason>([
  "auth",
  "billing",
  "network",
]);

/** Somebody looked, and it still does not work: a look costs nothing, so what a person mends is noticed within a minute. */
export const LOOK_AGAIN: Backoff = { firstMs: 30 * SECOND, maxMs: 30 * SECOND };

/**
 * Why a step of plait's own failed: git said no, something is busy (a lock, no room for a process), the disk is full, or a branch of
 * plait's is where plait did not put it.
 */
export type EffectFailureCause = "git" | "busy" | "no-space" | "moved";

/** Waits between retries of such a step, and the failures after which the run stops for a person. */
type EffectRule = { readonly backoff: Backoff; readonly limit: number };

/** Four seconds for git, a minute for a lock, three minutes for a disk that a person has to clear. */
const EFFECT_RULES: { readonly [C in EffectFailureCause | "other"]: EffectRule } = {
  git: { backoff: { firstMs: 250, maxMs: 4 * SECOND }, limit: 5 },
  busy: { backoff: { firstMs: 500, maxMs: 15 * SECOND }, limit: 8 },
  "no-space": { backoff: { firstMs: SECOND, maxMs: 30 * SECOND }, limit: 10 },
  // Nobody puts it back unasked: there is nothing to wait for.
  moved: { backoff: { firstMs: 250, maxMs: 250 }, limit: 1 },
  other: { backoff: { firstMs: 2 * SECOND, maxMs: MINUTE }, limit: 5 },
};

/** In a run that a person stops, or that is held: the wait is for the end, and a resume does the rest. */
const LAST_RULE: EffectRule = { backoff: { firstMs: 250, maxMs: SECOND }, limit: 3 };

export function findEffectRule(cause: EffectFailureCause | null, isEnding: boolean): EffectRule {
  return isEnding ? LAST_RULE : EFFECT_RULES[cause ?? "other"];
}

/**
 * The wait before try number `n` (from 1): doubling, at most the maximum, spread by up to a fifth so that tasks that
 * failed together do not come back together. The spread comes from the name: the core has no random numbers.
 */
export function backoffMs(backoff: Backoff, n: number, name: string): number {
  const doubled = Math.min(backoff.maxMs, backoff.firstMs * 2 ** Math.min(n - 1, 30));
  return Math.round(doubled * (0.8 + 0.2 * spread(name)));
}

/** From 0 up to 1, the same for the same name. */
function spread(name: string): number {
  let hash = 2166136261;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
  return (hash >>> 0) / 2 ** 32;
}
