import { parseTaskId } from "../../core/ids.ts";
import type { Diagnostic } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { buildFormatFinding, type ReportFormatFinding } from "../catalog.ts";
import type { TextIndex } from "../text-index.ts";
import { inQuotes, short } from "../words.ts";
import { find, keyRangeAt, type Path, rangeAt, type Tree } from "../yaml/tree.ts";
import { wholeOf } from "./schema.ts";

type Look = {
  readonly index: TextIndex;
  readonly tree: Tree;
  readonly groups: Groups;
  readonly report: ReportFormatFinding;
};

/**
 * The rules of the format that a schema cannot express. They check the tree and not what the schema made of it, so that all findings
 * are reported together.
 */
export function ruleDiagnostics(index: TextIndex, tree: Tree): Diagnostic[] {
  const found: Diagnostic[] = [];
  const groups = groupsIn(tree);
  const report: ReportFormatFinding = (...finding) => void found.push(buildFormatFinding(...finding));
  const look: Look = { index, tree, groups, report };
  checkWhole(look, ["defaults", "max_retries"]);
  for (const group of groups.names) checkWhole(look, ["concurrency_limits", group]);
  const tasks = find(tree, ["tasks"]);
  if (tasks?.kind !== "list") return found;
  if (tasks.items.length === 0) report("no-tasks", {}, rangeAt(index, tree, ["tasks"]));
  for (const [i, task] of tasks.items.entries()) if (task.kind === "map") checkTask(look, ["tasks", i]);
  warnOfUnused(look, tasks.items);
  return found;
}

function checkTask(look: Look, path: Path): void {
  checkId(look, path);
  checkAgent(look, path);
  checkPrompt(look, path);
  checkEnv(look, [...path, "env"]);
  checkGroup(look, [...path, "concurrency_group"]);
  checkWhole(look, [...path, "max_retries"]);
}

/** Everything else about an id is the same for all formats. */
function checkId({ index, tree, report }: Look, task: Path): void {
  const id = textAt(tree, [...task, "id"]);
  if (id === null || !id.includes(".") || !parseTaskId(id).ok) return;
  const problem = 'contains "."; use letters a-z, digits, "_" and "-"';
  const params = { id, problem, suggestion: id.replaceAll(".", "-") };
  report("bad-id", params, rangeAt(index, tree, [...task, "id"]));
}

/** With the plugin that it comes from, which parallel-orchestra refused. */
const AGENT = /^\w[\w-]*(?::\w[\w-]*)?$/;

export function isAgentName(text: string): boolean {
  return AGENT.test(text);
}

function checkAgent({ index, tree, report }: Look, task: Path): void {
  const agent = textAt(tree, [...task, "agent"]);
  if (agent === null || agent === "" || isAgentName(agent)) return;
  const fix = 'write the name, plugin:name, or no agent: `""`';
  const problem = 'is not a name of letters a-z, digits, "_" and "-"';
  const at = rangeAt(index, tree, [...task, "agent"]);
  report("bad-agent", { subject: "the task", kind: "agent", value: agent, problem, fix }, at);
}

/** Without a prompt the agent is called as a command, so there must be one. */
function checkPrompt({ index, tree, report }: Look, task: Path): void {
  const prompt = find(tree, [...task, "prompt"]);
  const agent = textAt(tree, [...task, "agent"]);
  if (prompt?.kind === "scalar" && prompt.value === null) {
    const at = rangeAt(index, tree, [...task, "prompt"]);
    const params = { label: "prompt", expected: "a string", found: null };
    report("wrong-type", { ...params, fix: { kind: "write", text: "prompt: …" } }, at);
  } else if (prompt === null && agent === "")
    report("task-work", { given: [], keys: ["prompt", "agent"] }, rangeAt(index, tree, [...task, "agent"]));
}

/** Marks a task that works in a worktree; what a plan may not set for other reasons is the same for all formats. */
export const GUARD = "PO_WORKTREE_GUARD";

function checkEnv({ index, tree, report }: Look, env: Path): void {
  if (!keysAt(tree, env).includes(GUARD)) return;
  const params = { subject: "the task", name: GUARD, reason: "belongs to parallel-orchestra" };
  report("env-refused", params, keyRangeAt(index, tree, [...env, GUARD]));
}

type Groups = {
  readonly names: ReadonlySet<string>;
  readonly suggest: (group: string) => string | null;
  /** Their key holds a map, or nothing. */
  readonly areKnown: boolean;
};

/** After so many different ones a suggestion does not help. */
const MAX_LOOKUPS = 50;

function groupsIn(tree: Tree): Groups {
  const limits = find(tree, ["concurrency_limits"]);
  const names = keysAt(tree, ["concurrency_limits"]);
  let lookups = 0;
  const suggest = (group: string) => {
    lookups += 1;
    return lookups <= MAX_LOOKUPS ? nearest(group, names) : null;
  };
  const areKnown =
    limits === null || limits.kind === "map" || (limits.kind === "scalar" && limits.value === null);
  return { names: new Set(names), suggest, areKnown };
}

function checkGroup({ index, tree, groups, report }: Look, path: Path): void {
  const group = textAt(tree, path);
  if (!group || groups.names.has(group) || !groups.areKnown) return;
  const params = { group, suggestion: groups.suggest(group), groups: [...groups.names] };
  report("unknown-group", { ...params, key: "concurrency_limits" }, rangeAt(index, tree, path));
}

function warnOfUnused({ index, tree, groups, report }: Look, tasks: readonly Tree[]): void {
  const used = new Set(tasks.map((task) => textAt(task, ["concurrency_group"])));
  for (const group of groups.names) {
    if (!used.has(group))
      report("unused-limit", { group }, keyRangeAt(index, tree, ["concurrency_limits", group]));
  }
}

/** A value that is not a number but read as one; what cannot be is refused by the schema. */
function checkWhole({ index, tree, report }: Look, path: Path): void {
  const written = find(tree, path);
  if (written?.kind !== "scalar" || written.isGuess) return;
  const number = wholeOf(written.value);
  if (number === null || number < 0 || written.value === number) return;
  const source = typeof written.value === "string" ? inQuotes(written.value) : short(written.source);
  const key = short(path.at(-1) as string);
  report("coerced-value", { key, source, number }, rangeAt(index, tree, path));
}

function textAt(tree: Tree, path: Path): string | null {
  const value = find(tree, path);
  if (value?.kind !== "scalar" || value.isGuess) return null;
  return typeof value.value === "string" ? value.value : null;
}

function keysAt(tree: Tree, path: Path): string[] {
  const map = find(tree, path);
  return map?.kind === "map" ? [...map.entries.keys()] : [];
}
