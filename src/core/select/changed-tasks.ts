import type { RunState } from "../run-state.ts";
import { entries, get } from "../sorted-map.ts";

/**
 * Indices of the tasks that differ between two states, of which the second was made from the first. Evolve shares what it
 * does not touch: only the ways down to the changed tasks differ, so this costs what changed.
 */
export function changedTasks({ tasks: before }: RunState, { tasks: after }: RunState): number[] {
  const found: number[] = [];
  const walk = (left: RunState["tasks"], right: RunState["tasks"]): boolean => {
    if (left === right) return true;
    if (left === null || right === null || left.key !== right.key) return false;
    if (left.value !== right.value) found.push(right.key);
    return walk(left.left, right.left) && walk(left.right, right.right);
  };
  return walk(before, after) ? found : allChanged(before, after);
}

/** A revised plan has another shape. */
function allChanged(before: RunState["tasks"], after: RunState["tasks"]): number[] {
  return [...entries(after)].filter(([i, task]) => get(before, i) !== task).map(([i]) => i);
}
