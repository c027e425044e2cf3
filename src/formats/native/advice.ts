import type { KeyAdvice } from "../catalog-values.ts";
import { planFile } from "./schema.ts";
import { defaults, task } from "./task-schema.ts";

const NEEDS = "needs";
const OWNS = "owns";
const PROMPT = "prompt";
const COMMAND = "command";
const GATES = "gates";
const CONCURRENCY = "concurrency";

/** Words from other tools and habits, and how a plan says it. */
const otherWords: Readonly<Record<string, string>> = {
  ...{ after: NEEDS, dependencies: NEEDS, dependency: NEEDS, dependson: NEEDS, depends: NEEDS, deps: NEEDS },
  ...{ requires: NEEDS, require: NEEDS, blockedby: NEEDS, prerequisites: NEEDS, waitfor: NEEDS },
  ...{ files: OWNS, file: OWNS, paths: OWNS, path: OWNS, writes: OWNS, scope: OWNS },
  ...{ description: PROMPT, summary: PROMPT },
  ...{ instruction: PROMPT, instructions: PROMPT, task: PROMPT, text: PROMPT, body: PROMPT, goal: PROMPT },
  ...{ objective: PROMPT, details: PROMPT, content: PROMPT, message: PROMPT, prompts: PROMPT },
  ...{ label: "title", heading: "title" },
  ...{ run: COMMAND, script: COMMAND, cmd: COMMAND, exec: COMMAND, shell: COMMAND },
  ...{ checks: GATES, check: GATES, verify: GATES, test: GATES, tests: GATES },
  model: "agent: { use: …, model: … }",
  prepare: "setup",
  ...{ maxparallel: CONCURRENCY, maxworkers: CONCURRENCY, workers: CONCURRENCY, parallel: CONCURRENCY },
  readonly: "access: read-only",
};

/** Words for the one key that every task must have. */
const ID_WORDS: ReadonlySet<string> = new Set(["name", "key", "slug", "identifier", "taskid"]);

/** The required key that an unknown one stands for: it is not missing besides. */
export function findRequiredKey(key: string, place: string): string | null {
  return place === "task" && ID_WORDS.has(plainWord(key)) ? "id" : null;
}

function plainWord(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, "");
}

/** Advice on an unknown key that spelling does not explain: another word, or the wrong place. */
export function adviceOn(key: string, place: string, hasKey: (other: string) => boolean): KeyAdvice | null {
  const word = plainWord(key);
  const required = findRequiredKey(key, place);
  if (required !== null) return { use: hasKey(required) ? "title" : required };
  const known = Object.hasOwn(otherWords, word) ? otherWords[word] : undefined;
  if (known && (place === "task" || isKeyAt(known, place))) return { use: known };
  if (key === "agents")
    return { move: "configure `agents` in plait.config.yaml; a task names one with `agent`" };
  if (place !== "defaults" && Object.hasOwn(defaults.shape, key))
    return { move: `move \`${key}\` to a task, or to \`defaults\`` };
  if (place !== "task" && Object.hasOwn(task.shape, key)) return { move: `move \`${key}\` to a task` };
  if (place !== "plan" && Object.hasOwn(planFile.shape, key))
    return { move: `move \`${key}\` to the top of the plan` };
  return null;
}

/** Whether the advised key belongs to the plan or its defaults, and not only to a task. */
function isKeyAt(advised: string, place: string): boolean {
  const shape = place === "plan" ? planFile.shape : place === "defaults" ? defaults.shape : {};
  return Object.hasOwn(shape, advised.split(/[\s:,]/)[0] ?? "");
}
