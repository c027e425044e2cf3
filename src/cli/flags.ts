import { type ProgressWord, progressWords } from "../config/env.ts";
import { defaultCaps, highestCaps } from "../config/settings.ts";
import type { Caps } from "../core/caps.ts";
import type { Isolation, LandPolicy, LandStyle, SandboxMode } from "../core/plan.ts";
import {
  type Flag,
  flag,
  listFlag,
  oneOf,
  parseDuration,
  parseInteger,
  parseName,
  parseNonEmpty,
  parseUsd,
  type Values,
} from "./flag.ts";
import { RequestError } from "./request-error.ts";
import { type SpecOptions, specFlags } from "./spec-flags.ts";

/** Every flag of the program, in one table; commands name those that they take. */
export type { Flag } from "./flag.ts";

const reportFormats = ["md", "pr", "html", "json", "junit", "otlp", "svg", "mermaid"] as const;
const reportPictures = ["graph", "timeline"] as const;
export type ReportFormat = (typeof reportFormats)[number];
export type ReportPicture = (typeof reportPictures)[number];

const valueNames: { readonly [word: string]: string } = {
  n: "a number",
  ids: "task ids",
  usd: "an amount",
  id: "an id",
};

/** What the value of a flag is called: `a name`. */
export function formatValueName({ usage }: Flag): string | null {
  const word = /<(\w+)>/.exec(usage)?.[1];
  if (word === undefined) return null;
  return valueNames[word] ?? `a ${word}`;
}

/**
 * A word that begins like a flag is a flag and not a value. Negative numbers are left to the flag's parser, a prompt
 * may begin with a dash, and a dash alone is standard input.
 */
export function looksLikeFlag(text: string): boolean {
  return /^-[^\s]+$/.test(text) && !/^-\d+$/.test(text);
}

/** The values after parsing. Each field is there only when the flag was given. */
export type Options = Values<OutputSwitch | RunSwitch | AllowSwitch | LandSwitch | ShowSwitch, boolean> &
  Values<TextName, string> &
  Values<"concurrency" | "timeout" | "retries" | "budgetUsd" | "attempt" | "days" | "port", number> &
  Values<ListName, readonly string[]> &
  Values<"landAs" | "as", LandStyle["as"]> & {
    readonly graph?: GraphKind;
    readonly picture?: ReportPicture;
    readonly land?: LandPolicy;
    readonly isolation?: Isolation;
    readonly sandbox?: SandboxMode;
    readonly progress?: ProgressWord;
    /** False by --no-copy. */
    readonly copy?: readonly string[] | false;
    readonly to?: "native";
  } & SpecOptions &
  Partial<Caps>;

type OutputSwitch = "color" | "ascii" | "debug" | "json" | "quiet" | "strict" | "dryRun" | "detach" | "ui";
/** No flag is `tolerant`: the command line of another system says so. */
type RunSwitch = "tolerant" | "runCommands" | "failFast" | "recheck" | "withoutSubAgents" | "keep" | "now";
type AllowSwitch = "allowRedBase" | "allowRoot" | "allowNested" | "keepAwake" | "keepWorktrees";
/** `push` and `pr` are false by --no-push and --no-pr. */
type LandSwitch = "draft" | "sign" | "signoff" | "push" | "pr" | "prPerTask" | "force";
type ShowSwitch = "follow" | "raw" | "stat" | "nameOnly" | "pager" | "open" | "start";
type TextName = "cwd" | "format" | "agent" | "model" | "onto" | "run" | "plan" | "branch" | "dir" | "output";
type ListName =
  | "allowEnv"
  | "only"
  | "redo"
  | "reviewer"
  | "label"
  | "prompt"
  | "promptFile"
  | "gate"
  | "setup";

const landPolicies = ["end", "partial", "never"] as const satisfies readonly LandPolicy[];

const landStyles = ["rebase", "merge", "squash"] as const satisfies readonly LandStyle["as"][];

const isolations = ["private", "shared"] as const satisfies readonly Isolation[];
const sandboxModes = ["auto", "required", "off"] as const satisfies readonly SandboxMode[];

const graphKinds = ["mermaid", "dot", "svg"] as const;
export type GraphKind = (typeof graphKinds)[number];

const MOST_SLOTS = 256;

export const flags = {
  cwd: flag("-C, --cwd <folder>", "Run as if started in this folder"),
  color: flag("--color", "Always use color, or never"),
  noColor: flag("--no-color"),
  ascii: flag("--ascii", "Print ASCII characters only"),
  debug: flag("--debug", "Show stack traces of unexpected errors"),
  json: flag("--json", "Print one JSON document"),
  jsonEvents: flag("--json", "Same as --progress json, --progress quiet"),
  quiet: flag("-q, --quiet"),
  progress: flag("--progress <mode>", "auto (default), tty, plain, json, quiet", oneOf(progressWords)),
  graph: flag("--graph <kind>", "Print only the graph: mermaid, dot or svg", oneOf(graphKinds)),
  concurrency: flag(
    "-j, --concurrency <n>",
    `Attempts to run at once (max ${MOST_SLOTS})`,
    parseInteger(MOST_SLOTS),
  ),
  agent: flag("--agent <name>", "Use this agent for every task", parseName),
  withoutSubAgents: flag("--without-sub-agents", "Use the plain agent where a sub-agent is missing"),
  model: flag("--model <name>", "Use this model for every task", parseName),
  only: flag("--only <ids>", "Run only these tasks and what they need: api,docs", parseTaskIds),
  dryRun: flag("--dry-run", "Show what would run without starting it"),
  dryRemove: flag("--dry-run", "Show what would be removed"),
  dryRestore: flag("--dry-run", "Show what would be restored"),
  land: flag("--land <when>", "end (default: when every task is done), partial, never", oneOf(landPolicies)),
  landAs: flag(
    "--land-as <style>",
    "rebase (default: one commit per task), merge, squash",
    oneOf(landStyles),
  ),
  as: flag("--as <style>", "rebase (default: one commit per task), merge, squash", oneOf(landStyles)),
  onto: flag("--onto <branch>", "Branch to land on (default: the current branch)"),
  ontoNow: flag("--onto <branch>", "Branch to land on (default: the run's target branch)"),
  sign: flag("--sign", "Sign landed commits, add Signed-off-by"),
  signoff: flag("--signoff"),
  push: flag("--push", "Push your branch after landing, or do not"),
  noPush: flag("--no-push"),
  pr: flag("--pr", "Open a pull request instead of landing (needs gh)"),
  noPr: flag("--no-pr"),
  prPerTask: flag("--pr-per-task", "Open one pull request per task, or open drafts"),
  draft: flag("--draft"),
  reviewer: listFlag("--reviewer <name>", "Request a review of the pull request (repeatable)"),
  label: listFlag("--label <name>", "Label the pull request (repeatable)"),
  failFast: flag("--fail-fast", "Stop the run when a task fails"),
  timeout: flag("--timeout <time>", "Time limit per attempt: 90s, 45m, 2h", parseDuration),
  retries: flag("--retries <n>", "Retries per task", parseInteger(100, 0)),
  budgetUsd: flag("--budget-usd <usd>", "Start no new attempts after spending this much", parseUsd),
  resumeBudgetUsd: flag("--budget-usd <usd>", "Budget for new attempts, counted from this resume", parseUsd),
  detach: flag("--detach", "Run in the background (follow with plait watch)"),
  ui: flag("--ui", "Also serve the web UI"),
  port: flag("--port <n>", "Port to serve on (default: a free port)", parseInteger(65_535)),
  open: flag("--open", "Open the web UI in your browser"),
  isolation: flag(
    "--isolation <kind>",
    "Repository of each attempt: shared (default), private",
    oneOf(isolations),
  ),
  sandbox: flag(
    "--sandbox <mode>",
    "Walls around agents, gates and setup: auto, required, off (default)",
    oneOf(sandboxModes),
  ),
  keepAwake: flag("--keep-awake", "Keep the machine awake during the run"),
  keepWorktrees: flag("--keep-worktrees", "Keep all worktrees (plait clean removes them)"),
  allowRedBase: flag("--allow-red-base", "Start even if the base commit is red"),
  recheck: flag("--recheck", "Run the base check again, ignoring its saved result"),
  allowRoot: flag("--allow-root", "Allow agents to bypass permissions as root"),
  allowNested: flag("--allow-nested", "Allow a run inside another run"),
  agree: flag("-y, --yes", "Agree to what the plan and repository run"),
  allowEnv: listFlag("--allow-env <name>", "Let the plan set this variable (repeatable)", parseVariable),
  start: flag("--start", "Continue the agent's conversation in the worktree"),
  keep: flag("--keep", "Keep the demo repository"),
  now: flag("--now", "Interrupt agents, save their work, and wait"),
  retryNow: flag("--now", "Retry paused or retrying tasks immediately"),
  plan: flag("--plan <file>", "Continue with this edited plan"),
  redo: flag("--redo <ids>", "With --plan: redo these merged tasks: api,docs", parseTaskIds),
  run: flag("--run <id>", "Use this run (default: the latest)"),
  follow: flag("-f, --follow", "Follow new output"),
  attempt: flag("--attempt <n>", "Show this attempt (default: the last)", parseInteger(10_000)),
  raw: flag("--raw", "Print the agent's output unchanged"),
  nameOnly: flag("--name-only", "Print only the names of changed files"),
  noPager: flag("--no-pager", "Print without a pager"),
  stat: flag("--stat", "Print only changed files and line counts"),
  dir: flag("--dir <folder>", "Folder to install into (default: ~/.local/bin)"),
  branch: flag("--branch <work>", "Make a branch from saved work: run/task/attempt"),
  days: flag("--days <n>", "Remove runs older than n days (default 14)", parseInteger(3650, 0)),
  forceClean: flag("--force", "Also remove work that has not landed"),
  force: flag("--force", "Also restore files that changed after the run"),
  prompt: listFlag("-p, --prompt <text>", "Add a task with this prompt (repeatable)", parsePrompt),
  promptFile: listFlag("--prompt-file <file>", "Add a task from a file, - for stdin (repeatable)"),
  newPrompt: listFlag("--prompt-file <file>", "Replace the task's prompt, - for stdin"),
  gate: listFlag("--gate <command>", "With -p: a check every task must pass (repeatable)"),
  copy: listFlag("--copy <path>", "With -p: copy this path to worktrees (repeatable)"),
  noCopy: flag("--no-copy", "Do not copy dependency folders to worktrees"),
  setup: listFlag("--setup <command>", "With -p: run this in each new worktree (repeatable)"),
  runCommands: flag("--run-commands", "Run the plan's `each` commands to list its tasks"),
  dryRunCommands: flag("--run-commands", "With --dry-run: run `each` commands to list tasks"),
  strict: flag("--strict", "Treat possible overlaps as errors"),
  format: flag("--format <name>", "Plan format (default: detected)"),
  to: flag("--to <format>", "Target format: native (default)", oneOf(["native"])),
  output: flag("-o, --output <file>", "Write to this new file instead of stdout"),
  reportFormat: flag(
    "--format <name>",
    `${reportFormats[0]} (default), ${reportFormats.slice(1).join(", ")}`,
    oneOf(reportFormats),
  ),
  picture: flag("--picture <what>", "Draw the graph or the timeline instead, as SVG", oneOf(reportPictures)),
  ...specFlags,
  maxPlanBytes: cap("maxPlanBytes", "--max-plan-bytes <n>", "Bytes in a plan file"),
  maxDepth: cap("maxDepth", "--max-depth <n>", "Nesting depth of a plan"),
  maxTasks: cap("maxTasks", "--max-tasks <n>", "Tasks in a plan"),
  maxPromptBytes: cap("maxPromptBytes", "--max-prompt-bytes <n>", "Bytes in a prompt file"),
} satisfies Record<string, Flag>;

export type FlagName = keyof typeof flags;

/** Taken by every command; printed once, by `plait help options`. */
export const globalFlags: readonly FlagName[] = ["cwd", "color", "noColor", "ascii", "debug"];

/** Limits on what is read; printed once, by `plait help limits`. */
export const capFlagNames = [
  "maxPlanBytes",
  "maxDepth",
  "maxTasks",
  "maxPromptBytes",
] as const satisfies readonly FlagName[];

/** Taken instead of a plan file. */
export const promptFlags: readonly FlagName[] = ["prompt", "promptFile", "gate", "copy", "noCopy", "setup"];

/** Taken by every command that reads a plan. */
export const planFlags: readonly FlagName[] = ["format", "strict", "allowEnv", ...capFlagNames];

/** How a command shows a run. */
export const progressFlags: readonly FlagName[] = ["progress", "jsonEvents", "quiet"];

function cap(name: keyof Caps, usage: string, what: string): Flag {
  const most = highestCaps[name];
  return flag(usage, `${what} (default ${defaultCaps[name]}, max ${most})`, parseInteger(most));
}

function parseTaskIds(text: string): string[] {
  const ids = text.split(",").map((id) => id.trim());
  if (ids.some((id) => id === "")) throw new RequestError("has an empty task id");
  return [...new Set(ids)];
}

function parseVariable(text: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return text;
  throw new RequestError("is not the name of a variable");
}

function parsePrompt(text: string): string {
  if (text === "-") throw new RequestError("is not a prompt", "read it from stdin: --prompt-file -");
  return parseNonEmpty(text);
}
