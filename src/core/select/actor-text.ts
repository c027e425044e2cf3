import type { EpochMs } from "../facts.ts";
import { splitAttemptId } from "../ids.ts";
import type { AgentChoice } from "../plan.ts";
import { countdown, elapsed } from "../text/figures.ts";
import { capitalize, type Sentence } from "../text/sentence.ts";
import { formatAttemptNumber } from "./attempt-number.ts";
import type { Activities, TaskRow } from "./task-rows.ts";
import type { NextActor, StatusKind } from "./task-status.ts";
import { formatTaskNote } from "./task-status-text.ts";

/** Behind a figure: `3 running`, `1 needs you`. */
export function formatActorCount(
  actor: NextActor,
  n: number,
  { isRunning }: { readonly isRunning: boolean },
): string {
  if (actor === "you") return n === 1 ? "needs you" : "need you";
  return actor === "later" && !isRunning ? "not done" : ACTORS[actor];
}

const ACTORS = {
  agents: "running",
  plait: "checking or merging",
  clock: "retrying or paused",
  later: "waiting",
  done: "done",
} as const;

/** `2 failed`, `4 running`, `1 checking, 2 queued`. */
export function formatActorHeading(rows: readonly TaskRow[]): string {
  const counts = new Map<StatusKind, number>();
  for (const { status } of rows) counts.set(status.kind, (counts.get(status.kind) ?? 0) + 1);
  const known = HEAD_ORDER.filter((kind) => counts.has(kind));
  const others = [...counts.keys()].filter((kind) => !HEAD_ORDER.includes(kind));
  return [...known, ...others].map((kind) => `${counts.get(kind)} ${kind}`).join(", ");
}

const HEAD_ORDER: readonly StatusKind[] = [
  "failed",
  "held",
  "running",
  "fixing",
  "checking",
  "merging",
  "queued",
];

/**
 * At the right of a row: `#3, retry 2 of 2`, `15:18`, `in 0:54`, `14:55`. The time is that of the running attempt, which has its number
 * where there were others: the node shows how long all took together.
 */
export function formatRowTime(
  row: TaskRow,
  { now, timeOfDay }: { readonly now: EpochMs; readonly timeOfDay: (at: EpochMs) => string },
): string {
  if (row.actor === "you") return row.number === null ? "" : formatAttemptNumber(row.number);
  if (row.status.kind === "retrying" && row.until !== null) return `in ${countdown(row.until - now)}`;
  if (row.until !== null) return timeOfDay(row.until);
  if (row.lastsMs === null) return "";
  const isOfAttempt = row.actor === "agents" && row.attempts > 1 && row.attempt !== null;
  return `${isOfAttempt ? `#${splitAttemptId(row.attempt).n} ` : ""}${elapsed(row.lastsMs)}`;
}

/** Below its name: what its agent does, else why the task has its status. Empty where the status says it all. */
export function formatRowReason(row: TaskRow, activity: Activities): Sentence {
  const doing = row.attempt === null ? undefined : activity.get(row.attempt)?.action;
  if (row.actor === "agents") return doing ?? "";
  return capitalize(formatTaskNote(row.status));
}

/** Rows by who moves them next, in the order in which terminal and web UI list them. Done tasks are in none. */
export type ActorGroups = { readonly [A in Exclude<NextActor, "done">]: readonly TaskRow[] };

export function groupByActor(rows: readonly TaskRow[]): ActorGroups {
  const pick = (actor: NextActor) => rows.filter((row) => row.actor === actor);
  return {
    agents: pick("agents").sort(byImportance),
    plait: pick("plait").sort((a, b) => rank(PLAIT, a) - rank(PLAIT, b) || (a.turn ?? 0) - (b.turn ?? 0)),
    clock: pick("clock").sort((a, b) => (a.until ?? 0) - (b.until ?? 0)),
    you: pick("you").sort((a, b) => rank(YOU, a) - rank(YOU, b)),
    later: pick("later").sort((a, b) => rank(LATER, a) - rank(LATER, b) || criticalFirst(a, b)),
  };
}

const PLAIT: readonly StatusKind[] = ["merging", "queued", "checking", "saving", "preparing"];
const YOU: readonly StatusKind[] = ["held", "failed"];
const LATER: readonly StatusKind[] = ["interrupted", "stopped", "waiting", "skipped", "dropped"];

const rank = (order: readonly StatusKind[], { status }: TaskRow): number => order.indexOf(status.kind);

const criticalFirst = (a: TaskRow, b: TaskRow): number => Number(b.isCritical) - Number(a.isCritical);

/** The critical path first, then the longest running: a new one appears below and moves no other. */
const byImportance = (a: TaskRow, b: TaskRow): number =>
  criticalFirst(a, b) || (b.lastsMs ?? 0) - (a.lastsMs ?? 0);

/** `claude, reviewer, opus`; what has no agent is a command. */
export function agentText(agent: AgentChoice | null): string {
  return agent === null ? "command" : [agent.use, agent.name, agent.model].filter(Boolean).join(", ");
}
