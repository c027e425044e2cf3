import { type AttemptId, type Oid, splitAttemptId, type TaskId } from "../ids.ts";
import { type Check, taskAt } from "../run-index.ts";
import type { RunState } from "../run-state.ts";
import { taskState } from "../run-tasks.ts";
import { entries, values } from "../sorted-map.ts";
import { gateWantKey } from "../wants.ts";

/** Steps of plait's own, by the keys of their wants. */

/** For people: `could not save the work of cart`, `could not land`. */
export function formatFailedStep(key: string): string {
  const [kind = "", attempt = ""] = key.split(" ");
  const verb = TASK_STEPS[kind];
  const task = verb === undefined ? "" : ` ${splitAttemptId(attempt as AttemptId).task}`;
  return `could not ${verb ?? RUN_STEPS[kind] ?? key}${task}`;
}

/** The tasks that cannot continue before the step is done; none for a step of the run as a whole. */
export function findStepTasks(state: RunState, key: string): TaskId[] {
  const [kind = "", attempt = ""] = key.split(" ");
  if (TASK_STEPS[kind] !== undefined) return [splitAttemptId(attempt as AttemptId).task];
  if (kind === "merge" || kind === "advance")
    return [...values(state.indices.queue)].map((i) => taskAt(state.index, i).id);
  return kind === "gate" ? findGatedTasks(state, key) : [];
}

function findGatedTasks(state: RunState, key: string): TaskId[] {
  const isAsked = (tree: Oid, [next]: readonly Check[]): boolean =>
    next !== undefined && gateWantKey(tree, next) === key;
  const working = [...entries(state.indices.live)].flatMap(([i]) =>
    taskState(state, i).live.some(
      ({ stage }) => stage.kind === "gate" && isAsked(stage.saved.result.tree, stage.missing),
    )
      ? [taskAt(state.index, i).id]
      : [],
  );
  const merging = state.candidates
    .filter(({ result, missing }) => isAsked(result.tree, missing))
    .flatMap((candidate) => candidate.tasks.map(({ task }) => task));
  return [...new Set([...working, ...merging])];
}

const TASK_STEPS: { readonly [kind: string]: string } = {
  attempt: "start",
  stop: "stop",
  kill: "stop",
  save: "save the work of",
  open: "open",
};

const RUN_STEPS: { readonly [kind: string]: string } = {
  gate: "run a gate",
  merge: "merge",
  advance: "merge",
  probe: "check the account",
  land: "land",
  publish: "push",
  undo: "undo the landing",
  finish: "clean up",
};
