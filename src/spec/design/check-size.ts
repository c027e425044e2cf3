import { quoted } from "../../core/analyze/words.ts";
import type { Diagnostic } from "../../core/source.ts";
import type { Doc } from "../../formats/cpo/fields.ts";
import { designFinding } from "./codes.ts";
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
  const limits = isImpossible
    ? `it must be more than 0 and at most ${MOST_HOURS}`
    : `${FEWEST_HOURS} to ${MANY_HOURS} are good`;
  const message = `${quoted(id.value)} takes ${value} h; ${limits}`;
  const hint = value > MANY_HOURS ? "cut it into several tasks" : "join it with a neighbour";
  return [designFinding("task-size", { message, at, hint, ...(isImpossible && { severity: "error" }) })];
}

function pathsFinding({ id, create, modify }: LocatedTask): Diagnostic[] {
  const count = create.length + modify.length;
  if (count <= MANY_PATHS) return [];
  const message = `${quoted(id.value)} owns ${count} paths; up to ${MANY_PATHS} are good`;
  return [
    designFinding("task-size", { message, at: id.at, hint: "cut it into several tasks, or name a folder" }),
  ];
}

/** What is allowed, and wastes time. */
export function checkShape(doc: Doc, tasks: readonly LocatedTask[]): Diagnostic[] {
  const waves = new Set(tasks.map(({ wave }) => wave.value));
  const at = keyAt(doc, "tasks");
  const found: Diagnostic[] = [];
  const [only, ...others] = tasks.filter(({ wave }) => wave.value === 1);
  if (tasks.length > 1 && only !== undefined && others.length === 0) {
    const message = `${quoted(only.id.value)} is alone in wave 1, so all others wait for it`;
    const hint = "let a contract say what the others need of it, and start them at once";
    found.push(designFinding("design-shape", { message, at: only.wave.at, hint }));
  }
  if (waves.size > MANY_WAVES) {
    const message = `there are ${waves.size} waves; up to ${MANY_WAVES} are good`;
    found.push(
      designFinding("design-shape", {
        message,
        at,
        hint: "join waves whose tasks need little of one another",
      }),
    );
  }
  return found;
}
