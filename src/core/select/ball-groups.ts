import type { Ball, ShownState, TaskRow } from "./task-rows.ts";

/** Rows by who has the ball, in the order in which terminal and page list them. What is done is in none. */
export type BallGroups = { readonly [B in Exclude<Ball, "done">]: readonly TaskRow[] };

export function ballGroups(rows: readonly TaskRow[]): BallGroups {
  const of = (ball: Ball) => rows.filter((row) => row.ball === ball);
  return {
    agents: of("agents").sort(byImportance),
    plait: of("plait").sort((a, b) => rank(PLAIT, a) - rank(PLAIT, b) || (a.turn ?? 0) - (b.turn ?? 0)),
    clock: of("clock").sort((a, b) => (a.until ?? 0) - (b.until ?? 0)),
    you: of("you").sort((a, b) => rank(YOU, a) - rank(YOU, b)),
    later: of("later").sort((a, b) => rank(LATER, a) - rank(LATER, b) || criticalFirst(a, b)),
  };
}

const PLAIT: readonly ShownState[] = ["merging", "queued", "gating", "saving", "preparing"];
const YOU: readonly ShownState[] = ["held", "failed"];
const LATER: readonly ShownState[] = ["cut-off", "stopped", "waiting", "skipped", "cancelled"];

const rank = (order: readonly ShownState[], { shown }: TaskRow): number => order.indexOf(shown);

const criticalFirst = (a: TaskRow, b: TaskRow): number => Number(b.isCritical) - Number(a.isCritical);

/** What decides the end first, then what has run longest: a new one comes below and moves nobody. */
const byImportance = (a: TaskRow, b: TaskRow): number =>
  criticalFirst(a, b) || (b.lastsMs ?? 0) - (a.lastsMs ?? 0);
