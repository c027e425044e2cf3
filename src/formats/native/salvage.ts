import type * as z from "zod";

type Fields = { [key: string]: unknown; tasks?: unknown; defaults?: unknown };

/**
 * Takes out of a plan's data what the schema refused, so that the rest can still be analysed and all problems are told
 * at once. It changes `value`. False when too much would be missing: without an id or a limit, things that refer to it
 * would look wrong though they are right.
 */
export function salvage(value: unknown, issues: readonly z.core.$ZodIssue[]): value is Fields {
  if (!isFields(value)) return false;
  return issues.every((issue) => {
    const fields = issue.code === "unrecognized_keys" ? fieldsAt(value, issue.path) : null;
    if (!fields || issue.code !== "unrecognized_keys") return remove(value, issue.path);
    for (const key of issue.keys) delete fields[key];
    return true;
  });
}

/** The map that holds settings of their own: the plan, its defaults, a task. */
function fieldsAt(plan: Fields, path: readonly PropertyKey[]): Fields | null {
  if (path.length === 0) return plan;
  if (path.length === 1 && path[0] === "defaults") return fieldsOr(plan.defaults);
  if (path.length === 2 && path[0] === "tasks") return taskAt(plan, path[1]);
  return null;
}

/** Removes the whole setting that a path lies in. What cannot be missing, such as an id, is missed later. */
function remove(plan: Fields, path: readonly PropertyKey[]): boolean {
  const [first, second, third] = path;
  if (typeof first !== "string" || first === "plait" || first === "limits") return false;
  if (first === "tasks") return removeFrom(taskAt(plan, second), third);
  if (first === "defaults" && second !== undefined) return removeFrom(fieldsOr(plan.defaults), second);
  return removeFrom(plan, first);
}

function removeFrom(fields: Fields | null, key: PropertyKey | undefined): boolean {
  return fields !== null && typeof key === "string" && delete fields[key];
}

function taskAt(plan: Fields, index: PropertyKey | undefined): Fields | null {
  const tasks = plan.tasks;
  return Array.isArray(tasks) && typeof index === "number" ? fieldsOr(tasks[index]) : null;
}

function fieldsOr(value: unknown): Fields | null {
  return isFields(value) ? value : null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
