import type { Diagnostic } from "../../core/source.ts";
import type { Doc } from "../../formats/cpo/fields.ts";
import { buildDesignFinding } from "./catalog.ts";
import { keyAt, type LocatedTask } from "./located.ts";

const FEWEST_HOURS = 2;
const MANY_HOURS = 4;
const MOST_HOURS = 8;
const MANY_PATHS = 15;
const MANY_WAVES = 4;

/** Tasks that an agent would lose its way in, or that are not worth one. */
export function checkSizes(tasks: readonly LocatedTask[]): Diagnostic[] {
  return tasks.flatMap((task) => [...hoursFinding(task), ...pathsFinding(task)]);
}

function hoursFinding({ id, hours }: LocatedTask): Diagnostic[] {
  if (hours === null || (hours.value >= FEWEST_HOURS && hours.value <= MANY_HOURS)) return [];
  const { value, at } = hours;
  const isImpossible = value <= 0 || value > MOST_HOURS;
  const limits = { few: FEWEST_HOURS, many: MANY_HOURS, most: MOST_HOURS };
  const params = { kind: "hours", task: id.value, hours: value, ...limits } as const;
  return [buildDesignFinding("task-size", params, at, { severity: isImpossible ? "error" : "warning" })];
}

function pathsFinding({ id, create, modify }: LocatedTask): Diagnostic[] {
  const count = create.length + modify.length;
  if (count <= MANY_PATHS) return [];
  const params = { kind: "paths", task: id.value, paths: count, most: MANY_PATHS } as const;
  return [buildDesignFinding("task-size", params, id.at)];
}

/** What is allowed, and wastes time. */
export function checkShape(doc: Doc, tasks: readonly LocatedTask[]): Diagnostic[] {
  const waves = new Set(tasks.map(({ wave }) => wave.value)).size;
  const found: Diagnostic[] = [];
  const [only, ...others] = tasks.filter(({ wave }) => wave.value === 1);
  if (tasks.length > 1 && only !== undefined && others.length === 0)
    found.push(buildDesignFinding("design-shape", { kind: "alone", task: only.id.value }, only.wave.at));
  const params = { kind: "waves", waves, most: MANY_WAVES } as const;
  if (waves > MANY_WAVES) found.push(buildDesignFinding("design-shape", params, keyAt(doc, "tasks")));
  return found;
}
