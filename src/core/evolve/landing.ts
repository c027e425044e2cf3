import type { LandingFact, TypedFact } from "../facts.ts";
import { isAtRest, lastLanding } from "../landing.ts";
import { listPublishedCommits, listPushed, type PullRequest, type PushedBranch } from "../proposal.ts";
import { unreachable } from "../queries.ts";
import type { Landing, RunState } from "../run-state.ts";
import { beginTargetFix, pickRefusal } from "./target-fix.ts";

/** What became of the target: taken, refused, taken back. */
export function onLandingFact(state: RunState, fact: TypedFact<LandingFact["type"]>): RunState {
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

/** Of another branch, where the run was to land on before, it says nothing. */
export function onTargetMoved(
  state: RunState,
  { target, from, to, isExplained }: TypedFact<"target.moved">,
): RunState {
  if (target !== state.target || to === state.targetAt) return state;
  const { unexplained } = state;
  if (isExplained) return { ...state, targetAt: to, unexplained: unexplained && { ...unexplained, to } };
  return { ...state, targetAt: to, unexplained: { from: unexplained?.from ?? from, to } };
}

/** The last landing first; the one before it is the last then. */
function undo(state: RunState, { tip, target, how, to, at }: TypedFact<"landing.undone">): RunState {
  const last = lastLanding(state);
  if (last === null || last.tip !== tip) return state;
  const earlier = state.landings.filter((one) => one.tip !== tip);
  const { target: usual, ...asStarted } = state.landingDefaults;
  return {
    ...state,
    policy: { ...state.policy, ...asStarted },
    target: usual,
    targetAt: target === usual ? to.commit : null,
    landing: { kind: "undone", target, how, to, at },
    landings: earlier,
    reverted: how === "reverted" ? [...state.reverted, tip] : state.reverted,
    landedTip: earlier.at(-1)?.tip ?? null,
    published: { kind: "no" },
    undoAsked: false,
  };
}

function publish(state: RunState, fact: TypedFact<"run.published" | "publishing.refused">): RunState {
  if (state.published.kind === "published") return state;
  if (fact.type === "run.published") {
    const { commit, remote, branch, url, notes } = fact;
    const pullRequests = fact.pullRequests ?? findOldPullRequest(state, fact);
    const commits = listPublishedCommits(state);
    const published = { kind: "published", commit, remote, branch, url, pullRequests, commits } as const;
    return {
      ...state,
      published: { ...published, ...(notes && { notes }) },
      pushed: addPushed(state.pushed, listPushed(state, { commit, pullRequests })),
    };
  }
  const { detail, said, byHand, pushed = [] } = fact;
  const published = { kind: "refused", detail, ...(said && { said }), ...(byHand && { byHand }) } as const;
  if (JSON.stringify(published) === JSON.stringify(state.published)) return state; // an echo
  return { ...state, published, pushed: addPushed(state.pushed, pushed) };
}

function addPushed(pushed: RunState["pushed"], added: readonly PushedBranch[]): RunState["pushed"] {
  if (added.length === 0) return pushed;
  return new Map([...pushed, ...added.map(({ branch, commit }) => [branch, commit] as const)]);
}

/** Of a journal that has only its address. */
function findOldPullRequest(
  { target }: RunState,
  { branch, url }: TypedFact<"run.published">,
): PullRequest[] {
  if (url === null) return [];
  return [{ task: null, branch, base: target?.replace(/^refs\/heads\//, "") ?? "", url }];
}

type OnTarget = TypedFact<"landing.built" | "run.landed" | "landing.refused">;

function land(state: RunState, fact: OnTarget): RunState {
  // An echo: it is on its way to an agent.
  if (state.targetFix !== null && !isAtRest(state) && fact.type !== "run.landed") return state;
  const begun = fact.type === "landing.refused" ? beginTargetFix(state, fact) : null;
  if (begun !== null) return begun;
  const landing = landingAfter(state, fact);
  const isEcho = JSON.stringify(landing) === JSON.stringify(state.landing);
  if (isEcho || state.landing.kind === "landed") return state;
  const landedTip = fact.type === "run.landed" ? fact.tip : state.landedTip;
  const targetAt = fact.type === "run.landed" ? fact.to.commit : state.targetAt;
  return { ...state, landing, landedTip, targetAt };
}

function landingAfter({ landing }: RunState, fact: OnTarget): Landing {
  const { at } = fact;
  switch (fact.type) {
    case "landing.built": {
      const { onto, result, commits, line, stacks } = fact;
      const stacked = line && { line, stack: stacks ?? line };
      return { kind: "built", onto, result, ...(commits && { commits }), ...stacked };
    }
    case "run.landed": {
      const { tip, target, from, to, notes } = fact;
      const isBuilt = landing.kind === "built" && landing.result.commit === to.commit;
      const commits = isBuilt ? landing.commits : undefined;
      return { kind: "landed", tip, target, from, to, at, notes, ...(commits !== undefined && { commits }) };
    }
    case "landing.refused": {
      const { why, paths, join } = fact;
      return {
        kind: "refused",
        why,
        ...pickRefusal(fact),
        ...(paths !== undefined && { paths }),
        ...(join && { join }),
      };
    }
    default:
      return unreachable(fact);
  }
}
