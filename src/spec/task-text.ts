import { scopeText } from "../formats/cpo/scope-text.ts";
import { checklistText, objectiveText, requirementsText, titleText } from "./prompt-task.ts";
import type { SpecContents, SpecTask } from "./spec-contents.ts";

/** `task-001-users.md`, whatever signs the component has. */
export function taskFileName({ id, component }: SpecTask): string {
  const slug = component.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return slug === "" ? `${id}.md` : `${id}-${slug}.md`;
}

/** A file of tasks/: front matter, and what the prompt is made of. */
export function taskText(task: SpecTask, { techSpecId, tasks }: SpecContents): string {
  const { id, component, wave, deps, agent, skills, contracts, hours, create, modify, boundary } = task;
  const { covers, operations } = task;
  const blocks = tasks.filter((other) => other.deps.includes(id)).map((other) => other.id);
  return `---
id: ${yamlText(id)}
component: ${yamlText(component)}
wave: ${wave}
deps: ${yamlList(deps)}
blocks: ${yamlList(blocks)}
agent: ${yamlText(agent)}
skills: ${yamlList(skills)}
tech_spec: ${yamlText(techSpecId)}
contracts: ${yamlList(contracts)}
${covers.length === 0 ? "" : `covers: ${yamlList(covers)}\n`}${operations.length === 0 ? "" : `operations: ${yamlList(operations)}\n`}${hours === null ? "" : `estimate: ${hours}h\n`}---
# ${id}: ${titleText(task)}

${objectiveText(task)}

## Scope
${scopeText({ CREATE: create, MODIFY: modify, BOUNDARY: boundary })}

## Requirements
${requirementsText(task)}

## Checklist
${checklistText(task)}
`;
}

/** Values of front matter on one line. Readers of YAML get back the same text, whatever is in it. */
function yamlText(text: string): string {
  return PLAIN.test(text) && !WORDS.test(text) ? text : quotedText(text);
}

function yamlList(texts: readonly string[]): string {
  return `[${texts.map(yamlText).join(", ")}]`;
}

const PLAIN = /^[A-Za-z][\w./-]*(?::[\w./-]+)*$/;

/** Words that mean something else to one reader or another. */
const WORDS = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf|infinity)$/i;

/** Quotes of JSON are quotes of YAML; what cannot be seen is spelled out. */
function quotedText(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u00a0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/g,
    escapeUnit,
  );
}

export function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
