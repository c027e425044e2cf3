// Where things take place. In a repository each attempt has a worktree. In a run outside any they all work in the user's own folder,
// where nothing is prepared, saved or removed (I3). Their worktrees are there all the same, without a file in them: what goes with
// one (ports, names, the record for the next driver) is as always.

import { readFile } from "node:fs/promises";
import type { Fact } from "../../core/facts.ts";
import type { Isolation } from "../../core/plan.ts";
import type { Lease } from "../../git/index.ts";
import { ifMissing } from "../../util/errno.ts";
import type { RunContext } from "./run-context.ts";
import { type RunFolder, writeWhole } from "./run-folder.ts";

/** The root of the files that an attempt sees. */
export function rootFor({ workFolder }: Pick<RunContext, "workFolder">, { slot }: Lease): string {
  return workFolder ?? slot.path;
}

/** As the run began: worktrees that are there are of one kind. In the user's own folder there is nothing to share. */
export function readIsolation([first]: readonly Fact[]): Isolation {
  if (first?.type !== "run.started" || first.workFolder !== undefined) return "shared";
  return first.plan.isolation ?? "shared";
}

/** Where commands about the run as a whole are called: the user's checkout, or their folder. */
export function userFolder({ workFolder, shadow, folder }: RunContext): string {
  return workFolder ?? shadow.repository.workTree ?? folder.path;
}

/** Of a run outside any repository. Written beside the journal, so that the runs of a folder are found without reading all. */
export type RunPlace = {
  /** Where attempts work. */
  readonly folder: string;
  /** Where the run was asked for: mostly the same. Commands that are given in either find it. */
  readonly asked: string;
};

export async function writePlace({ place: file }: RunFolder, place: RunPlace): Promise<void> {
  await writeWhole(file, `${JSON.stringify(place)}\n`);
}

/** Null for a run in a repository. */
export async function readPlace({ place: file }: RunFolder): Promise<RunPlace | null> {
  return JSON.parse(await readFile(file, "utf8").catch(ifMissing("null"))); // written above, whole or not at all
}
