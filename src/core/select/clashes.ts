import type { EpochMs, Fact } from "../facts.ts";
import { type AttemptId, splitAttemptId, type TaskId } from "../ids.ts";
import { searchOverlaps } from "../ownership/overlap-pairs.ts";
import { areShared, type Claim, claimText, symbolsMeet } from "../ownership/pattern.ts";
import type { Task } from "../plan.ts";
import { taskAt } from "../run-index.ts";
import type { PastAttempt, RunState, TaskState } from "../run-state.ts";
import { isSettled } from "../run-tasks.ts";
import { entries } from "../sorted-map.ts";
import { shortOid, shortRef } from "../text/figures.ts";
import { plainText } from "../text/sentence.ts";
import { formatRefusedMove } from "./run-status-text.ts";
import type { TaskRow } from "./task-rows.ts";
import type { StatusKind } from "./task-status.ts";

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
export function clashes(
  state: RunState,
  rows: readonly TaskRow[],
  refusedAt: ReadonlyMap<AttemptId, EpochMs>,
): Clash[] {
  const kinds = new Map(rows.map(({ task, status }) => [task, status.kind]));
  return [...entries(state.tasks)]
    .flatMap(([i, task]) =>
      task.past.flatMap((attempt): Clash[] => {
        const { failure, id, settledAt } = attempt;
        if (failure?.reason !== "conflict") return [];
        const { id: name } = taskAt(state.index, i);
        const { with: others, paths } = failure;
        const at = refusedAt.get(id) ?? settledAt;
        const isOver = isSettled(task.phase) && task.phase.kind !== "failed";
        const followed = whatFollowed(task, attempt, kinds.get(name) ?? "dropped");
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
    detail: plainText(formatRefusedMove(landing)),
  };
}

function whatFollowed(task: TaskState, clash: PastAttempt, kind: StatusKind): string {
  const { phase, past, live, open, started } = task;
  const next = [...past, ...live].find(({ id }) => splitAttemptId(id).n > splitAttemptId(clash.id).n);
  const how = next === undefined ? null : nextText(next);
  if (phase.kind === "merged") return `${how ?? "redone"}, merged as ${shortOid(phase.commit)}`;
  if (how !== null) return `${how}, ${kind}`;
  if (open !== null) return "open";
  return kind === "retrying" ? `attempt #${started + 1} is next` : kind;
}

function nextText({ id, author, continues }: Pick<PastAttempt, "id" | "author" | "continues">): string {
  if (author === "person") return "submitted by you";
  const { n } = splitAttemptId(id);
  return continues === null ? `attempt #${n} started on the new tip` : `attempt #${n} continued it`;
}

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

/**
 * Who meets whom among the tasks at work. Nobody looks into worktrees: `may` is what the plan says, that both claim the
 * same files; `clash` is what happened.
 */
export type PairKind = "clash" | "may" | "apart" | "unknown";

export type Pair = {
  readonly a: TaskId;
  readonly b: TaskId;
  readonly kind: PairKind;
  /** In conflict; of a pair that may clash, what both claim. */
  readonly paths: readonly string[];
};

export type ClashMap = {
  /** The rows, and the columns; those that clash or may clash first. */
  readonly tasks: readonly TaskId[];
  /** How many more there are. */
  readonly more: number;
  /** Each pair once, in the order of the tasks. */
  readonly pairs: readonly Pair[];
};

/** More than that nobody can read as a picture. */
export const MOST_TASKS = 14;

/** Comparing claims stops here: a tenth of a second at worst. */
const WORK = 2_000_000;

export type Meetings = {
  /** By the two tasks: what both claim. */
  readonly claims: ReadonlyMap<string, readonly string[]>;
  /** False when there was too much to compare: then what is not found is not known. */
  readonly isComplete: boolean;
};

/** What tasks claim together, by the plan. It depends on the plan and on who is at work, not on the moment. */
export function claimMeetings(tasks: readonly Task[]): Meetings {
  const owned = tasks.flatMap(({ id, owns }) => owns.map((claim) => ({ id, claim })));
  const claims = new Map<string, Set<string>>();
  const { pairs } = searchOverlaps({
    patterns: owned.map(({ claim }) => claim.pattern),
    work: { left: WORK },
    matters: (a, b) => {
      const [one, other] = [owned[a], owned[b]];
      if (one === undefined || other === undefined || one.id === other.id) return false;
      return symbolsMeet(one.claim.symbol, other.claim.symbol) && !areShared(one.claim, other.claim);
    },
    visit: ({ a, b }) => {
      const [one, other] = [owned[a], owned[b]];
      if (one === undefined || other === undefined) return true;
      const key = pairKey(one.id, other.id);
      const known = claims.get(key) ?? new Set();
      claims.set(key, known.add(bothText(one.claim, other.claim)));
      return true;
    },
  });
  return { claims: new Map([...claims].map(([key, texts]) => [key, [...texts]])), isComplete: pairs === 0 };
}

function bothText(a: Claim, b: Claim): string {
  const [one, other] = [claimText(a), claimText(b)];
  return one === other ? one : `${one} and ${other}`;
}

const pairKey = (a: TaskId, b: TaskId): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** `happened` may be of tasks that are over by now: those that are settled are not in the map. */
export function clashMap(atWork: readonly Task[], happened: readonly Clash[], meetings: Meetings): ClashMap {
  const open = happened.filter(({ isSettled }) => !isSettled);
  const clashing = new Map(
    open.flatMap((clash) => clash.with.map((other) => [pairKey(clash.task, other), clash] as const)),
  );
  const working = new Map(atWork.map((task) => [task.id, task]));
  const all = [...new Set([...working.keys(), ...open.flatMap((clash) => [clash.task, ...clash.with])])];
  const pairOf = (a: TaskId, b: TaskId): Pair => {
    const clash = clashing.get(pairKey(a, b));
    if (clash !== undefined) return { a, b, kind: "clash", paths: clash.paths };
    const paths = meetings.claims.get(pairKey(a, b));
    const [one, other] = [working.get(a), working.get(b)];
    if (one === undefined || other === undefined) return { a, b, kind: "apart", paths: [] };
    if (paths !== undefined) return { a, b, kind: "may", paths };
    const isKnown = meetings.isComplete && one.owns.length > 0 && other.owns.length > 0;
    return { a, b, kind: isKnown ? "apart" : "unknown", paths: [] };
  };
  const tasks = inOrder(all, pairOf).slice(0, MOST_TASKS);
  return {
    tasks,
    more: all.length - tasks.length,
    pairs: tasks.flatMap((a, i) => tasks.slice(i + 1).map((b) => pairOf(a, b))),
  };
}

/** Those with something to tell before the others, else as they are. */
function inOrder(all: readonly TaskId[], pairOf: (a: TaskId, b: TaskId) => Pair): TaskId[] {
  const rank = (a: TaskId) =>
    all.reduce((most, b) => Math.max(most, a === b ? 0 : RANKS[pairOf(a, b).kind]), 0);
  return all
    .map((task) => ({ task, rank: rank(task) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ task }) => task);
}

const RANKS: { readonly [K in PairKind]: number } = { clash: 3, may: 2, unknown: 0, apart: 0 };
