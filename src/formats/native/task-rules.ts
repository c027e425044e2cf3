import type { Diagnostic } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { buildFormatFinding } from "../catalog.ts";
import type { TextIndex } from "../text-index.ts";
import { type Entries, type Entry, find, rangeAt, type Tree } from "../yaml/tree.ts";
import { task as taskSchema } from "./task-schema.ts";

/**
 * What a task's keys must be to one another. Looks at the tree and not at the schema's result, so that it is said
 * together with everything else that is wrong.
 */
export function taskRuleDiagnostics(index: TextIndex, tree: Tree): Diagnostic[] {
  const tasks = find(tree, ["tasks"]);
  if (tasks?.kind !== "list") return [];
  if (tasks.items.length === 0) return [buildFormatFinding("no-tasks", {}, rangeAt(index, tree, ["tasks"]))];
  return tasks.items.flatMap((task) =>
    task.kind === "map" ? [...workDiagnostics(index, task), ...unusedDiagnostics(index, task.entries)] : [],
  );
}

const workKeys = ["prompt", "prompt-file", "command"];
/** What other tools call the work. */
const workWords =
  /^(task|work|text|body|goal|objective|instructions?|description|details?|message|content|run|cmd|exec|script|shell|program|do|steps?)$/;

function workDiagnostics(index: TextIndex, task: Extract<Tree, { kind: "map" }>): Diagnostic[] {
  const given = workKeys
    .flatMap((key) => task.entries.get(key) ?? [])
    .sort((a, b) => a.keyStart - b.keyStart);
  const [first, second] = given;
  if (!first) {
    if (task.isPartial || [...task.entries.values()].some(isProbablyWork)) return []; // reported as an unknown key
    const at = index.lineRange(task.start, task.end);
    return [buildFormatFinding("task-work", { given: [], keys: workKeys }, at)];
  }
  if (!second) return [];
  const params = { given: given.map(({ key }) => key), keys: workKeys };
  const related = [{ at: keyRange(index, first), key: first.key }];
  return [buildFormatFinding("task-work", params, keyRange(index, second), { related })];
}

/** A key that is misspelled, or called as other tools call it, or at the wrong place. */
function isProbablyWork({ key, value }: Entry): boolean {
  const word = key.toLowerCase().replace(/[^a-z]/g, "");
  if (!Object.hasOwn(taskSchema.shape, key)) {
    if (nearest(key, workKeys) !== null || workWords.test(word)) return true;
    if (value.kind === "scalar" && /\S\s+\S/.test(String(value.value))) return true; // a sentence
  }
  const isMap = value.kind === "map" && (key === "agent" || !Object.hasOwn(taskSchema.shape, key));
  return isMap && workKeys.some((name) => value.entries.has(name));
}

const agentKeys = ["agent", "tools", "budget", "fix-rounds"];

function unusedDiagnostics(index: TextIndex, entries: Entries): Diagnostic[] {
  if (!entries.has("command") || entries.has("prompt") || entries.has("prompt-file")) return [];
  return agentKeys
    .flatMap((key) => entries.get(key) ?? [])
    .map((entry) => {
      const params = { key: entry.key, reason: "the task runs a command" };
      return buildFormatFinding("unused-key", params, keyRange(index, entry));
    });
}

function keyRange(index: TextIndex, entry: Entry) {
  return index.range(entry.keyStart, entry.keyEnd);
}
