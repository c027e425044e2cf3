import type { TaskRow } from "./task-rows.ts";
import type { NextActor, StatusKind } from "./task-status.ts";

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
