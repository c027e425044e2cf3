import type { Diagnostic } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { buildDesignFinding } from "./catalog.ts";
import type { LocatedTask } from "./located.ts";

/** With its plugin or without. */
const NAME = /^(?:[\w-]+:)?[\w-]+$/;

/** Who does the tasks, and what they load before. */
export function checkAgents(tasks: readonly LocatedTask[], known: readonly string[] | null): Diagnostic[] {
  return tasks.flatMap((task) => [...agentFindings(task, known), ...skillFindings(task)]);
}

function agentFindings({ id, agent }: LocatedTask, known: readonly string[] | null): Diagnostic[] {
  if (agent === null) return [];
  const { value, at } = agent;
  const isUnknown = known !== null && !known.includes(value);
  if (!isUnknown && (known !== null || NAME.test(value))) return [];
  const kind = isUnknown ? "unknown" : "invalid";
  const names = known ?? [];
  const params = {
    kind,
    task: id.value,
    agent: value,
    known: names,
    suggestion: findNear(value, names),
  } as const;
  return [buildDesignFinding("design-agent", params, at)];
}

/** Often only the plugin is missing or wrong. */
function findNear(name: string, known: readonly string[]): string | null {
  const bare = name.slice(name.indexOf(":") + 1);
  return known.find((one) => one.endsWith(`:${bare}`)) ?? nearest(name, known);
}

function skillFindings({ id, skills }: LocatedTask): Diagnostic[] {
  return skills
    .filter(({ value }) => !NAME.test(value))
    .map(({ value, at }) => buildDesignFinding("design-skill", { task: id.value, skill: value }, at));
}
