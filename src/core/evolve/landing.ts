import type { EpochMs, LandingFact } from "../facts.ts";
import { lastLanding } from "../landing.ts";
import { unreachable } from "../queries.ts";
import type { Landing, RunState } from "../run-state.ts";

/** What became of the target: taken, refused, taken back. */
export function onLandingFact(state: RunState, fact: LandingFact & { at: EpochMs }): RunState {
  if (fact.type === "landing.undone") return undo(state, fact);
  // A landing of an earlier tip says nothing about what was merged since.
  if (fact.tip !== state.tip.commit && fact.type !== "undo.refused") return state;
  switch (fact.type) {
    case "undo.refused":
      return state.undoAsked ? { ...state, undoAsked: false } : state;
    case "run.published":
    case "publishing.refused":
      return publish(state, fact);
    default:
      return land(state, fact);
  }
}

type Publishing = Extract<LandingFact, { type: "run.published" | "publishing.refused" }>;
type Undone = Extract<LandingFact, { type: "landing.undone" }> & { at: EpochMs };
type OnTarget = Exclude<LandingFact, { type: Publishing["type"] | "undo.refused" | "landing.undone" }> & {
  at: EpochMs;
};

/** The last landing first; the one before it is the last then. */
function undo(state: RunState, { tip, target, how, to, at }: Undone): RunState {
  const last = lastLanding(state);
  if (last === null || last.tip !== tip) return state;
  const earlier = state.landings.filter((one) => one.tip !== tip);
  return {
    ...state,
    landing: { kind: "undone", target, how, to, at },
    landings: earlier,
    reverted: how === "reverted" ? [...state.reverted, tip] : state.reverted,
    landedTip: earlier.at(-1)?.tip ?? null,
    published: { kind: "no" },
    undoAsked: false,
  };
}

function publish(state: RunState, fact: Publishing): RunState {
  if (state.published.kind === "published") return state;
  if (fact.type === "run.published") {
    const { commit, remote, branch, url } = fact;
    return { ...state, published: { kind: "published", commit, remote, branch, url } };
  }
  const isEcho = state.published.kind === "refused" && state.published.detail === fact.detail;
  return isEcho ? state : { ...state, published: { kind: "refused", detail: fact.detail } };
}

function land(state: RunState, fact: OnTarget): RunState {
  const landing = landingAfter(fact);
  const isEcho = JSON.stringify(landing) === JSON.stringify(state.landing);
  if (isEcho || state.landing.kind === "landed") return state;
  const landedTip = fact.type === "run.landed" ? fact.tip : state.landedTip;
  return { ...state, landing, landedTip };
}

function landingAfter(fact: OnTarget): Landing {
  const { at } = fact;
  switch (fact.type) {
    case "landing.built":
      return { kind: "built", onto: fact.onto, result: fact.result };
    case "run.landed": {
      const { tip, target, from, to, notes } = fact;
      return { kind: "landed", tip, target, from, to, at, notes };
    }
    case "landing.refused": {
      const { why, detail, paths } = fact;
      return { kind: "refused", why, detail, ...(paths !== undefined && { paths }) };
    }
    default:
      return unreachable(fact);
  }
}
