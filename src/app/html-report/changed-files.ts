import type { AttemptId } from "../../core/ids.ts";
import { values } from "../../core/sorted-map.ts";
import { diffStats } from "../../git/index.ts";
import type { Diffstat } from "../../report/model.ts";
import type { FoundRun } from "../runs.ts";

/** Which files attempts changed; null where one changed nothing. */
export type ChangedFiles = { readonly of: (attempt: AttemptId) => Diffstat | null };

const MOST_FILES = 300;
const UNKNOWN: Diffstat = { files: 0, added: 0, removed: 0, changes: [] };

/** Of all attempts in one call of git. */
export async function changedFiles({ repository, known }: FoundRun): Promise<ChangedFiles> {
  const past = [...values(known.state.tasks)].flatMap((task) => task.past);
  const changed = past.filter(({ saved }) => saved.changed);
  const pairs = changed.map(({ base, saved }) => ({ from: base.tree, to: saved.result.tree }));
  const stats = await diffStats(repository, pairs, { maxFiles: MOST_FILES });
  const byAttempt = new Map(changed.map(({ id }, n) => [id, stats[n] ?? UNKNOWN]));
  // Outside any repository nobody knows what changed.
  const same = known.state.workFolder === null ? past.filter(({ saved }) => !saved.changed) : [];
  const unchanged = new Set(same.map(({ id }) => id));
  return { of: (attempt) => (unchanged.has(attempt) ? null : (byAttempt.get(attempt) ?? UNKNOWN)) };
}
