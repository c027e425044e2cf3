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
  if (typeof type !== "string" || !Object.hasOwn(KNOWN_TYPES, type)) {
    throw new TypeError(`${JSON.stringify(type)} is not a known type of fact`);
  }
  return value as Fact;
}

/** A record and not a list, so that the compiler misses no type. */
const KNOWN_TYPES: { readonly [T in Fact["type"]]: true } = {
  "run.started": true,
  "run.resumed": true,
  "run.slept": true,
  "run.held": true,
  "effect.failed": true,
  "run.ended": true,
  "attempt.started": true,
  "attempt.spawned": true,
  "attempt.ended": true,
  "attempt.saved": true,
  "worktree.opened": true,
  "candidate.built": true,
  "candidate.refused": true,
  "integration.advanced": true,
  "integration.caught-up": true,
  "landing.built": true,
  "run.landed": true,
  "landing.refused": true,
  "landing.undone": true,
  "undo.refused": true,
  "run.published": true,
  "publishing.refused": true,
  "gate.judged": true,
  "account.limited": true,
  "account.probed": true,
  "waits.skipped": true,
  "accounts.changed": true,
  "run.stopping": true,
  "run.paused": true,
  "run.unpaused": true,
  "policy.changed": true,
  "landing.asked": true,
  "undo.asked": true,
  "plan.revised": true,
  "task.reopened": true,
  "task.cancelled": true,
  "task.held": true,
  "task.opened": true,
  "task.approved": true,
};

export const FACT_TYPES = Object.keys(KNOWN_TYPES) as readonly Fact["type"][];
