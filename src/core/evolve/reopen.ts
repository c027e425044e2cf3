import { towardsLanding } from "../landing.ts";
import { failedNeed } from "../queries.ts";
import { NOTHING_USED, type RunState } from "../run-state.ts";
import { changeTask, isSatisfied, taskState } from "../run-tasks.ts";
import { unsatisfyDependents, unskipDependents } from "./dependents.ts";

/** A fresh set of chances; what was skipped for its sake waits again, and a run that had ended goes on. */
export function reopen(state: RunState, i: number): RunState {
  const { phase } = taskState(state, i);
  if (phase.kind === "waiting" || phase.kind === "active" || phase.kind === "queued") return state;
  const obstacle = failedNeed(state, i);
  const changed = changeTask(state, i, {
    phase: obstacle === null ? { kind: "waiting" } : { kind: "skipped", because: obstacle },
    volley: 0,
    fix: null,
    used: NOTHING_USED,
  });
  const again = isSatisfied(phase) ? unsatisfyDependents(changed, i) : changed;
  return { ...unskipDependents(again, i), ...towardsLanding(again), ended: null, landingAsked: false };
}
