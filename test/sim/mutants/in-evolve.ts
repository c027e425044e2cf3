import { satisfyDependents, skipDependents } from "../../../src/core/evolve/dependents.ts";
import type { AttemptFailure } from "../../../src/core/failure.ts";
import { splitAttemptId } from "../../../src/core/ids.ts";
import { NOTHING_USED, type RunState } from "../../../src/core/run-state.ts";
import { changeTask, taskState } from "../../../src/core/run-tasks.ts";
import { SAVED_BLANKS } from "../blanks.ts";
import { inEvolve, type Mutant, tasksOf } from "./mutant.ts";

/** Bugs in what facts mean. */
export const EVOLVE_MUTANTS: readonly Mutant[] = [
  inEvolve("a skipped wait lets every attempt of its account through", (state, fact, fold) =>
    fact.type === "waits.skipped" ? { ...fold(state, fact), accounts: null } : fold(state, fact),
  ),

  inEvolve("a task is done when its work is proven, not when it is merged", (state, fact, fold) => {
    let next = fold(state, fact);
    if (fact.type !== "attempt.saved" && fact.type !== "gate.judged") return next;
    for (const [i, { phase }] of tasksOf(next)) {
      if (phase.kind !== "queued") continue;
      const { attempt } = phase;
      const done = {
        kind: "merged",
        attempt,
        commit: next.tip.commit,
        at: fact.at,
        undrivenBefore: 0,
        proven: true,
      } as const;
      next = satisfyDependents(changeTask(next, i, { phase: done }), i);
    }
    return next;
  }),

  inEvolve("the next attempt does not wait until a failed one is saved", (state, fact, fold) => {
    const next = fold(state, fact);
    if (fact.type !== "attempt.ended" || fact.failure === null || next === state) return next;
    const { attempt, at, v } = fact;
    const live = taskState(next, indexOf(next, attempt)).live.find(({ id }) => id === attempt);
    if (live === undefined) return next;
    const nothing = {
      ref: "refs/plait/none" as never,
      result: live.base,
      changed: false,
      ...SAVED_BLANKS,
    };
    return fold(next, { v, at, type: "attempt.saved", attempt, ...nothing });
  }),

  inEvolve("one task's failure takes the others out of the queue", (state, fact, fold) => {
    const next = fold(state, fact);
    if (next.indices.phases.failed <= state.indices.phases.failed) return next;
    const failure: AttemptFailure = {
      reason: "conflict",
      with: [],
      paths: ["everything"],
      detail: "aborted",
    };
    let aborted: RunState = { ...next, candidates: [] };
    for (const [i, { phase }] of tasksOf(next)) {
      if (phase.kind !== "queued") continue;
      aborted = skipDependents(
        changeTask(aborted, i, { phase: { kind: "failed", failure, at: fact.at } }),
        i,
      );
    }
    return aborted;
  }),

  inEvolve("a resume forgets the retries that were used", (state, fact, fold) => {
    let next = fold(state, fact);
    if (fact.type !== "run.resumed") return next;
    for (const [i] of tasksOf(next)) next = changeTask(next, i, { used: NOTHING_USED });
    return next;
  }),

  inEvolve("a wait is not cut when the clock jumps", (state, fact, fold) => {
    let next = fold(state, fact);
    if (fact.type !== "run.resumed") return next;
    for (const [i, { phase }] of tasksOf(state)) {
      if (phase.kind === "backoff" || phase.kind === "parked") next = changeTask(next, i, { phase });
    }
    return next;
  }),

  inEvolve("orphaned attempts are run again without end", (state, fact, fold) => {
    const next = fold(state, fact);
    if (fact.type !== "attempt.saved" || next === state) return next;
    const i = indexOf(next, fact.attempt);
    const { used } = taskState(next, i);
    return used.orphans === 0 ? next : changeTask(next, i, { used: { ...used, orphans: 0 } });
  }),

  inEvolve("a red verdict is taken for green", (state, fact, fold) =>
    fold(state, fact.type === "gate.judged" ? { ...fact, verdict: "green" } : fact),
  ),

  inEvolve("a red verdict is dropped", (state, fact, fold) =>
    fact.type === "gate.judged" && fact.verdict === "red" ? state : fold(state, fact),
  ),

  inEvolve("what was green in the worktree needs no verdict as merged", (state, fact, fold) => {
    const next = fold(state, fact);
    if (fact.type !== "candidate.built" || next === state) return next;
    return { ...next, candidates: next.candidates.map((candidate) => ({ ...candidate, missing: [] })) };
  }),

  inEvolve("a red tree is charged before those under it are judged", (state, fact, fold) => {
    if (fact.type !== "gate.judged" || fact.verdict === "green") return fold(state, fact);
    const position = state.candidates.findIndex(({ result }) => result.tree === fact.tree);
    if (position < 1) return fold(state, fact);
    const next = fold({ ...state, candidates: state.candidates.slice(position) }, fact);
    return { ...next, candidates: state.candidates.slice(0, position) };
  }),

  inEvolve("a conflict is charged before it is known what will be merged", (state, fact, fold) => {
    if (fact.type !== "candidate.refused" || state.candidates.length === 0) return fold(state, fact);
    if (state.candidates.at(-1)?.result.commit !== fact.from) return fold(state, fact);
    const asTip = { ...state, tip: { ...state.tip, commit: fact.from }, candidates: [] };
    const next = fold(asTip, fact);
    return next === asTip ? state : { ...next, tip: state.tip, candidates: state.candidates };
  }),

  inEvolve("what has landed once counts as landed when more is merged", (state, fact, fold) => {
    const next = fold(state, fact);
    const isMore = fact.type === "integration.advanced" && state.landing.kind === "landed" && next !== state;
    return isMore ? { ...next, landing: state.landing } : next;
  }),

  inEvolve("an end that is told twice is paid twice", (state, fact, fold) => {
    const next = fold(state, fact);
    if (fact.type !== "attempt.ended") return next;
    const past = taskState(next, indexOf(next, fact.attempt)).past.some(({ id }) => id === fact.attempt);
    return past ? { ...next, spentUsd: next.spentUsd + (fact.usage.costUsd ?? 0) } : next;
  }),

  inEvolve("a skip does not spread to those behind the skipped", (state, fact, fold) => {
    let next = fold(state, fact);
    for (const [i, { phase }] of tasksOf(next)) {
      if (phase.kind !== "skipped" || phase.because === null) continue;
      const need = taskState(next, next.index.indexOf.get(phase.because)!);
      if (need.phase.kind === "skipped") next = changeTask(next, i, { phase: { kind: "waiting" } });
    }
    return next;
  }),

  inEvolve("a retry leaves skipped what was skipped for its sake", (state, fact, fold) => {
    let next = fold(state, fact);
    if (fact.type !== "task.reopened") return next;
    for (const [i, { phase }] of tasksOf(state))
      if (phase.kind === "skipped") next = changeTask(next, i, { phase });
    return next;
  }),

  inEvolve("the loser of a race is queued after the winner has merged", (state, fact, fold) => {
    const next = fold(state, fact);
    if (fact.type !== "attempt.saved" || next === state || !fact.changed) return next;
    const i = indexOf(next, fact.attempt);
    if (taskState(state, i).phase.kind !== "merged") return next;
    const { attempt, result, at: since } = fact;
    const turn = next.indices.nextTurn;
    return changeTask(next, i, {
      phase: { kind: "queued", attempt, result, turn, since, undrivenBefore: 0 },
    });
  }),

  inEvolve("work that waits for approval is approved by being finished", (state, fact, fold) => {
    const next = fold(state, fact);
    const held = tasksOf(next).find(([, { phase }]) => phase.kind === "held" && phase.proven !== null);
    if (held === undefined || fact.type === "task.held") return next;
    const task = next.index.plan.tasks[held[0]]!.id;
    const attempt = held[1].phase.kind === "held" ? (held[1].phase.proven?.attempt ?? null) : null;
    return fold(next, { v: fact.v, at: fact.at, type: "task.approved", task, attempt });
  }),

  inEvolve("a cancelled attempt that did its work is queued all the same", (state, fact, fold) => {
    const next = fold(state, fact);
    if (fact.type !== "attempt.saved" || next === state || !fact.changed) return next;
    const i = indexOf(next, fact.attempt);
    if (taskState(next, i).phase.kind !== "cancelled") return next;
    const { attempt, result, at: since } = fact;
    const turn = next.indices.nextTurn;
    return changeTask(next, i, {
      phase: { kind: "queued", attempt, result, turn, since, undrivenBefore: 0 },
    });
  }),
];

function indexOf(state: RunState, attempt: Parameters<typeof splitAttemptId>[0]): number {
  return state.index.indexOf.get(splitAttemptId(attempt).task) ?? 0;
}
