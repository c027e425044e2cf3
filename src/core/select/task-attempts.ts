import type { EpochMs } from "../facts.ts";
import { type AttemptId, splitAttemptId } from "../ids.ts";
import type { LiveAttempt, PastAttempt, TaskState } from "../run-state.ts";
import { shortFailure } from "./failure-text.ts";
import type { Activities, ShownState } from "./task-rows.ts";

/** An attempt on one line. */
export type AttemptLine = {
  readonly id: AttemptId;
  readonly n: number;
  /** As the sign that stands for it: how it ended, or what it does. */
  readonly shown: ShownState;
  /** Why it did not go on; else who made it, or what it is for, where that is worth a word. */
  readonly words: string;
  readonly ms: number;
  readonly costUsd: number | null;
};

/** What those under way have taken so far. */
export type SoFar = { readonly now: EpochMs; readonly activity?: Activities };

/** All attempts of a task, in the order of their numbers. */
export function attemptLines({ past, live }: TaskState, soFar: SoFar): AttemptLine[] {
  const lines = [...past.map(pastLine), ...live.map((attempt) => liveLine(attempt, soFar))];
  return lines.sort((a, b) => a.n - b.n);
}

function pastLine({ id, failure, startedAt, settledAt, ended, ...attempt }: PastAttempt): AttemptLine {
  return {
    id,
    n: splitAttemptId(id).n,
    shown: failure === null ? "passed" : failure.reason === "cancelled" ? "cancelled" : "failed",
    words: failure === null ? kindWords(attempt) : shortFailure(failure),
    ms: Math.max(0, settledAt - startedAt),
    costUsd: ended.usage.costUsd,
  };
}

const STAGES = { prepare: "preparing", run: "running", save: "saving", gate: "gating" } as const;

function liveLine({ id, stage, startedAt, ...attempt }: LiveAttempt, { now, activity }: SoFar): AttemptLine {
  const told = stage.kind === "save" || stage.kind === "gate" ? stage.ended : activity?.get(id);
  return {
    id,
    n: splitAttemptId(id).n,
    shown: stage.kind === "run" && attempt.continues !== null ? "fixing" : STAGES[stage.kind],
    words: kindWords(attempt),
    ms: Math.max(0, now - startedAt),
    costUsd: told?.usage.costUsd ?? null,
  };
}

function kindWords({ author, continues }: Pick<LiveAttempt, "author" | "continues">): string {
  if (author === "person") return "by you";
  return continues === null ? "" : "fix round";
}
