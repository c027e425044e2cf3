import type { TaskId } from "../../ids.ts";
import { symbolsMeet } from "../../ownership/claims.ts";
import { findMeetings } from "../../ownership/meetings.ts";
import { type Claim, claimText } from "../../ownership/pattern.ts";
import type { Plan, Task } from "../../plan.ts";
import { type Reach, reaches } from "./width.ts";

/** Who may change what. That tasks which run together do not meet was checked before; this is for people to read. */
export type OwnershipNotes = {
  /** Whether a change outside the claims fails an attempt or is only reported. */
  readonly enforce: "report" | "fail";
  readonly claims: readonly {
    readonly task: TaskId;
    readonly owns: readonly string[];
    readonly boundary: readonly string[];
  }[];
  /** Writing agents that claim nothing: they may change any file. */
  readonly unclaimed: readonly TaskId[];
  /** What several tasks claim, first to last. They may, because each waits for the one before. */
  readonly shared: readonly { readonly claim: string; readonly tasks: readonly TaskId[] }[];
};

export function ownershipNotes(plan: Plan, reach: Reach): OwnershipNotes {
  return {
    enforce: plan.enforce,
    claims: plan.tasks
      .filter((task) => task.owns.length + task.boundary.length > 0)
      .map(({ id, owns, boundary }) => ({ task: id, owns: owns.map(textOf), boundary })),
    unclaimed: plan.tasks.filter(isUnclaimed).map(({ id }) => id),
    shared: sharedClaims(plan.tasks, reach),
  };
}

function isUnclaimed(task: Task): boolean {
  return task.work.kind === "agent" && task.access === "write" && task.owns.length === 0;
}

function textOf(claim: Claim): string {
  return claim.mode === "any" ? claimText(claim) : `${claim.mode} ${claimText(claim)}`;
}

function sharedClaims(tasks: readonly Task[], reach: Reach): OwnershipNotes["shared"] {
  const claims = tasks.flatMap((task, index) => task.owns.map((claim) => ({ ...claim, task: index })));
  const users = new Map<string, Set<number>>();
  for (const { a, b, overlap } of findMeetings(claims.map(({ pattern }) => pattern)).meetings) {
    const [one, other] = [claims[a], claims[b]];
    if (one === undefined || other === undefined || overlap.kind !== "overlap") continue;
    const isOrdered = reaches(reach, one.task, other.task) || reaches(reach, other.task, one.task);
    if (!isOrdered || !symbolsMeet(one.symbol, other.symbol)) continue;
    const what = claimText(narrower(one, other, overlap.witness));
    users.set(what, (users.get(what) ?? new Set()).add(one.task).add(other.task));
  }
  return [...users].map(([what, by]) => ({ claim: what, tasks: inOrder([...by], reach, tasks) }));
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

/** Whoever waits for more of the others comes later. */
function inOrder(users: readonly number[], reach: Reach, tasks: readonly Task[]): TaskId[] {
  const waitsFor = (task: number) => users.filter((other) => reaches(reach, other, task)).length;
  return [...users].sort((a, b) => waitsFor(a) - waitsFor(b)).map((task) => (tasks[task] as Task).id);
}
