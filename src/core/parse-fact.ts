import { FACT_VERSION, type Fact } from "./facts.ts";

/**
 * Takes what a journal or a socket delivered. Their checksums vouch for the bytes and upgrade steps for the version, so
 * this only refuses what plait of this version never writes; fields inside are trusted from here on.
 */
export function parseFact(value: unknown): Fact {
  if (typeof value !== "object" || value === null) throw new TypeError("a fact must be an object");
  const { v, at, type } = value as { v?: unknown; at?: unknown; type?: unknown };
  if (v !== FACT_VERSION)
    throw new TypeError(`a fact must have the version ${FACT_VERSION}, not ${String(v)}`);
  if (typeof at !== "number" || !Number.isFinite(at)) throw new TypeError("a fact must have a time");
  if (typeof type !== "string" || !KNOWN_TYPES.has(type)) {
    throw new TypeError(`${JSON.stringify(type)} is not a known type of fact`);
  }
  return value as Fact;
}

export const FACT_TYPES = [
  ...["run.started", "run.resumed", "run.slept", "target.moved", "run.held", "effect.failed", "run.ended"],
  ...["attempt.started", "attempt.spawned", "attempt.ended", "attempt.saved", "worktree.opened"],
  ...["candidate.built", "candidate.refused", "integration.advanced", "integration.caught-up"],
  ...["landing.built", "run.landed", "landing.refused", "landing.undone", "undo.refused"],
  ...["run.published", "publishing.refused", "gate.judged"],
  ...["account.limited", "account.probed", "waits.skipped", "accounts.changed"],
  ...["run.stopping", "run.paused", "run.unpaused", "policy.changed", "landing.asked", "undo.asked"],
  ...["plan.revised", "task.reopened", "task.cancelled", "task.held", "task.opened", "task.approved"],
] as const;

/** Does not compile where a type is missing above. */
type Complete = Exclude<Fact["type"], (typeof FACT_TYPES)[number]> extends never ? string : never;
const KNOWN_TYPES: ReadonlySet<Complete> = new Set<string>(FACT_TYPES);
