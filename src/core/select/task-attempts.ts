import { attemptMs, pastMs } from "../attempt-times.ts";
import type { EpochMs, Fact, TypedFact } from "../facts.ts";
import type { AttemptFailure } from "../failure.ts";
import { type AttemptId, splitAttemptId } from "../ids.ts";
import type { TimeLimits } from "../plan.ts";
import { taskAt } from "../run-index.ts";
import type { LiveAttempt, PastAttempt, RunState } from "../run-state.ts";
import { taskState } from "../run-tasks.ts";
import { plainText } from "../text/sentence.ts";
import { formatAttemptCount, numberAttempt } from "./attempt-number.ts";
import { formatFailure, formatFailureShort } from "./failure-text.ts";
import type { Activities, TaskRow } from "./task-rows.ts";
import type { StatusKind } from "./task-status.ts";

/** An attempt on one line. */
export type AttemptLine = {
  readonly id: AttemptId;
  readonly n: number;
  /** As the sign that stands for it: how it ended, or what it does. */
  readonly shown: StatusKind;
  /** Who made it, or what it goes on with; empty where it is one like any other. */
  readonly kind: string;
  /** Why it did not go on, else the word of its state. */
  readonly text: string;
  /** The same in a few words. */
  readonly short: string;
  readonly startedAt: EpochMs;
  /** When all that was asked of it was over; null while it is not. */
  readonly endedAt: EpochMs | null;
  readonly ms: number;
  readonly costUsd: number | null;
};

/** What those under way have taken so far. */
export type SoFar = { readonly now: EpochMs; readonly activity?: Activities };

/** All attempts of the task of this row, in the order of their numbers. */
export function attemptLines(state: RunState, row: TaskRow, soFar: SoFar): AttemptLine[] {
  const i = state.index.indexOf.get(row.task) as number;
  const { past, live } = taskState(state, i);
  const { limits } = taskAt(state.index, i);
  const lines = [
    ...past.map((attempt) => pastLine(attempt, row, limits)),
    ...live.map((attempt) => liveLine(attempt, row, soFar)),
  ];
  return lines.sort((a, b) => a.n - b.n);
}

function pastLine(attempt: PastAttempt, row: TaskRow, limits: TimeLimits): AttemptLine {
  const { id, failure, startedAt, settledAt, ended } = attempt;
  const shown = pastSign(attempt, row);
  return {
    ...{ id, n: splitAttemptId(id).n, shown, kind: kindText(attempt), startedAt, endedAt: settledAt },
    text: failure === null ? shown : plainText(formatFailure(failure, limits)),
    short: failure === null ? shortKind(attempt) || shown : formatFailureShort(failure, limits),
    ms: pastMs(attempt),
    costUsd: ended.usage.costUsd,
  };
}

/** One that nothing is wrong with is where its task is: queued, merged, held. */
function pastSign({ id, failure }: PastAttempt, row: TaskRow): StatusKind {
  if (failure?.reason === "cancelled") return STOPS.has(failure.because) ? "stopped" : "dropped";
  if (failure !== null) return "failed";
  return id === row.attempt ? row.status.kind : "passed";
}

/** The whole run stopped, and not this attempt alone. */
const STOPS: ReadonlySet<string> = new Set(["stop", "fail-fast", "red-base"]);

const STAGES = { prepare: "preparing", run: "running", save: "saving", gate: "checking" } as const;

function liveLine(attempt: LiveAttempt, row: TaskRow, { now, activity }: SoFar): AttemptLine {
  const { id, stage, startedAt } = attempt;
  const told = stage.kind === "save" || stage.kind === "gate" ? stage.ended : activity?.get(id);
  const isFix = stage.kind === "run" && attempt.count?.kind === "fix";
  const isAtRest = row.status.kind === "interrupted" || row.status.kind === "stopped";
  const shown = isAtRest ? row.status.kind : isFix ? "fixing" : STAGES[stage.kind];
  return {
    ...{ id, n: splitAttemptId(id).n, shown, kind: kindText(attempt), startedAt, endedAt: null },
    text: shown,
    short: shortKind(attempt) || shown,
    ms: attemptMs(attempt, now),
    costUsd: told?.usage.costUsd ?? null,
  };
}

type Kind = Pick<LiveAttempt, "id" | "author" | "continues" | "count">;

/** `retry 1 of 2`, `fix 1 of 2, continues #3`. */
function kindText(attempt: Kind): string {
  const { author, continues } = attempt;
  const kind = kindWord(attempt);
  return author === "person" || continues === null
    ? kind
    : `${kind === "" ? "" : `${kind}, `}continues #${splitAttemptId(continues).n}`;
}

/** Of a retry its state says more. */
function shortKind(attempt: Kind): string {
  return attempt.count?.kind === "retry" ? "" : kindWord(attempt);
}

function kindWord(attempt: Kind): string {
  return attempt.author === "person" ? "by you" : formatAttemptCount(numberAttempt(attempt));
}

/**
 * The verdict that an attempt failed for: the last red one of that gate, asked for this attempt, or for what it was merged
 * into. Only the first `upTo` facts count. Null where the attempt failed for something else.
 */
export function redGate(
  facts: readonly Fact[],
  upTo: number,
  { attempt, failure }: { readonly attempt: AttemptId; readonly failure: AttemptFailure },
): TypedFact<"gate.judged"> | null {
  if (failure.reason !== "gate") return null;
  for (let n = Math.min(upTo, facts.length) - 1; n >= 0; n -= 1) {
    const fact = facts[n] as Fact;
    if (fact.type !== "gate.judged" || fact.verdict !== "red" || fact.name !== failure.gate) continue;
    const isIts = fact.asked.some((asker) =>
      failure.on === "merge"
        ? asker.kind === "candidate"
        : asker.kind === "attempt" && asker.attempt === attempt,
    );
    if (isIts) return fact;
  }
  return null;
}
