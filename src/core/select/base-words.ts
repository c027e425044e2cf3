import { missingBaseChecks, redBaseChecks } from "../base-check.ts";
import type { RunState } from "../run-state.ts";
import { listed, shortOid } from "./run-words.ts";

/** The gate that judges the base now, before anything starts; null when that is over. */
export function baseGate(state: RunState): string | null {
  return missingBaseChecks(state)[0]?.gate.name ?? null;
}

/** Why nothing was started; null where the base is not the reason. */
export function redBaseText(state: RunState): string | null {
  const names = [...new Set(redBaseChecks(state).map(({ gate }) => gate.name))];
  if (names.length === 0) return null;
  const are = names.length === 1 ? "is" : "are";
  return `${listed(names)} ${are} red on ${shortOid(state.base.commit)}, before anything is done; no agent was started. Run it again once it is green, or with --allow-red-base`;
}
