import { pauseMs } from "../attempt-times.ts";
import { FAILURE_RULES, type FailureRule, PROBED } from "../failure.ts";
import type { RefName, TaskId } from "../ids.ts";
import { taskAt } from "../run-index.ts";
import type { PastAttempt, RunState } from "../run-state.ts";
import { isSatisfied, listTasks } from "../run-tasks.ts";
import { countAttempts } from "./attempt-number.ts";
import { cost, sum } from "./totals.ts";

/** How a run went, for those who see its end. */
export type RunEnd = {
  readonly attempts: number;
  /** Attempts that a gate failed, on their own tree or merged. Results on the base commit and on the tree to land are listed apart. */
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
  const tasks = listTasks(state);
  const past = tasks.flatMap(({ of }) => of.past);
  const failedBy = (reason: string) => past.filter(({ failure }) => failure?.reason === reason).length;
  return {
    attempts: sum(tasks, ({ of }) => countAttempts(of)),
    redGates: sum([...countRedGates(state).values()], (n) => n),
    conflicts: failedBy("conflict"),
    parkedMs: sum(tasks, ({ of }) => sumPauses(of.past)),
    byAgent: byAgent(state),
    kept: kept(state),
    earlier: earlier(state),
  };
}

/** By gate: how many attempts it failed. */
export function countRedGates(state: RunState): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { of } of listTasks(state))
    for (const { failure } of of.past)
      if (failure?.reason === "gate") counts.set(failure.gate, (counts.get(failure.gate) ?? 0) + 1);
  return counts;
}

/** From the end of an attempt that met a limit to the start of the next, as far as anybody drove the run. */
function sumPauses(past: readonly PastAttempt[]): number {
  return past.reduce((total, before, n) => {
    const [next, { failure }] = [past[n + 1], before];
    if (failure === null || next === undefined || !parks(FAILURE_RULES[failure.reason])) return total;
    return total + pauseMs(before, next);
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
  return listTasks(state).flatMap(({ task, of: { phase, past, live } }) => {
    if (isSatisfied(phase)) return [];
    const unchecked = live.map(({ stage }) => (stage.kind === "gate" ? stage.saved : null));
    const saved =
      unchecked.findLast((one) => one?.changed) ??
      pickWork(past).findLast((one) => one.saved.changed && !one.isMerged)?.saved;
    return saved === undefined ? [] : [{ task: task.id, ref: saved.ref }];
  });
}

function earlier(state: RunState): TaskId[] {
  if (state.workFolder !== null) return [];
  const named = new Set(kept(state).map(({ ref }) => ref));
  const tasks = listTasks(state).filter(({ of: { phase, past } }) => {
    const taken = phase.kind === "passed" ? phase.attempt : null;
    return pickWork(past).some(
      ({ id, saved, isMerged }) => saved.changed && id !== taken && !isMerged && !named.has(saved.ref),
    );
  });
  return tasks.map(({ task }) => task.id);
}

/** Without those in which a person left the work as it was. */
function pickWork(past: readonly PastAttempt[]): PastAttempt[] {
  return past.filter(({ author, saved, continues }) => {
    if (author !== "person") return true;
    const before = past.find(({ id }) => id === continues);
    return before === undefined ? saved.changed : saved.result.tree !== before.saved.result.tree;
  });
}
