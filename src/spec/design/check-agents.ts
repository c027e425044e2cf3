import { quoted } from "../../core/analyze/words.ts";
import type { Diagnostic } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { designFinding } from "./codes.ts";
import type { LocatedTask } from "./located.ts";

/** With its plugin or without. */
const NAME = /^(?:[\w-]+:)?[\w-]+$/;
const MOST_NAMED = 6;

/** Who does the tasks, and what they load before. */
export function checkAgents(tasks: readonly LocatedTask[], known: readonly string[] | null): Diagnostic[] {
  return tasks.flatMap((task) => [...agentFindings(task, known), ...skillFindings(task)]);
}

function agentFindings({ id, agent }: LocatedTask, known: readonly string[] | null): Diagnostic[] {
  if (agent === null) return [];
  const { value, at } = agent;
  const named = `${quoted(id.value)} names the agent ${quoted(value)}`;
  if (known !== null) {
    if (known.includes(value)) return [];
    return [
      designFinding("design-agent", {
        message: `${named}, which is not known`,
        at,
        hint: agentHint(value, known),
      }),
    ];
  }
  if (NAME.test(value)) return [];
  const hint = "write general-purpose, or plugin:agent";
  return [designFinding("design-agent", { message: `${named}, which is not an agent name`, at, hint })];
}

/** Often only the plugin is forgotten or wrong. */
function agentHint(name: string, known: readonly string[]): string {
  const bare = name.slice(name.indexOf(":") + 1);
  const near = known.find((one) => one.endsWith(`:${bare}`)) ?? nearest(name, known);
  if (near) return `did you mean ${quoted(near)}?`;
  const more = known.length > MOST_NAMED ? ` and ${known.length - MOST_NAMED} more` : "";
  return `known are ${known.slice(0, MOST_NAMED).map(quoted).join(", ")}${more}`;
}

function skillFindings({ id, skills }: LocatedTask): Diagnostic[] {
  return skills
    .filter(({ value }) => !NAME.test(value))
    .map(({ value, at }) => {
      const message = `${quoted(id.value)} names the skill ${quoted(value)}, which is not of the form plugin:skill`;
      return designFinding("design-skill", {
        message,
        at,
        hint: "write plugin:skill, such as our-experts:api-style",
      });
    });
}
