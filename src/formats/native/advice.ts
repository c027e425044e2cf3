import { planFile } from "./schema.ts";
import { defaults, task } from "./task-schema.ts";

/** Words from other tools and habits, and how a plan says it. */
const otherWords: Readonly<Record<string, string>> = {
  after: "needs",
  dependencies: "needs",
  dependson: "needs",
  deps: "needs",
  files: "owns",
  writes: "owns",
  description: "prompt (for the agent) or title (for people)",
  instruction: "prompt",
  instructions: "prompt",
  run: "command",
  script: "command",
  model: "agent: { use: …, model: … }",
  checks: "gates",
  verify: "gates",
  prepare: "copy, setup and teardown at the top of the plan or of a task",
  maxparallel: "concurrency",
  maxworkers: "concurrency",
  workers: "concurrency",
  parallel: "concurrency",
  readonly: "access: read-only",
};

/** What to say about an unknown key when more is known than its spelling: it is another word, or at the wrong place. */
export function adviceOn(key: string, place: string): string | null {
  const word = key.toLowerCase().replace(/[^a-z]/g, "");
  const known = Object.hasOwn(otherWords, word) ? otherWords[word] : undefined;
  if (known && (place === "task" || place === "plan" || place === "defaults"))
    return `write ${known} instead`;
  if (place !== "defaults" && Object.hasOwn(defaults.shape, key))
    return `${key} is set in a task, or for all tasks under defaults`;
  if (place !== "task" && Object.hasOwn(task.shape, key)) return `${key} is set in a task`;
  if (place !== "plan" && Object.hasOwn(planFile.shape, key)) return `${key} is set at the top of the plan`;
  return null;
}
