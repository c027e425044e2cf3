// Whoever descends from an attempt or a gate may look at the runs of its repository and change none of them: an agent would approve
// its own work. Without a sandbox this stops the commands of plait, not a process that hides where it comes from.

import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { parseRunId } from "../core/ids.ts";
import { plait } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import { findOuterRun } from "../process/outer-run.ts";
import { ifMissing } from "../util/errno.ts";
import { type Refused, refuse } from "./host.ts";
import type { KnownRun } from "./runs.ts";

/** Null where this process belongs to no run of the same repository. */
export async function refuseInsideRun({ folder }: Pick<KnownRun, "folder">): Promise<Refused | null> {
  return refuseInsideRunsOf(dirname(folder.path));
}

/** The same for a command that is about several runs. */
export async function refuseInsideRunsOf(runs: string): Promise<Refused | null> {
  const names = await readdir(runs).catch(ifMissing([]));
  const outer = await findOuterRun(names.filter((name) => parseRunId(name).ok));
  if (outer === null) return null;
  const message = `agents and gates of ${outer} cannot change runs of its repository`;
  return refuse("environment", message, fix("from here, only read it", plait("status", outer)));
}
