import { landingRevision, staysOnIntegration } from "../landing.ts";
import type { RunState } from "../run-state.ts";
import { baseGate } from "./base-words.ts";
import { endWords } from "./end-words.ts";
import { resultSign, runResult } from "./run-result.ts";
import { capital } from "./sentences.ts";
import type { ShownState, TaskRow } from "./task-rows.ts";

/** How a run stands, in one or two words and with the sign of a task that stands like that. */
export type RunStatus = { readonly word: string; readonly shown: ShownState };

export function runStatus(state: RunState, rows: readonly TaskRow[], isDriven: boolean): RunStatus {
  const { ended, held, stopping, paused, landing, undoAsked } = state;
  // A sign is the same here and in a list of runs.
  const shown = resultSign(runResult(state, state.clock, isDriven));
  if (ended !== null) return { word: capital(endWords(state, rows, ended).verdict), shown };
  if (!isDriven) return { word: "Cut off", shown };
  if (undoAsked) return { word: "Taking back", shown: "merging" };
  if (held !== null) return { word: "Held", shown: "held" };
  if (stopping !== null) return { word: stopping === "drain" ? "Draining" : "Stopping", shown };
  if (landing.kind === "refused") return { word: "Not landed", shown: "held" };
  if (paused) return { word: "Paused", shown };
  if (baseGate(state) !== null) return { word: "Checking the base", shown: "gating" };
  if (landingRevision(state) !== null && !staysOnIntegration(state))
    return { word: "Landing", shown: "merging" };
  return { word: "Running", shown: "running" };
}
