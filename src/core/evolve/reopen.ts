import type { Brief } from "../facts.ts";
import { failedNeed, isTargetFix } from "../queries.ts";
import { taskAt } from "../run-index.ts";
import { NOTHING_USED, type RunState } from "../run-state.ts";
import { changeTask, isSatisfied, taskState } from "../run-tasks.ts";
import { unsatisfyDependents, unskipDependents } from "./dependents.ts";

/**
 * A fresh set of chances; what was skipped for its sake waits again, and a run that had ended goes on. Merged work that comes with a
 * brief is continued in its conversation. What landed is on the target still: it is the next merge that makes another landing.
 */
export function reopen(state: RunState, i: number, brief: Brief | null = null): RunState {
  const { phase, brief: known, fix } = taskState(state, i);
  if (phase.kind === "waiting" || phase.kind === "active" || phase.kind === "queued") return state;
  const obstacle = failedNeed(state, i);
  const continues = brief?.continues ?? null;
  const kept = isTargetFix(state, taskAt(state.index, i).id) ? fix : null;
  const changed = changeTask(state, i, {
    phase: obstacle === null ? { kind: "waiting" } : { kind: "skipped", because: obstacle },
    volley: 0,
    fix: continues === null ? kept : { attempt: continues, because: null },
    brief: brief?.text ?? known,
    used: NOTHING_USED,
  });
  const again = isSatisfied(phase) ? unsatisfyDependents(changed, i) : changed;
  return { ...unskipDependents(again, i), ...landingAgain(again), ended: null, landingAsked: false };
}

function landingAgain({ landing, published }: RunState): Pick<RunState, "landing" | "published"> {
  return landing.kind === "landed"
    ? { landing, published }
    : { landing: { kind: "none" }, published: { kind: "no" } };
}
