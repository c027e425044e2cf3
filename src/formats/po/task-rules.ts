import type { AnalyzeCode } from "../../core/analyze/codes.ts";
import { listed, quoted } from "../../core/analyze/words.ts";
import { parseTaskId } from "../../core/ids.ts";
import { type Diagnostic, diagnostic, type SourceRange } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import type { FormatCode } from "../codes.ts";
import type { TextIndex } from "../text-index.ts";
import { inQuotes, short } from "../words.ts";
import { find, keyRangeAt, type Path, rangeAt, type Tree } from "../yaml/tree.ts";
import { wholeOf } from "./whole.ts";

/** Where a rule looks, and how it says what it finds. */
type Look = {
  readonly index: TextIndex;
  readonly tree: Tree;
  readonly groups: Groups;
  readonly say: (code: FormatCode | AnalyzeCode, words: Words) => void;
};

type Words = Pick<Diagnostic, "message" | "hint"> & {
  readonly at: SourceRange;
  readonly severity?: "warning";
};

/**
 * The rules of the format that a schema cannot say, or not with a hint. They look at the tree and not at what the schema made of
 * it, so that they are told together with everything else that is wrong.
 */
export function ruleDiagnostics(index: TextIndex, tree: Tree): Diagnostic[] {
  const found: Diagnostic[] = [];
  const groups = groupsIn(tree);
  const say: Look["say"] = (code, words) => void found.push(diagnostic({ code, ...words }));
  const look: Look = { index, tree, groups, say };
  checkWhole(look, ["defaults", "max_retries"]);
  for (const group of groups.names) checkWhole(look, ["concurrency_limits", group]);
  const tasks = find(tree, ["tasks"]);
  if (tasks?.kind !== "list") return found;
  if (tasks.items.length === 0) {
    const hint = "add a task with an id, an agent, read_only and a prompt";
    look.say("no-tasks", { message: "the plan has no tasks", at: rangeAt(index, tree, ["tasks"]), hint });
  }
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
function checkId({ index, tree, say }: Look, task: Path): void {
  const id = textAt(tree, [...task, "id"]);
  if (id === null || !id.includes(".") || !parseTaskId(id).ok) return;
  const message = `the task id ${quoted(id)} contains "."; use letters a-z, digits, "_" and "-"`;
  const at = rangeAt(index, tree, [...task, "id"]);
  say("bad-id", { message, at, hint: `write ${quoted(id.replaceAll(".", "-"))}` });
}

/** With the plugin that it comes from, which parallel-orchestra refused. */
const AGENT = /^\w[\w-]*(?::\w[\w-]*)?$/;

export function isAgentName(text: string): boolean {
  return AGENT.test(text);
}

function checkAgent({ index, tree, say }: Look, task: Path): void {
  const agent = textAt(tree, [...task, "agent"]);
  if (agent === null || agent === "" || isAgentName(agent)) return;
  say("bad-agent", {
    message: `invalid agent name ${quoted(agent)}; use letters a-z, digits, "_" and "-"`,
    at: rangeAt(index, tree, [...task, "agent"]),
    hint: 'write the name alone, plugin:name, or "" for no agent',
  });
}

/** Without a prompt the agent is called as a command, so there must be one. */
function checkPrompt({ index, tree, say }: Look, task: Path): void {
  const prompt = find(tree, [...task, "prompt"]);
  const agent = textAt(tree, [...task, "agent"]);
  if (prompt?.kind === "scalar" && prompt.value === null) {
    const at = rangeAt(index, tree, [...task, "prompt"]);
    const hint = agent
      ? `write what to do, or delete the key for "/agent-${short(agent)}"`
      : "write what to do";
    say("wrong-type", { message: "prompt has no value; it must be a text", at, hint });
  } else if (prompt === null && agent === "") {
    const message = "the task says nothing to do: it has neither a prompt nor an agent";
    const at = rangeAt(index, tree, [...task, "agent"]);
    say("task-work", { message, at, hint: "add prompt: with what to do" });
  }
}

/** Says that a task works in a worktree; what a plan may not set for other reasons is the same for all formats. */
export const GUARD = "PO_WORKTREE_GUARD";

function checkEnv({ index, tree, say }: Look, env: Path): void {
  if (!keysAt(tree, env).includes(GUARD)) return;
  const message = `the task sets ${quoted(GUARD)}, which belongs to parallel-orchestra itself`;
  say("env-refused", { message, at: keyRangeAt(index, tree, [...env, GUARD]), hint: "delete it" });
}

type Groups = {
  readonly names: ReadonlySet<string>;
  /** What to do about one that is not among them. */
  readonly hintFor: (group: string) => string;
  /** They are known: what stands there is a map, or nothing. */
  readonly areKnown: boolean;
};

/** After so many different ones a hint helps nobody. */
const MAX_LOOKUPS = 50;

function groupsIn(tree: Tree): Groups {
  const limits = find(tree, ["concurrency_limits"]);
  const names = keysAt(tree, ["concurrency_limits"]);
  let lookups = 0;
  const hintFor = (group: string) => {
    if (names.length === 0) return `add concurrency_limits: { ${short(group)}: 1 }`;
    lookups += 1;
    const near = lookups <= MAX_LOOKUPS ? nearest(group, names) : null;
    return near === null ? `there are ${listed(names, "groups")}` : `did you mean ${quoted(near)}?`;
  };
  const areKnown = limits === null || limits.kind === "map" || isNothing(limits);
  return { names: new Set(names), hintFor, areKnown };
}

function checkGroup({ index, tree, groups, say }: Look, path: Path): void {
  const group = textAt(tree, path);
  if (!group || groups.names.has(group) || !groups.areKnown) return;
  say("unknown-group", {
    message: `the group ${quoted(group)} has no limit in concurrency_limits`,
    at: rangeAt(index, tree, path),
    hint: groups.hintFor(group),
  });
}

function warnOfUnused({ index, tree, groups, say }: Look, tasks: readonly Tree[]): void {
  const used = new Set(tasks.map((task) => textAt(task, ["concurrency_group"])));
  for (const group of groups.names) {
    if (used.has(group)) continue;
    const at = keyRangeAt(index, tree, ["concurrency_limits", group]);
    const message = `no task is in the group ${quoted(group)}`;
    say("unused-limit", { severity: "warning", message, at, hint: "delete the limit" });
  }
}

/** What is no number but taken for one; what cannot be is refused by the schema. */
function checkWhole({ index, tree, say }: Look, path: Path): void {
  const written = find(tree, path);
  if (written?.kind !== "scalar" || written.isGuess) return;
  const number = wholeOf(written.value);
  if (number === null || number < 0 || written.value === number) return;
  const source = typeof written.value === "string" ? inQuotes(written.value) : short(written.source);
  say("coerced-value", {
    severity: "warning",
    message: `${short(path.at(-1) as string)} is written as ${source} and taken for ${number}`,
    at: rangeAt(index, tree, path),
    hint: `write ${number}`,
  });
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

function isNothing(tree: Tree): boolean {
  return tree.kind === "scalar" && tree.value === null;
}
