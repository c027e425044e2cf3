// What tidying up has to know of a run, in a small file beside its journal: a repository may have hundreds of runs, and to
// read all of their journals takes seconds. A mark holds as long as the journal has the length that it was made of.

import { readFile, stat } from "node:fs/promises";
import type { EpochMs } from "../core/facts.ts";
import type { RefName } from "../core/ids.ts";
import type { RunState } from "../core/run-state.ts";
import { values } from "../core/sorted-map.ts";
import { type RunFolder, writeWhole } from "../engines/local/run-folder.ts";
import { folderBytes } from "./folder-size.ts";

export type RunMark = {
  readonly journalBytes: number;
  /** When it ended; while it has not, when its last fact was written. */
  readonly at: EpochMs;
  /** Complete, and everything that any attempt changed is merged. */
  readonly isSpent: boolean;
  readonly target: RefName | null;
  /** Of the whole folder. */
  readonly bytes: number;
};

/** For a run that nobody drives, or by its driver at its end. */
export async function markRun(folder: RunFolder, state: RunState): Promise<RunMark> {
  const mark: RunMark = {
    journalBytes: (await stat(folder.journal)).size,
    at: state.ended?.at ?? state.clock,
    isSpent: isSpent(state),
    target: state.target,
    bytes: await folderBytes(folder.path),
  };
  await writeWhole(folder.mark, `${JSON.stringify(mark)}\n`);
  return mark;
}

/** Null where there is none that holds. */
export async function readMark(folder: RunFolder): Promise<RunMark | null> {
  try {
    const [text, { size }] = await Promise.all([readFile(folder.mark, "utf8"), stat(folder.journal)]);
    const mark = JSON.parse(text) as RunMark; // written whole by this file
    return mark.journalBytes === size ? mark : null;
  } catch {
    return null; // whatever is wrong with it, the journal tells the same
  }
}

function isSpent({ ended, tasks }: RunState): boolean {
  if (ended?.outcome !== "complete") return false;
  return [...values(tasks)].every(({ phase, past, open }) => {
    if (open !== null) return false;
    const merged = phase.kind === "merged" ? phase.attempt : null;
    return past.every(
      ({ id, saved }) => saved.kept === null && saved.stays === null && (!saved.changed || id === merged),
    );
  });
}
