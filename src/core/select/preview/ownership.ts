import { topologicalOrder } from "../../graph.ts";
import { groupBy } from "../../group-by.ts";
import type { TaskId } from "../../ids.ts";
import type { Consent } from "../../ownership/guarded.ts";
import { findOverlaps } from "../../ownership/overlap-pairs.ts";
import { type Claim, claimText, type PathPattern, symbolsMeet } from "../../ownership/pattern.ts";
import type { Plan, Task } from "../../plan.ts";
import type { PlanGraph } from "./plan-graph.ts";
import { type Reach, reaches } from "./width.ts";

/** Who may change what. That tasks which run together do not meet was checked before; this is for people to read. */
export type OwnershipNotes = {
  /** Whether a change outside the claims, or of what is guarded, fails an attempt or is only reported. */
  readonly enforce: "report" | "fail";
  /** Who may change what is guarded; others may where a claim names it. */
  readonly consent: readonly { readonly task: TaskId; readonly to: readonly Consent[] }[];
  readonly owners: readonly {
    readonly task: TaskId;
    readonly owns: readonly string[];
    readonly boundary: readonly string[];
  }[];
  /** Writing agents that claim nothing: they may change any file. */
  readonly withoutOwns: readonly TaskId[];
  /** What several tasks claim, first to last. They may, because each waits for the one before. */
  readonly shared: readonly { readonly path: string; readonly tasks: readonly TaskId[] }[];
  /** What several tasks declare shared: they may run together, and the lines that each adds are kept. */
  readonly sharedFiles: readonly { readonly path: string; readonly tasks: readonly TaskId[] }[];
  /** False when so much is shared that not all of it is listed. */
  readonly complete: boolean;
};

/** Who waits for whom; without a reach, which only a huge plan lacks, all that share are taken to wait for each other. */
export type Waiting = { readonly graph: PlanGraph; readonly reach: Reach | null };

export function ownershipNotes(plan: Plan, waiting: Waiting): OwnershipNotes {
  return {
    enforce: plan.enforce,
    consent: plan.tasks.flatMap(({ id, consent }) => (consent ? [{ task: id, to: consent }] : [])),
    owners: plan.tasks
      .filter((task) => task.owns.length + task.boundary.length > 0)
      .map(({ id, owns, boundary }) => ({ task: id, owns: owns.map(textOf), boundary })),
    withoutOwns: plan.tasks.filter(isUnclaimed).map(({ id }) => id),
    sharedFiles: findSharedFiles(plan.tasks),
    ...sharedClaims(plan.tasks, waiting),
  };
}

/** By the same pattern: what two different ones have in common is for the merge to find. */
function findSharedFiles(tasks: readonly Task[]): OwnershipNotes["sharedFiles"] {
  const shared = tasks.flatMap(({ id, owns }) =>
    owns.filter(({ mode }) => mode === "shared").map((claim) => ({ id, text: claimText(claim) })),
  );
  const users = groupBy(shared, ({ text }) => text);
  return [...users].map(([path, by]) => ({ path, tasks: [...new Set(by.map(({ id }) => id))] }));
}

function isUnclaimed(task: Task): boolean {
  return task.work.kind === "agent" && task.access === "write" && task.owns.length === 0;
}

function textOf(claim: Claim): string {
  return claim.mode === "any" ? claimText(claim) : `${claim.mode} ${claimText(claim)}`;
}

/** For comparing patterns, looking up pairs of tasks, and listing: a few tenths of a second, and a readable result. */
const WORK_FOR_PATTERNS = 4_000_000;
const LOOKUPS = 5_000_000;
const MOST_LISTED = 20_000;

/** A claim with the tasks that make it, in an order in which they may run. */
type Shared = { readonly claim: Claim; readonly tasks: readonly number[] };

function sharedClaims(
  tasks: readonly Task[],
  { graph, reach }: Waiting,
): Pick<OwnershipNotes, "shared" | "complete"> {
  const place = placesOf(graph);
  const byPattern = claimsByPattern(tasks, place);
  const patterns = [...byPattern.keys()];
  const { overlaps, complete } = findOverlaps(patterns, { left: WORK_FOR_PATTERNS });
  const users = new Map<string, Set<number>>();
  let lookups = LOOKUPS;

  const meet = (one: Shared, other: Shared, witness: string) => {
    lookups -= 1;
    if (lookups < 0 || !symbolsMeet(one.claim.symbol, other.claim.symbol)) return;
    const together = one === other ? one.tasks : inPlace([...new Set([...one.tasks, ...other.tasks])], place);
    lookups -= together.length;
    if (together.length < 2) return;
    const what = claimText(narrower(one.claim, other.claim, witness));
    const known = users.get(what) ?? new Set();
    for (const task of isChain(together, reach) ? together : orderedPairs(one, other)) known.add(task);
    if (known.size > 0) users.set(what, known);
  };
  const orderedPairs = (one: Shared, other: Shared): Set<number> => {
    const found = new Set<number>();
    for (const a of one.tasks) {
      for (const b of other.tasks) {
        lookups -= 1;
        if (lookups < 0) return found;
        if (reach !== null && (reaches(reach, a, b) || reaches(reach, b, a))) found.add(a).add(b);
      }
    }
    return found;
  };

  for (const [pattern, claims] of byPattern) {
    claims.forEach((one, index) => {
      for (const other of claims.slice(index)) meet(one, other, pattern);
    });
  }
  for (const { a, b, overlap } of overlaps) {
    if (overlap.kind !== "overlap") continue;
    for (const one of byPattern.get(patterns[a] as PathPattern) ?? []) {
      for (const other of byPattern.get(patterns[b] as PathPattern) ?? []) meet(one, other, overlap.witness);
    }
  }
  const { listed, isAll } = listOf(users, place, tasks);
  return { shared: listed, complete: complete && lookups >= 0 && isAll };
}

/** Per node its place in one order in which the plan may run. */
function placesOf(graph: PlanGraph): number[] {
  const place = new Array<number>(graph.size).fill(0);
  topologicalOrder(graph).forEach((node, position) => {
    place[node] = position;
  });
  return place;
}

/** Each claim once, with its tasks, by its pattern. */
function claimsByPattern(tasks: readonly Task[], place: readonly number[]): Map<PathPattern, Shared[]> {
  const all = inPlace([...tasks.keys()], place).flatMap((task) =>
    (tasks[task] as Task).owns.map((claim) => ({ task, claim })),
  );
  const byText = groupBy(all, ({ claim }) => claimText(claim));
  const shared = [...byText.values()].map((same): Shared => {
    const [{ claim }] = same as [(typeof same)[number]];
    return { claim, tasks: [...new Set(same.map(({ task }) => task))] };
  });
  return groupBy(shared, ({ claim }) => claim.pattern);
}

/** Each waits for the one before: then any two of them are ordered. */
function isChain(tasks: readonly number[], reach: Reach | null): boolean {
  if (reach === null) return true;
  return tasks.every((task, i) => i === 0 || reaches(reach, tasks[i - 1] as number, task));
}

function inPlace(tasks: readonly number[], place: readonly number[]): number[] {
  return [...tasks].sort((a, b) => (place[a] as number) - (place[b] as number));
}

function listOf(
  users: ReadonlyMap<string, ReadonlySet<number>>,
  place: readonly number[],
  tasks: readonly Task[],
): { readonly listed: OwnershipNotes["shared"]; readonly isAll: boolean } {
  let room = MOST_LISTED;
  const listed = [...users].flatMap(([path, by]) => {
    room -= by.size;
    if (room < 0) return [];
    return [{ path, tasks: inPlace([...by], place).map((task) => (tasks[task] as Task).id) }];
  });
  return { listed, isAll: room >= 0 };
}

/** The narrower of two claims that meet: a part of a file, else the path itself, else the one that says more. */
function narrower(one: Claim, other: Claim, witness: string): Claim {
  const exact = [one, other].filter(({ pattern }) => pattern === witness);
  const known = exact.find(({ symbol }) => symbol !== null) ?? exact[0];
  if (known !== undefined) return known;
  const byPrefix = literalPrefix(one) - literalPrefix(other) || one.pattern.length - other.pattern.length;
  return byPrefix >= 0 ? one : other;
}

/** How much of it is spelled out before the first wildcard. */
function literalPrefix({ pattern }: Claim): number {
  return (/^[^*?[{]*/.exec(pattern)?.[0] ?? "").length;
}
