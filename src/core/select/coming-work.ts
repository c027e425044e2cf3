import { attemptMs, attemptTimes, pastMs } from "../attempt-times.ts";
import type { EpochMs } from "../facts.ts";
import { type Graph, graphOf } from "../graph.ts";
import { taskAt } from "../run-index.ts";
import type { RunState, TaskState } from "../run-state.ts";
import { isSatisfied, isSelected, isSettled, taskState } from "../run-tasks.ts";
import { estimateLengths, simulate } from "../schedule.ts";
import { entries } from "../sorted-map.ts";

/** What is left of one task, and when it would come: the forecast and what a timeline expects are read from this alone. */
export type ComingWork = {
  readonly i: number;
  readonly of: TaskState;
  /** Without a slot: a back-off, a limit, the way through the queue. */
  readonly waitMs: number;
  readonly workMs: number;
  /** How much of the work, or of the way through the queue, is for the gates. */
  readonly gatesMs: number;
  readonly from: EpochMs;
  readonly to: EpochMs;
};

/**
 * When the tasks that are left would run: what is under way goes on, waits end at their time, what is in the queue is merged
 * when its gates are done, and free slots go to the others in the order in which a driver gives them. What a person has to
 * move counts for nothing. Null where nobody knows how long tasks take.
 */
export function comingWork(state: RunState, now: EpochMs): readonly ComingWork[] | null {
  const lengths = expectedLengths(state);
  if (lengths === null || state.ended !== null) return null;
  const left = leftToDo(state, lengths, now);
  const schedule = simulate(
    subgraph(state.index.graph, left),
    left.map(({ workMs }) => workMs),
    {
      slots: Math.max(state.policy.slots, state.indices.liveAttempts, 1),
      attempts: left.map((one) => attemptsOf(state, one)),
      notBefore: left.map(({ waitMs }) => waitMs),
      // What has a slot keeps it.
      priority: left.map(({ i, of }) =>
        of.live.length > 0 ? Number.MAX_VALUE : -(state.index.place[i] ?? 0),
      ),
      ...groupsOf(state, left),
    },
  );
  return left.map((one, n) => ({
    ...one,
    from: now + (isQueued(one) ? 0 : (schedule.start[n] as number)),
    to: now + (schedule.end[n] as number),
  }));
}

/** As long as so few tasks are done, what they took says nothing about the others. */
const ENOUGH_DONE = 3;

/** How long each task is taken to be: as the plan states it, else as long as the middle one of those that are done. */
function expectedLengths(state: RunState): readonly number[] | null {
  const { tasks } = state.index.plan;
  const { unit, lengths } = estimateLengths(tasks);
  if (unit === "ms") return lengths;
  const done = [...entries(state.tasks)]
    .filter(([, { phase }]) => isSatisfied(phase))
    .map(([, task]) => task.past.reduce((sum, one) => sum + pastMs(one), 0));
  const middle = middleOf(done);
  return done.length < ENOUGH_DONE || middle === undefined ? null : tasks.map(() => middle);
}

type Left = Omit<ComingWork, "from" | "to">;

function leftToDo(state: RunState, lengths: readonly number[], now: EpochMs): Left[] {
  const usual = usualGatesMs(state);
  return state.index.plan.tasks.flatMap(({ id }, i): Left[] => {
    const of = taskState(state, i);
    const isOver = isSettled(of.phase) || of.phase.kind === "held";
    if (isOver || !isSelected(state, id) || state.gone.has(id)) return [];
    const gatesMs = state.index.checks[i]?.length === 0 ? 0 : usual;
    return [{ i, of, gatesMs, ...leftOf(of, { expected: lengths[i] as number, gatesMs, now }) }];
  });
}

type Figures = { readonly expected: number; readonly gatesMs: number; readonly now: EpochMs };

function leftOf({ phase, live }: TaskState, { expected, gatesMs, now }: Figures) {
  if (phase.kind === "queued") return { waitMs: gatesMs, workMs: 0 };
  if (phase.kind === "backoff" || phase.kind === "parked")
    return { waitMs: Math.max(0, phase.until - now), workMs: expected };
  const [attempt] = live;
  const done = attempt === undefined ? 0 : attemptMs(attempt, now);
  return { waitMs: 0, workMs: Math.max(0, expected - done) };
}

const isQueued = ({ of }: Left): boolean => of.phase.kind === "queued";

/** What is in the queue takes no slot: nobody works on it, but others wait for it. */
function attemptsOf({ index }: RunState, one: Left): number {
  return isQueued(one) ? 0 : Math.max(1, one.of.live.length || taskAt(index, one.i).race);
}

/** Only what is left, and only the needs among it: all others are met, or wait for nobody here. */
function subgraph({ needs }: Graph, left: readonly Left[]): Graph {
  const isLeft = new Set(left.map(({ i }) => i));
  return graphOf(
    left.map(({ i }) => ({
      id: String(i),
      needs: (needs[i] ?? []).filter((need) => isLeft.has(need)).map(String),
    })),
  );
}

function groupsOf({ index }: RunState, left: readonly Left[]) {
  const names = [...index.limitOfGroup.keys()];
  const numbers = new Map(names.map((name, n) => [name, n]));
  return {
    groups: left.map(({ i }) => numbers.get(taskAt(index, i).group ?? ("" as never)) ?? null),
    groupLimits: names.map((name) => index.limitOfGroup.get(name) ?? Number.POSITIVE_INFINITY),
  };
}

/** The middle one of those that were green. */
function usualGatesMs(state: RunState): number {
  const green = [...entries(state.tasks)].flatMap(([, { past }]) =>
    past.filter(({ failure }) => failure === null),
  );
  return middleOf(green.map((one) => attemptTimes(one, one.settledAt).gatesMs)) ?? 0;
}

const middleOf = (numbers: readonly number[]): number | undefined =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
