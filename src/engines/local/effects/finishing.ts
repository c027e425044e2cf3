// The end of a run: everything that plait made and nobody needs any more goes, and then the last fact is written (I8). What
// stays is what the report names: the run folder, saved work that is not merged, the integration branch of a run that did
// not land, and worktrees that hold more than may be saved.

import { rm } from "node:fs/promises";
import type { RunOutcome } from "../../../core/facts.ts";
import type { AttemptId } from "../../../core/ids.ts";
import type { RunState } from "../../../core/run-state.ts";
import { values } from "../../../core/sorted-map.ts";
import { cleanRefs, cleanRunFolder, keepChanges } from "../../../git/index.ts";
import type { Effects } from "../driver.ts";
import { giveBack } from "../give-back.ts";
import { writeWhole } from "../run-folder.ts";
import type { Site } from "../site.ts";
import { releaseSettled } from "./saving.ts";

export function finishEffect(site: Site): Effects["finish"] {
  return async ({ key, outcome }, hands) => {
    try {
      await putAway(site, hands.state(), outcome);
    } catch (error) {
      // What could not be put away is named, and the run ends all the same: the next `clean` or `resume` finds it.
      const detail = error instanceof Error ? error.message : String(error);
      await hands.record({ type: "effect.failed", key, detail });
    }
    await hands.record({ type: "run.ended", outcome });
  };
}

async function putAway(site: Site, state: RunState, outcome: RunOutcome): Promise<void> {
  const { pool, shadow, run, folder } = site;
  await releaseAll(site, state);
  await pool.close();
  const landed = state.landing.kind === "landed" || state.tip.commit === state.base.commit;
  await cleanRefs(shadow.repository, { run, landed, merged: doneAttempts(state) });
  const isChanged = await tellChanges(site);
  // A run that may go on needs its view of the repository as it was at the start.
  if (outcome === "complete" && pool.kept.length === 0)
    await cleanRunFolder(folder.path, { keepStart: isChanged });
}

/** Hooks and config that are other than at the start, by whomever: for the report, and for who wants them back. */
async function tellChanges({ shadow, fingerprint, folder, masker }: Site): Promise<boolean> {
  const changed = await keepChanges(shadow, { fingerprint, keptIn: folder.start });
  if (changed.length === 0) {
    await rm(folder.changed, { force: true });
    return false;
  }
  const told = changed.map((one) => ({ ...one, says: one.says.map(masker.text) }));
  await writeWhole(folder.changed, `${JSON.stringify(told)}\n`);
  return true;
}

/** Nobody goes on with a worktree after the end, except a person who has it, and where its work is not saved yet. */
async function releaseAll(site: Site, state: RunState): Promise<void> {
  await releaseSettled(site, state);
  const unsaved = new Set<AttemptId>();
  for (const { live, open } of values(state.tasks)) {
    for (const { id, stage } of live) if (stage.kind !== "gate") unsaved.add(id);
    if (open !== null) unsaved.add(open.attempt);
  }
  for (const lease of site.pool.leases()) {
    if (lease.attempt === null || !unsaved.has(lease.attempt)) await giveBack(site, lease, state);
  }
}

/** Whose saved work is on the target, or was none: a read-only task that changed something in its worktree keeps it. */
function doneAttempts(state: RunState): AttemptId[] {
  const done: AttemptId[] = [];
  for (const { phase, past } of values(state.tasks)) {
    if (state.workFolder !== null) done.push(...past.map(({ id }) => id));
    else done.push(...past.filter(({ isMerged }) => isMerged).map(({ id }) => id));
    if (phase.kind !== "passed") continue;
    const passed = past.find(({ id }) => id === phase.attempt);
    if (passed?.saved.changed === false) done.push(phase.attempt);
  }
  return done;
}
