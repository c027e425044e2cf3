import { ignoreLines } from "../../core/ownership/compile.ts";
import type { PathPattern } from "../../core/ownership/pattern.ts";
import type { Invoked, InvokeInput } from "../adapter.ts";
import { attemptEnv } from "../attempt-env.ts";

/**
 * The command line. The user's own settings, agents, skills and MCP servers stay in force: only what a headless attempt needs
 * is added. The prompt goes to stdin: as an argument it would be swallowed by the variadic tool options.
 */
export function invokeClaude(input: InvokeInput): Invoked {
  const permissions = permissionsFor(input);
  const asRoot = permissions.mode === "bypassPermissions" && input.isRoot;
  if (asRoot && !input.allowRoot && !input.sandboxed) return { ok: false, problem: ROOT };
  const { agent, budgetUsd } = input.work;
  const { kind, id } = input.conversation;
  const argv = [
    "claude",
    "-p",
    // Without --verbose stream-json ends with exit 1.
    ...["--output-format", "stream-json", "--verbose"],
    // A used id is refused for a new conversation; an old one is found only from the folder it was held in.
    ...[kind === "new" ? "--session-id" : "--resume", id],
    ...(agent.name === null ? [] : ["--agent", agent.name]),
    ...(agent.model === null ? [] : ["--model", agent.model]),
    ...(budgetUsd === null ? [] : ["--max-budget-usd", decimal(budgetUsd)]),
    ...systemPromptArgs(input),
    // As a tool that it must use; where it does not after one reminder, it ends well and without an answer.
    ...(input.answer === null ? [] : ["--json-schema", JSON.stringify(input.answer.schema)]),
    // Inside plait's its own cannot be made: every command would fail.
    ...(input.sandboxed ? ["--settings", JSON.stringify({ sandbox: { enabled: false } })] : []),
    ...["--permission-mode", permissions.mode],
    // Variadic: they take every argument up to the next option, so they stand last.
    ...variadic("--allowedTools", permissions.allow),
    ...variadic("--disallowedTools", permissions.deny),
  ];
  const env = {
    ...attemptEnv(input),
    // By default it hides three minutes of 429 (and of 401) in each call. Long waits are plait's: shared and visible.
    CLAUDE_CODE_MAX_RETRIES: "2",
    ...(asRoot && { IS_SANDBOX: "1" }),
  };
  const invocation = { argv, env, stdin: input.prompt, notes: notesFor(permissions, asRoot) };
  return { ok: true, invocation, warnings: warningsFor(input) };
}

const ROOT = {
  message: "cannot bypass Claude's permissions as root",
  hint: "run plait as another user, or pass: --allow-root",
};

type Permissions = {
  readonly mode: "bypassPermissions" | "dontAsk";
  readonly allow: readonly string[];
  readonly deny: readonly string[];
};

/**
 * What a read-only task may use when the plan does not say: looking, in the tree. Claude also lets it run commands that only look
 * (ls, grep, find, git log), and tells those from others by itself: a redirection or `find -exec` is denied.
 */
const READ_TOOLS = ["Read", "Glob", "Grep"];
const WRITE_TOOLS = ["Write", "Edit", "NotebookEdit"];

/**
 * Headless Claude never asks: what is not allowed is denied and the work goes on. Deny rules hold in every mode. Not
 * `plan` mode for read-only work: it makes the agent write a plan of changes where a report was asked for.
 */
function permissionsFor({ access, work: { tools }, reports, ...input }: InvokeInput): Permissions {
  const only = (allow: readonly string[], ...alsoDenied: readonly string[]): Permissions => ({
    mode: "dontAsk",
    allow,
    deny: [...new Set([...alsoDenied, ...tools.deny, ...input.deny])],
  });
  // Bypassed permissions would ignore a list of allowed tools.
  if (access === "write")
    return tools.allow.length > 0 ? only(tools.allow) : { ...only([]), mode: "bypassPermissions" };
  const looks = tools.allow.length > 0 ? tools.allow : READ_TOOLS;
  if (reports.length === 0) return only(looks, ...WRITE_TOOLS);
  // A tool that is denied is denied for every file, so here the plan's own rules for writing go instead.
  const reading = looks.filter((rule) => !WRITES.test(rule));
  return only([...reading, ...reports.flatMap((pattern) => editRules(pattern, input))], "NotebookEdit");
}

const WRITES = /^(?:Write|Edit|MultiEdit|NotebookEdit)(?:\(|$)/;

/**
 * Edit with a path is all that changes that file, Write too. A path with a slash in front begins where Claude is started, with
 * two at the root of the file system.
 */
function editRules(pattern: PathPattern, { dir, worktree }: Pick<InvokeInput, "dir" | "worktree">): string[] {
  const below = dir === null ? "" : `/${dir.replace(/\/+$/, "")}`;
  const root = worktree.endsWith(below) ? worktree.slice(0, worktree.length - below.length) : worktree;
  return ignoreLines(pattern).map((line) => {
    const path = line.startsWith(`${below}/`) ? line.slice(below.length) : `/${root}${line}`;
    return `Edit(${path.endsWith("/") ? `${path}**` : path})`;
  });
}

/**
 * The shared file comes right after Claude's own system prompt, and what Claude says about the worktree moves behind it, into the first
 * message: so the requests of two worktrees begin with the same bytes, which Anthropic's prompt cache serves.
 */
function systemPromptArgs({ sharedFile, systemPrompt }: InvokeInput): string[] {
  if (sharedFile !== null)
    return ["--append-system-prompt-file", sharedFile, "--exclude-dynamic-system-prompt-sections"];
  return systemPrompt === null ? [] : ["--append-system-prompt", systemPrompt];
}

function variadic(option: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [option, ...values];
}

/** Never in the form 1e-7, and never nothing. */
function decimal(usd: number): string {
  return Math.max(usd, 0.000001)
    .toFixed(6)
    .replace(/\.?0+$/, "");
}

/** How Claude takes rules about files, seen with 2.1.197 and 2.1.325. plait does not widen what a plan allows: it tells. */
function warningsFor({ access, reports, work: { tools } }: InvokeInput): string[] {
  if (access === "read-only") {
    // It has no tool to write anything else with, whatever is allowed.
    const refused = reports.find((pattern) => OWN_FOLDERS.test(pattern));
    const hasOther = reports.some((pattern) => !OWN_FOLDERS.test(pattern));
    return refused === undefined ? [] : [ownFolder(refused, hasOther)];
  }
  const rules = tools.allow.map((rule) => rule.replace(/\(\*\)$/, "")); // which means all of it
  const mayCreate = rules.some((rule) => rule === "Write" || rule.startsWith("Edit("));
  return [
    ...(rules.includes("Edit") && !mayCreate ? [EDIT_ALONE] : []),
    ...(rules.some((rule) => rule.startsWith("Write(")) ? [WRITE_PATH] : []),
  ];
}

/** Claude lets nobody write there without asking a person, by any rule or hook; seen with 2.1.197. */
const OWN_FOLDERS = /^\.(?:claude|git|vscode|idea|husky)(?:\/|$)/;
function ownFolder(pattern: string, hasOther: boolean): string {
  const instead = hasOther ? "" : " and the report is the agent's last message";
  return `Claude does not let read-only tasks write below ${pattern.split("/")[0]}/, so ${pattern} stays empty${instead}; use another folder, such as reports/`;
}

const EDIT_ALONE =
  "in Claude the rule Edit does not allow new files; add Write, or use Edit(**) for all files";
const WRITE_PATH =
  "in Claude a Write rule with a path allows nothing; put paths into Edit, as in Edit(src/**)";

function notesFor({ mode, allow }: Permissions, asRoot: boolean): string[] {
  if (mode === "dontAsk") return [`may use ${allow.join(", ")} and read files; everything else is denied`];
  const root = "runs as root, with IS_SANDBOX=1 so that Claude accepts it";
  return ["runs with permissions bypassed", ...(asRoot ? [root] : [])];
}
