import type { GateAsker, TypedFact } from "../facts.ts";
import type { AttemptFailure } from "../failure.ts";
import { landingRevision } from "../landing.ts";
import { findStackTops, type StackStep } from "../proposal.ts";
import { type Check, checkKey } from "../run-index.ts";
import type { LiveAttempt, RunState } from "../run-state.ts";
import { greenKey, taskState } from "../run-tasks.ts";
import { entries, get, has, set } from "../sorted-map.ts";
import { formatGateName } from "../text/figures.ts";
import { dropAttempt, proveAttempt } from "./attempts.ts";
import { onRedCandidate } from "./integration.ts";
import { putLive, stopOnRedBase } from "./live.ts";

/**
 * A verdict is about a tree, not about a task: it reaches every attempt, every candidate and the landing that waits for
 * it. A green one is remembered. A red one is not: the next tree with the same content is asked again.
 */
export function onGateJudged(state: RunState, fact: Judged): RunState {
  return fact.verdict === "green" ? onGreen(countFlake(state, fact), fact) : onRed(state, fact);
}

type Judged = TypedFact<"gate.judged">;

/** Red, and green when it was tried again: nothing changed in between. */
function countFlake(state: RunState, { name, tries, tree, gate, preparation }: Judged): RunState {
  if (tries < 2 || has(state.greens, greenKey(tree, { key: gate, preparation }))) return state;
  return { ...state, flaky: set(state.flaky, name, (get(state.flaky, name) ?? 0) + 1) };
}

function onGreen(state: RunState, fact: Judged): RunState {
  const key = greenKey(fact.tree, { key: fact.gate, preparation: fact.preparation });
  if (has(state.greens, key)) return state;
  let next: RunState = {
    ...state,
    greens: set(state.greens, key, true as const),
    candidates: state.candidates.map((candidate) =>
      candidate.result.tree === fact.tree
        ? { ...candidate, missing: without(candidate.missing, fact) }
        : candidate,
    ),
  };
  for (const { i, attempt } of waitingFor(state, fact)) {
    if (attempt.stage.kind !== "gate") continue;
    const missing = without(attempt.stage.missing, fact);
    next = putLive(next, i, { ...attempt, stage: { ...attempt.stage, missing } });
    if (missing.length === 0) next = proveAttempt(next, i, attempt.id, fact.at);
  }
  return next;
}

function onRed(state: RunState, fact: Judged): RunState {
  let next = onRedBase(state, fact);
  for (const { i, attempt } of waitingFor(state, fact)) {
    if (attempt.stage.kind !== "gate" || !asked(fact, "attempt", attempt.id)) continue;
    const { saved } = attempt.stage;
    next = dropAttempt(next, i, { attempt, saved, failure: redGate(fact, "attempt"), at: fact.at });
  }
  const candidate = next.candidates.find(
    ({ result, missing, red }) =>
      red === null &&
      asked(fact, "candidate", result.commit) &&
      result.tree === fact.tree &&
      asks(missing, fact),
  );
  if (candidate !== undefined) next = onRedCandidate(next, candidate, redGate(fact, "merge"), fact.at);
  return refuseLanding(next, fact);
}

function onRedBase(state: RunState, fact: Judged): RunState {
  if (!asked(fact, "base", state.base.commit) || fact.tree !== state.base.tree) return state;
  const { name, summary, output, failures, isUnprepared, missing } = fact;
  const key = checkKey({ key: fact.gate, preparation: fact.preparation });
  if (has(state.redOnBase, key)) return state;
  const red = set(state.redOnBase, key, {
    name,
    summary,
    output,
    failures,
    ...(isUnprepared && { isUnprepared }),
    ...(missing && { missing }),
  });
  return stopOnRedBase({ ...state, redOnBase: red });
}

/** The tree that was about to land is red: nothing lands. */
function refuseLanding(state: RunState, fact: Judged): RunState {
  const landing = landingRevision(state);
  const noted = noteRedStep(state, fact);
  if (noted !== null) return noted;
  const joined = joinRedStacks(state, fact);
  if (joined !== null) return joined;
  if (landing?.tree !== fact.tree || !asked(fact, "landing", landing.commit)) return state;
  return {
    ...state,
    landing: {
      kind: "refused",
      why: "gate",
      detail: `gate ${formatGateName(fact.name)} is red on the merged result${fact.summary === "" ? "" : ` (${fact.summary})`}`,
    },
  };
}

/** A step below the top of its stack stays where it is, and its pull request names the gate. */
function noteRedStep(state: RunState, fact: Judged): RunState | null {
  const { landing } = state;
  if (landing.kind !== "built" || landing.stack === undefined) return null;
  const tops = findStackTops(landing.stack);
  const isStep = ({ result }: StackStep) =>
    result.tree === fact.tree && asked(fact, "landing", result.commit);
  if (tops.some(isStep) || !landing.stack.some(isStep)) return null;
  const red = greenKey(fact.tree, { key: fact.gate, preparation: fact.preparation });
  return { ...state, landing: { ...landing, reds: [...(landing.reds ?? []), red] } };
}

/** A stack that is red without the others is not independent of them: all tasks become one line. */
function joinRedStacks(state: RunState, fact: Judged): RunState | null {
  const { landing } = state;
  if (landing.kind !== "built" || landing.line === undefined || landing.stack === landing.line) return null;
  const isTop = findStackTops(landing.stack ?? []).some(
    ({ result }) => result.tree === fact.tree && asked(fact, "landing", result.commit),
  );
  return isTop ? { ...state, landing: { ...landing, stack: landing.line } } : null;
}

function waitingFor(state: RunState, fact: Judged): { i: number; attempt: LiveAttempt }[] {
  const found: { i: number; attempt: LiveAttempt }[] = [];
  for (const [i] of entries(state.indices.live)) {
    for (const attempt of taskState(state, i).live) {
      if (attempt.stage.kind !== "gate") continue;
      const { saved, missing } = attempt.stage;
      if (saved.result.tree === fact.tree && asks(missing, fact)) found.push({ i, attempt });
    }
  }
  return found;
}

/** Red is for those who asked: an echo must not hit who came up with the same tree later. */
function asked({ asked: askers }: Judged, kind: GateAsker["kind"], id: string): boolean {
  return askers.some(
    (asker) => asker.kind === kind && (asker.kind === "attempt" ? asker.attempt : asker.commit) === id,
  );
}

const isSame = (check: Check, fact: Judged): boolean =>
  check.key === fact.gate && check.preparation === fact.preparation;

const asks = (checks: readonly Check[], fact: Judged): boolean => checks.some((check) => isSame(check, fact));

const without = (checks: readonly Check[], fact: Judged): Check[] =>
  checks.filter((check) => !isSame(check, fact));

function redGate({ name, summary }: Judged, on: "attempt" | "merge"): AttemptFailure {
  return { reason: "gate", gate: name, on, summary, detail: `gate ${name} is red: ${summary}` };
}
