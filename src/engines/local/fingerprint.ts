// Hooks and config that the changes of a run are compared with: as at its start, with what a person changed while it was stopped.

import type { Fact } from "../../core/facts.ts";
import { type Fingerprint, openShadow, type Repository, recordOwnChanges } from "../../git/index.ts";
import type { RunFolder } from "./run-folder.ts";

export function readFingerprint(facts: readonly Fact[]): Fingerprint {
  const [first] = facts;
  if (first?.type !== "run.started") throw new Error("the journal does not begin with run.started");
  const later = facts.map((fact) => (fact.type === "run.resumed" ? (fact.fingerprints ?? {}) : {}));
  return Object.assign({}, first.fingerprints, ...later);
}

/** What a person changed since the last event of a run that is not running. */
export async function readOwnChanges(
  repository: Repository,
  folder: RunFolder,
  facts: readonly Fact[],
): Promise<Fingerprint> {
  const start = { fingerprint: readFingerprint(facts), keptIn: folder.start };
  const shadow = await openShadow(repository, folder.path, { start });
  const last = Math.max(...facts.slice(-1).map(({ at }) => at));
  return recordOwnChanges(shadow, start, last);
}
