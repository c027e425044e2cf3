import type { EpochMs, Fact } from "../facts.ts";
import { type AttemptId, splitAttemptId, type TaskId } from "../ids.ts";
import { taskAt } from "../run-index.ts";
import type { PastAttempt, RunState, TaskState } from "../run-state.ts";
import { isSettled } from "../run-tasks.ts";
import { entries } from "../sorted-map.ts";
import { shortOid, shortRef } from "../text/figures.ts";
import type { TaskRow } from "./task-rows.ts";

/** A conflict that happened: an attempt did not merge with what others had merged before it. */
export type Clash = {
  readonly task: TaskId;
  readonly attempt: AttemptId;
  /** Whose work it met, where git could tell. */
  readonly with: readonly TaskId[];
  readonly paths: readonly string[];
  readonly at: EpochMs;
  /** What came of it, as a clause. */
  readonly followed: string;
  /** The task is merged, or over otherwise: nobody has to do anything about it any more. */
  readonly isSettled: boolean;
};

/** The run as a whole did not merge with its target. */
export type LandingClash = {
  readonly target: string;
  readonly paths: readonly string[];
  readonly detail: string;
};

/** Newest first, those that are not settled before all others. `refusedAt` is from the facts, which know the time. */
export function clashes(state: RunState, refusedAt: ReadonlyMap<AttemptId, EpochMs>): Clash[] {
  return [...entries(state.tasks)]
    .flatMap(([i, task]) =>
      task.past.flatMap((attempt): Clash[] => {
        const { failure, id, settledAt } = attempt;
        if (failure?.reason !== "conflict") return [];
        const { id: name } = taskAt(state.index, i);
        const { with: others, paths } = failure;
        const at = refusedAt.get(id) ?? settledAt;
        const isOver = isSettled(task.phase) && task.phase.kind !== "failed";
        const followed = whatFollowed(task, attempt);
        return [{ task: name, attempt: id, with: others, paths, at, followed, isSettled: isOver }];
      }),
    )
    .sort((a, b) => Number(a.isSettled) - Number(b.isSettled) || b.at - a.at);
}

/** When the merge of each attempt was refused. */
export function refusals(facts: readonly Fact[], upTo: number): Map<AttemptId, EpochMs> {
  const found = new Map<AttemptId, EpochMs>();
  for (let n = 0; n < upTo; n += 1) {
    const fact = facts[n];
    if (fact?.type === "candidate.refused") found.set(fact.task.attempt, fact.at);
  }
  return found;
}

export function landingClash({ landing, target }: RunState): LandingClash | null {
  if (landing.kind !== "refused" || landing.why !== "conflict") return null;
  return {
    target: target === null ? "the target" : shortRef(target),
    paths: landing.paths ?? [],
    detail: landing.detail,
  };
}

function whatFollowed({ phase, past, live, open, started }: TaskState, clash: PastAttempt): string {
  const next = [...past, ...live].find(({ id }) => splitAttemptId(id).n > splitAttemptId(clash.id).n);
  const how = next === undefined ? null : nextText(next);
  if (phase.kind === "merged") return `${how ?? "redone"}, merged as ${shortOid(phase.commit)}`;
  if (how !== null)
    return live.length > 0 ? `${how}, running` : `${how}, ${PHASES[phase.kind] ?? phase.kind}`;
  if (open !== null) return "open";
  return phase.kind === "backoff" ? `attempt #${started + 1} is next` : (PHASES[phase.kind] ?? phase.kind);
}

function nextText({ id, author, continues }: Pick<PastAttempt, "id" | "author" | "continues">): string {
  if (author === "person") return "submitted by you";
  const { n } = splitAttemptId(id);
  return continues === null ? `attempt #${n} started on the new tip` : `attempt #${n} continued it`;
}

const PHASES: { readonly [kind: string]: string } = {
  waiting: "continues on resume",
  active: "running",
  queued: "queued",
  failed: "failed",
  held: "held",
};

/** Tasks whose work may still meet: under way or on their way back, with something of their own to merge. */
export function tasksAtWork(state: RunState, rows: readonly TaskRow[]): TaskId[] {
  return rows.flatMap(({ task, actor, attempts, status: { kind } }) => {
    const i = state.index.indexOf.get(task);
    const isWriting = i !== undefined && taskAt(state.index, i).access === "write";
    const isHeld = kind === "held" && attempts > 0;
    const isThere =
      actor === "agents" || actor === "plait" || actor === "clock" || isHeld || kind === "interrupted";
    return isWriting && isThere ? [task] : [];
  });
}
