// The end of a run: everything that plait made and nobody needs any more goes, and then the last fact is written (I8). What
// stays is what the report names: the run folder, saved work that is not merged, the integration branch of a run that did
// not land, and worktrees that hold more than may be saved.

import { rm } from "node:fs/promises";
import type { RunOutcome } from "../../../core/facts.ts";
import type { AttemptId } from "../../../core/ids.ts";
import { hasUnlanded, isResultLanded } from "../../../core/landing.ts";
import type { PastAttempt, RunState } from "../../../core/run-state.ts";
import { get, values } from "../../../core/sorted-map.ts";
import { cleanRefs, cleanRunFolder, keepChanges } from "../../../git/index.ts";
import type { Effects } from "../driver.ts";
import { buildEffectFailure } from "../effect-failure.ts";
import { releaseWorktree } from "../prepare.ts";
import type { RunContext } from "../run-context.ts";
import { writeWhole } from "../run-folder.ts";
import { releaseSettled } from "./saving.ts";

export function finishEffect(site: RunContext): Effects["finish"] {
  return async ({ key, outcome }, hands) => {
    try {
      await putAway(site, hands.state(), outcome);
    } catch (error) {
      await hands.record(buildEffectFailure(key, error, site.masker.text));
      if (isRetried(hands.state(), key)) return;
      // The fact names what is left behind, and the run ends: the next `clean` or `resume` removes it.
    }
    await hands.record({ type: "run.ended", outcome });
  };
}

/** Whoever killed the run does not wait for that, and where the run is held the next driver does it. */
function isRetried({ failing, held, stopping }: RunState, key: string): boolean {
  return held === null && stopping !== "kill" && get(failing, key)?.isGivenUp === false;
}

async function putAway(site: RunContext, state: RunState, outcome: RunOutcome): Promise<void> {
  const { pool, shadow, run, folder } = site;
  await releaseAll(site, state);
  await site.setUps.close();
  await site.sandbox.close();
  await pool.close();
  const done = { landed: isResultLanded(state), merged: doneAttempts(state) };
  await cleanRefs(shadow.repository, { run, ...done, keepAside: pool.isolation === "private" });
  const isChanged = await tellChanges(site);
  // A run that may go on needs its view of the repository as it was at the start.
  if (outcome === "complete" && pool.kept.length === 0)
    // Work that lands later is compared with the start again, and whoever has changed something meanwhile may want it back.
    await cleanRunFolder(folder.path, { keepStart: isChanged || hasUnlanded(state) });
}

/** Hooks and config that are other than at the start, by whomever: for the report, and for who wants them back. */
async function tellChanges({ shadow, fingerprint, folder, masker }: RunContext): Promise<boolean> {
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
async function releaseAll(site: RunContext, state: RunState): Promise<void> {
  await releaseSettled(site, state);
  const unsaved = new Set<AttemptId>();
  for (const { live, open } of values(state.tasks)) {
    for (const { id, stage } of live) if (stage.kind !== "gate") unsaved.add(id);
    if (open !== null) unsaved.add(open.attempt);
  }
  for (const lease of site.pool.leases()) {
    if (lease.attempt === null || !unsaved.has(lease.attempt)) await releaseWorktree(site, lease, state);
  }
}

/** Its work is merged, or it never began. */
const isNotNeeded = ({ isMerged, failure }: PastAttempt): boolean =>
  isMerged || failure?.reason === "not-started";

/** Whose saved work is on the target, or was none: a read-only task that changed something in its worktree keeps it. */
function doneAttempts(state: RunState): AttemptId[] {
  const done: AttemptId[] = [];
  for (const { phase, past } of values(state.tasks)) {
    if (state.workFolder !== null) done.push(...past.map(({ id }) => id));
    else done.push(...past.filter(isNotNeeded).map(({ id }) => id));
    if (phase.kind !== "passed") continue;
    const passed = past.find(({ id }) => id === phase.attempt);
    if (passed?.saved.changed === false) done.push(phase.attempt);
  }
  return done;
}
