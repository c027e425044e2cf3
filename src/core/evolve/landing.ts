import type { EpochMs, LandingFact } from "../facts.ts";
import { unreachable } from "../queries.ts";
import type { Landing, RunState } from "../run-state.ts";

/** What became of the target: taken, refused, taken back. */
export function onLandingFact(state: RunState, fact: LandingFact & { at: EpochMs }): RunState {
  // A landing of an earlier tip says nothing about what was merged since.
  if (fact.tip !== state.tip.commit) return state;
  if (fact.type === "undo.refused") return state.undoAsked ? { ...state, undoAsked: false } : state;
  const landing = landingAfter(fact);
  const isEcho = JSON.stringify(landing) === JSON.stringify(state.landing);
  if (isEcho || (state.landing.kind === "landed") !== (fact.type === "landing.undone")) return state;
  return { ...state, landing, landedTip: landedTip(state, fact), undoAsked: false };
}

function landedTip({ landedTip: before }: RunState, fact: LandingFact): RunState["landedTip"] {
  if (fact.type === "landing.undone") return null;
  return fact.type === "run.landed" ? fact.tip : before;
}

function landingAfter(fact: Exclude<LandingFact, { type: "undo.refused" }> & { at: EpochMs }): Landing {
  const { at } = fact;
  switch (fact.type) {
    case "landing.built":
      return { kind: "built", onto: fact.onto, result: fact.result };
    case "run.landed": {
      const { target, from, to, notes } = fact;
      return { kind: "landed", target, from, to, at, notes };
    }
    case "landing.refused":
      return { kind: "refused", why: fact.why, detail: fact.detail };
    case "landing.undone":
      return { kind: "undone", target: fact.target, how: fact.how, to: fact.to, at };
    default:
      return unreachable(fact);
  }
}
