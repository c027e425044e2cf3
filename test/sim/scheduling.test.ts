import { expect, test } from "vitest";
import { graphOf, longestRemaining } from "../../src/core/graph.ts";
import type { TaskId } from "../../src/core/ids.ts";
import type { Task } from "../../src/core/plan.ts";
import type { RunState } from "../../src/core/run-state.ts";
import { PLAIN_STYLE, planOf } from "../support/plans.ts";
import { scriptOf } from "./agents.ts";
import type { Case } from "./case.ts";
import { Invariants } from "./invariants.ts";
import { INSTANT } from "./pace.ts";
import { randomNeeds } from "./plans.ts";
import { randomFrom } from "./random.ts";
import { REAL } from "./run.ts";
import { Trial } from "./trial.ts";
import { hold } from "./violation.ts";

const WORKERS = 8;
const TASKS = 200;
const PLANS = 8;

test(`${TASKS} tasks of unknown length at ${WORKERS} workers take at most 1.10 of the lower bound on average`, () => {
  const ratios = Array.from({ length: PLANS }, (_, i) => {
    const theCase = calmCase(i + 1);
    return makespan(theCase) / lowerBound(theCase);
  });
  const average = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  console.info(
    `makespan: ${average.toFixed(3)} of the lower bound on average, ${Math.max(...ratios).toFixed(3)} at worst`,
  );
  expect(average).toBeLessThanOrEqual(1.1);
});

/** Only agents take time, and the core does not know how much. */
function calmCase(seed: number): Case {
  const random = randomFrom(seed, "scheduling");
  const needs = randomNeeds(random, TASKS, random.pick(["layers", "sparse", "diamonds"]));
  const plan = planOf(needs.map((list, i) => ({ id: `t${i}`, needs: list.map((need) => `t${need}`) })));
  const policy = {
    slots: WORKERS,
    failFast: false,
    land: "never",
    budgetUsd: null,
    mergeBatch: 4,
    mergeAhead: 1,
    redBase: "stop",
    keepWorktrees: false,
    landStyle: PLAIN_STYLE,
    publish: "no",
  } as const;
  const rest = { selected: null, accounts: {}, hasTarget: true, pace: INSTANT, faults: [] };
  return { seed, kind: "calm", plan, policy, ...rest };
}

/** Also fails when a slot is free while a task could start. */
function makespan(theCase: Case): number {
  const trial = new Trial(theCase, REAL, new NoIdling(REAL.core, { isFrozen: false }));
  const { ended, startedAt } = trial.run();
  expect(ended?.outcome).toBe("complete");
  return ended!.at - startedAt;
}

/** No schedule is shorter than the longest way, or than the work shared out evenly. */
function lowerBound({ seed, plan }: Case): number {
  const lengths = plan.tasks.map((task) => scriptOf(seed, "calm", task)(0).durationMs);
  const work = lengths.reduce((sum, length) => sum + length, 0);
  return Math.max(work / WORKERS, ...longestRemaining(graphOf(plan.tasks), lengths));
}

/** What could start at the last look of a moment, and had a slot, has idled when the next moment comes. */
class NoIdling extends Invariants {
  private last: { readonly at: number; readonly couldStart: TaskId | undefined } = {
    at: 0,
    couldStart: undefined,
  };

  override onStarted({ index }: RunState): void {
    const { ledger, timeline } = this.seen.world;
    const at = timeline.now();
    const { last } = this;
    hold(
      at === last.at || last.couldStart === undefined,
      "no slot idles",
      () => `${last.couldStart} could start at ${last.at}`,
    );
    const hasRoom = ledger.open.size < WORKERS;
    this.last = {
      at,
      couldStart: hasRoom ? index.plan.tasks.find((task) => this.isReady(task))?.id : undefined,
    };
  }

  private isReady({ id, needs }: Task): boolean {
    return this.seen.world.ledger.of(id).length === 0 && needs.every((need) => this.isMerged(need));
  }

  /** As the journal has it: the ref may be there a moment before its fact. */
  private isMerged(task: TaskId): boolean {
    return this.seen.world.ledger.merged.has(task);
  }
}
