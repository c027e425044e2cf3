// Saving in tests: one call with defaults, and the proof that nothing was lost, by asking git after a merciless clean-up.

import type { AttemptId } from "../../src/core/ids.ts";
import type { Lease } from "../../src/git/lease.ts";
import { type Saved, type SaveInput, saveAttempt } from "../../src/git/save.ts";
import { agent, attempt, type Rig, rig, sh, tempRepo } from "./support.ts";

/** Some moment; every commit of ours in the tests is of it. */
export const AT = 1_700_000_000_000;

export const NO_LIMIT = 1_000_000_000;

export function save(
  { shadow, run, runDir }: Rig,
  lease: Lease,
  id: AttemptId = attempt("t1"),
  more: Partial<SaveInput> = {},
): Promise<Saved> {
  const input = {
    run,
    runDir,
    attempt: id,
    at: AT,
    title: "do it",
    history: "keep",
    maxBytes: NO_LIMIT,
  } as const;
  return saveAttempt(shadow, lease, { ...input, ...more });
}

/** An attempt from start to save, by a shell script. */
export async function attempted(script: string, place = tempRepo(), more: Partial<SaveInput> = {}) {
  const it = await rig(place);
  const lease = await it.pool.acquire(attempt("t1"), it.base);
  const printed = agent(place, lease, script);
  const saved = await save(it, lease, attempt("t1"), more);
  return { ...it, lease, printed, saved };
}

/** Takes the worktrees away and all that git would prune: what is still there was reachable. */
export async function pruneAll({ place, pool }: Rig, lease: Lease): Promise<void> {
  await pool.release(lease);
  await pool.close();
  sh(
    place,
    `git for-each-ref --format='delete %(refname)' refs/heads/plait | git update-ref --stdin
    git stash clear
    git reflog expire --expire=now --expire-unreachable=now --all
    git prune --expire=now
    git fsck --no-progress --connectivity-only 2>/dev/null`,
  );
}

/** Whether the commit, blob or tree is there. */
export function has(rig: Rig, name: string): boolean {
  return sh(rig.place, `git cat-file -e '${name}' 2>/dev/null && echo yes || echo no`) === "yes";
}

export function pathsOf(saved: Saved): string[] {
  return saved.paths.map(({ path, change }) => `${change} ${path}`);
}
