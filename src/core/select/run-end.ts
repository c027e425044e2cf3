import { pauseMs } from "../attempt-times.ts";
import type { RunOutcome } from "../facts.ts";
import { FAILURE_RULES, type FailureRule, PROBED } from "../failure.ts";
import type { RefName, TaskId } from "../ids.ts";
import { outcomeOf } from "../landing.ts";
import { taskAt } from "../run-index.ts";
import type { PastAttempt, RunState } from "../run-state.ts";
import { entries } from "../sorted-map.ts";
import { countAttempts, pickAttempts } from "./attempt-number.ts";
import { cost } from "./totals.ts";

/** How a run went, for those who see its end. */
export type RunEnd = {
  readonly outcome: RunOutcome;
  readonly attempts: number;
  readonly redGates: number;
  readonly conflicts: number;
  /** How long tasks stood still after they met a limit of their account, all together. */
  readonly parkedMs: number;
  /** What each agent cost, the dearest first. */
  readonly byAgent: readonly { readonly agent: string; readonly usd: number }[];
  /** Work that did not merge but is saved: the last such attempt of each task that is neither merged nor passed. */
  readonly kept: readonly { readonly task: TaskId; readonly ref: RefName }[];
  /** Tasks with changes of other attempts than the one that counts: they stay saved too, until they are cleaned (I8). */
  readonly earlier: readonly TaskId[];
};

export function runEnd(state: RunState): RunEnd {
  const past = [...entries(state.tasks)].flatMap(([, task]) => task.past);
  const failedBy = (reason: string) => past.filter(({ failure }) => failure?.reason === reason).length;
  return {
    outcome: state.ended?.outcome ?? outcomeOf(state),
    attempts: [...entries(state.tasks)].reduce((sum, [, task]) => sum + countAttempts(task), 0),
    redGates: failedBy("gate"),
    conflicts: failedBy("conflict"),
    parkedMs: [...entries(state.tasks)].reduce((sum, [, task]) => sum + parkedMs(task.past), 0),
    byAgent: byAgent(state),
    kept: kept(state),
    earlier: earlier(state),
  };
}

/** From the end of an attempt that met a limit to the start of the next, as far as anybody drove the run. */
function parkedMs(past: readonly PastAttempt[]): number {
  return past.reduce((sum, before, n) => {
    const [next, { failure }] = [past[n + 1], before];
    if (failure === null || next === undefined || !parks(FAILURE_RULES[failure.reason])) return sum;
    return sum + pauseMs(before, next);
  }, 0);
}

/** As `evolve` does: what somebody has to look at is waited for like a limit. */
const parks = (rule: FailureRule): boolean =>
  rule.kind === "park" || (rule.kind === "retry" && rule.account !== null && PROBED.has(rule.account));

function byAgent(state: RunState): { agent: string; usd: number }[] {
  const sums = new Map<string, number>();
  for (const { task, usd } of cost(state).byTask) {
    const { work } = taskAt(state.index, state.index.indexOf.get(task) as number);
    if (work.kind === "agent") sums.set(work.agent.use, (sums.get(work.agent.use) ?? 0) + usd);
  }
  return [...sums].map(([agent, usd]) => ({ agent, usd })).sort((a, b) => b.usd - a.usd);
}

function kept(state: RunState): { task: TaskId; ref: RefName }[] {
  return [...entries(state.tasks)].flatMap(([i, { phase, past, live }]) => {
    if (phase.kind === "merged" || phase.kind === "passed") return [];
    const unchecked = live.map(({ stage }) => (stage.kind === "gate" ? stage.saved : null));
    const saved =
      unchecked.findLast((one) => one?.changed) ??
      pickAttempts(past).findLast((one) => one.saved.changed && !one.isMerged)?.saved;
    return saved === undefined ? [] : [{ task: taskAt(state.index, i).id, ref: saved.ref }];
  });
}

function earlier(state: RunState): TaskId[] {
  if (state.workFolder !== null) return [];
  const named = new Set(kept(state).map(({ ref }) => ref));
  return [...entries(state.tasks)].flatMap(([i, { phase, past }]) => {
    const taken = phase.kind === "passed" ? phase.attempt : null;
    const others = pickAttempts(past).filter(
      ({ id, saved, isMerged }) => saved.changed && id !== taken && !isMerged && !named.has(saved.ref),
    );
    return others.length === 0 ? [] : [taskAt(state.index, i).id];
  });
}
