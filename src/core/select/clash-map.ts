import type { TaskId } from "../ids.ts";
import { areShared, symbolsMeet } from "../ownership/claims.ts";
import { searchMeetings } from "../ownership/meetings.ts";
import { type Claim, claimText } from "../ownership/pattern.ts";
import type { Task } from "../plan.ts";
import type { Clash } from "./clashes.ts";

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
  const { pairs } = searchMeetings({
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
