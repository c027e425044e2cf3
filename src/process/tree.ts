import { type Family, findMembers, keyOf } from "./descendants.ts";
import { endAll } from "./end-all.ts";
import type { ProcessEntry, ProcessRef, ProcessTable } from "./process-entry.ts";
import { processTable } from "./process-table.ts";

/** A process and everything that comes from it. */
export type Tree = {
  /** Notes who belongs to it now. Later, when parents have ended, that cannot be told of everybody any more. */
  readonly remember: () => Promise<void>;
  /** Ends all of it; gives back what could not be ended. `graceMs` lies between TERM and KILL. */
  readonly end: (graceMs: () => number, deadlineMs: number) => Promise<ProcessRef[]>;
};

export function followTree(of: Omit<Family, "known">, table: ProcessTable = processTable): Tree {
  const known = new Set<string>();
  const find = async (): Promise<ProcessEntry[]> => {
    const members = await livingMembers(table, { ...of, known });
    for (const one of members) known.add(keyOf(one));
    return members;
  };
  return {
    remember: async () => void (await find()),
    end: (graceMs, deadlineMs) => endAll(find, { graceMs, deadlineMs }),
  };
}

const CALM_TRIES = 3;

/** Looks again while processes come and go: one that forked and ended in between hides its child. */
async function livingMembers(table: ProcessTable, family: Family): Promise<ProcessEntry[]> {
  for (let tries = 1; ; tries += 1) {
    const snapshot = await table();
    const members = findMembers(snapshot, family);
    if (members.length > 0 || snapshot.isCalm || tries === CALM_TRIES) return members;
  }
}
