import { type ProgressWord, progressWords } from "../config/env.ts";
import { defaultCaps, highestCaps } from "../config/settings.ts";
import type { Caps } from "../core/caps.ts";
import type { LandPolicy, LandStyle } from "../core/plan.ts";
import { type Flag, oneOf, parseDuration, parseInteger, parseName, parseNonEmpty, parseUsd } from "./flag.ts";
import { RequestError } from "./request-error.ts";
import { type SpecOptions, specFlags } from "./spec-flags.ts";

/** Every flag of the program, in one table; commands name those that they take. */
export type { Flag } from "./flag.ts";

export const reportFormats = ["md", "pr", "html", "json", "junit", "otlp", "svg", "mermaid"] as const;
export const reportPictures = ["graph", "timeline"] as const;
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
export type Options = {
  /** No flag: the command line of another system says so. */
  readonly tolerant?: boolean;
  readonly color?: boolean;
  readonly ascii?: boolean;
  readonly cwd?: string;
  readonly debug?: boolean;
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly format?: string;
  readonly graph?: GraphKind;
  readonly picture?: ReportPicture;
  readonly concurrency?: number;
  readonly agent?: string;
  readonly model?: string;
  readonly only?: readonly string[];
  readonly dryRun?: boolean;
  readonly land?: LandPolicy;
  readonly landAs?: LandStyle["as"];
  readonly as?: LandStyle["as"];
  readonly onto?: string;
  readonly draft?: boolean;
  readonly reviewer?: readonly string[];
  readonly label?: readonly string[];
  readonly sign?: boolean;
  readonly signoff?: boolean;
  /** False by --no-push. */
  readonly push?: boolean;
  /** False by --no-pr. */
  readonly pr?: boolean;
  readonly prPerTask?: boolean;
  readonly failFast?: boolean;
  readonly timeout?: number;
  readonly retries?: number;
  readonly budgetUsd?: number;
  readonly detach?: boolean;
  readonly keepAwake?: boolean;
  readonly keepWorktrees?: boolean;
  readonly quiet?: boolean;
  readonly progress?: ProgressWord;
  readonly allowRedBase?: boolean;
  readonly recheck?: boolean;
  readonly allowRoot?: boolean;
  readonly withoutSubAgents?: boolean;
  readonly allowNested?: boolean;
  readonly now?: boolean;
  readonly keep?: boolean;
  readonly start?: boolean;
  readonly run?: string;
  readonly plan?: string;
  readonly redo?: readonly string[];
  readonly follow?: boolean;
  readonly attempt?: number;
  readonly raw?: boolean;
  readonly stat?: boolean;
  readonly nameOnly?: boolean;
  readonly pager?: boolean;
  /** Saved work to make a branch from. */
  readonly branch?: string;
  readonly days?: number;
  readonly force?: boolean;
  readonly dir?: string;
  readonly prompt?: readonly string[];
  readonly promptFile?: readonly string[];
  readonly gate?: readonly string[];
  /** False by --no-copy. */
  readonly copy?: readonly string[] | false;
  readonly setup?: readonly string[];
  readonly runCommands?: boolean;
  readonly to?: "native";
  readonly output?: string;
  readonly ui?: boolean;
  readonly port?: number;
  readonly open?: boolean;
} & SpecOptions &
  Partial<Caps>;

const landPolicies = ["end", "partial", "never"] as const satisfies readonly LandPolicy[];

const landStyles = ["rebase", "merge", "squash"] as const satisfies readonly LandStyle["as"][];

const graphKinds = ["mermaid", "dot", "svg"] as const;
export type GraphKind = (typeof graphKinds)[number];

const MOST_SLOTS = 256;

export const flags = {
  cwd: { usage: "-C, --cwd <folder>", summary: "Run as if started in this folder", parse: parseNonEmpty },
  color: { usage: "--color", summary: "Always use color, or never" },
  noColor: { usage: "--no-color" },
  ascii: { usage: "--ascii", summary: "Print ASCII characters only" },
  debug: { usage: "--debug", summary: "Show stack traces of unexpected errors" },
  json: { usage: "--json", summary: "Print one JSON document" },
  jsonEvents: { usage: "--json", summary: "Same as --progress json, --progress quiet" },
  quiet: { usage: "-q, --quiet" },
  progress: {
    usage: "--progress <mode>",
    summary: "auto (default), tty, plain, json, quiet",
    parse: oneOf(progressWords),
  },
  graph: {
    usage: "--graph <kind>",
    summary: "Print only the graph: mermaid, dot or svg",
    parse: oneOf(graphKinds),
  },
  concurrency: {
    usage: "-j, --concurrency <n>",
    summary: `Attempts to run at once (max ${MOST_SLOTS})`,
    parse: parseInteger(MOST_SLOTS),
  },
  agent: { usage: "--agent <name>", summary: "Use this agent for every task", parse: parseName },
  withoutSubAgents: {
    usage: "--without-sub-agents",
    summary: "Use the plain agent where a sub-agent is missing",
  },
  model: { usage: "--model <name>", summary: "Use this model for every task", parse: parseName },
  only: {
    usage: "--only <ids>",
    summary: "Run only these tasks and what they need: api,docs",
    parse: parseTaskIds,
  },
  dryRun: { usage: "--dry-run", summary: "Show what would run without starting it" },
  dryRemove: { usage: "--dry-run", summary: "Show what would be removed" },
  dryRestore: { usage: "--dry-run", summary: "Show what would be restored" },
  land: {
    usage: "--land <when>",
    summary: "end (default: when every task is done), partial, never",
    parse: oneOf(landPolicies),
  },
  landAs: {
    usage: "--land-as <style>",
    summary: "rebase (default: one commit per task), merge, squash",
    parse: oneOf(landStyles),
  },
  as: {
    usage: "--as <style>",
    summary: "rebase (default: one commit per task), merge, squash",
    parse: oneOf(landStyles),
  },
  onto: {
    usage: "--onto <branch>",
    summary: "Branch to land on (default: the current branch)",
    parse: parseNonEmpty,
  },
  ontoNow: {
    usage: "--onto <branch>",
    summary: "Branch to land on (default: the run's target branch)",
    parse: parseNonEmpty,
  },
  sign: { usage: "--sign", summary: "Sign landed commits, add Signed-off-by" },
  signoff: { usage: "--signoff" },
  push: { usage: "--push", summary: "Push your branch after landing, or do not" },
  noPush: { usage: "--no-push" },
  pr: { usage: "--pr", summary: "Open a pull request instead of landing (needs gh)" },
  noPr: { usage: "--no-pr" },
  prPerTask: { usage: "--pr-per-task", summary: "Open one pull request per task, stacked by needs" },
  draft: { usage: "--draft", summary: "Open the pull request as a draft" },
  reviewer: {
    usage: "--reviewer <name>",
    summary: "Request a review of the pull request (repeatable)",
    parse: parseNonEmpty,
    isList: true,
  },
  label: {
    usage: "--label <name>",
    summary: "Label the pull request (repeatable)",
    parse: parseNonEmpty,
    isList: true,
  },
  failFast: { usage: "--fail-fast", summary: "Stop the run when a task fails" },
  timeout: {
    usage: "--timeout <time>",
    summary: "Time limit per attempt: 90s, 45m, 2h",
    parse: parseDuration,
  },
  retries: { usage: "--retries <n>", summary: "Retries per task", parse: parseInteger(100, 0) },
  budgetUsd: {
    usage: "--budget-usd <usd>",
    summary: "Start no new attempts after spending this much",
    parse: parseUsd,
  },
  detach: { usage: "--detach", summary: "Run in the background (follow with plait watch)" },
  ui: { usage: "--ui", summary: "Also serve the web UI" },
  port: {
    usage: "--port <n>",
    summary: "Port to serve on (default: a free port)",
    parse: parseInteger(65_535),
  },
  open: { usage: "--open", summary: "Open the web UI in your browser" },
  keepAwake: { usage: "--keep-awake", summary: "Keep the machine awake during the run" },
  keepWorktrees: {
    usage: "--keep-worktrees",
    summary: "Keep all worktrees (plait clean removes them)",
  },
  allowRedBase: { usage: "--allow-red-base", summary: "Start even if the base commit is red" },
  recheck: { usage: "--recheck", summary: "Run the base check again, ignoring its saved result" },
  allowRoot: { usage: "--allow-root", summary: "Allow agents to bypass permissions as root" },
  allowNested: { usage: "--allow-nested", summary: "Allow a run inside another run" },
  start: { usage: "--start", summary: "Continue the agent's conversation in the worktree" },
  keep: { usage: "--keep", summary: "Keep the demo repository" },
  now: { usage: "--now", summary: "Interrupt agents, save their work, and wait" },
  retryNow: { usage: "--now", summary: "Retry paused or retrying tasks immediately" },
  plan: { usage: "--plan <file>", summary: "Continue with this edited plan", parse: parseNonEmpty },
  redo: {
    usage: "--redo <ids>",
    summary: "With --plan: redo these merged tasks: api,docs",
    parse: parseTaskIds,
  },
  run: { usage: "--run <id>", summary: "Use this run (default: the latest)", parse: parseNonEmpty },
  follow: { usage: "-f, --follow", summary: "Follow new output" },
  attempt: {
    usage: "--attempt <n>",
    summary: "Show this attempt (default: the last)",
    parse: parseInteger(10_000),
  },
  raw: { usage: "--raw", summary: "Print the agent's output unchanged" },
  nameOnly: { usage: "--name-only", summary: "Print only the names of changed files" },
  noPager: { usage: "--no-pager", summary: "Print without a pager" },
  stat: { usage: "--stat", summary: "Print only changed files and line counts" },
  dir: {
    usage: "--dir <folder>",
    summary: "Folder to install into (default: ~/.local/bin)",
    parse: parseNonEmpty,
  },
  branch: {
    usage: "--branch <work>",
    summary: "Make a branch from saved work: run/task/attempt",
    parse: parseNonEmpty,
  },
  days: {
    usage: "--days <n>",
    summary: "Remove runs older than n days (default 14)",
    parse: parseInteger(3650, 0),
  },
  forceClean: { usage: "--force", summary: "Also remove work that has not landed" },
  force: { usage: "--force", summary: "Also restore files that changed after the run" },
  prompt: {
    usage: "-p, --prompt <text>",
    summary: "Add a task with this prompt (repeatable)",
    parse: parsePrompt,
    isList: true,
  },
  promptFile: {
    usage: "--prompt-file <file>",
    summary: "Add a task from a file, - for stdin (repeatable)",
    parse: parseNonEmpty,
    isList: true,
  },
  newPrompt: {
    usage: "--prompt-file <file>",
    summary: "Replace the task's prompt, - for stdin",
    parse: parseNonEmpty,
    isList: true,
  },
  gate: {
    usage: "--gate <command>",
    summary: "With -p: a check every task must pass (repeatable)",
    parse: parseNonEmpty,
    isList: true,
  },
  copy: {
    usage: "--copy <path>",
    summary: "With -p: copy this path to worktrees (repeatable)",
    parse: parseNonEmpty,
    isList: true,
  },
  noCopy: { usage: "--no-copy", summary: "Do not copy dependency folders to worktrees" },
  setup: {
    usage: "--setup <command>",
    summary: "With -p: run this in each new worktree (repeatable)",
    parse: parseNonEmpty,
    isList: true,
  },
  runCommands: { usage: "--run-commands", summary: "Run the plan's `each` commands to list its tasks" },
  dryRunCommands: {
    usage: "--run-commands",
    summary: "With --dry-run: run `each` commands to list tasks",
  },
  strict: { usage: "--strict", summary: "Treat possible overlaps as errors" },
  format: { usage: "--format <name>", summary: "Plan format (default: detected)", parse: parseNonEmpty },
  to: { usage: "--to <format>", summary: "Target format: native (default)", parse: oneOf(["native"]) },
  output: {
    usage: "-o, --output <file>",
    summary: "Write to this new file instead of stdout",
    parse: parseNonEmpty,
  },
  reportFormat: {
    usage: "--format <name>",
    summary: `${reportFormats[0]} (default), ${reportFormats.slice(1).join(", ")}`,
    parse: oneOf(reportFormats),
  },
  picture: {
    usage: "--picture <what>",
    summary: "Draw the graph or the timeline instead, as SVG",
    parse: oneOf(reportPictures),
  },
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
export const planFlags: readonly FlagName[] = ["format", "strict", ...capFlagNames];

/** How a command shows a run. */
export const progressFlags: readonly FlagName[] = ["progress", "jsonEvents", "quiet"];

function cap(name: keyof Caps, usage: string, what: string): Flag {
  const most = highestCaps[name];
  return {
    usage,
    summary: `${what} (default ${defaultCaps[name]}, max ${most})`,
    parse: parseInteger(most),
  };
}

function parseTaskIds(text: string): string[] {
  const ids = text.split(",").map((id) => id.trim());
  if (ids.some((id) => id === "")) throw new RequestError("has an empty task id");
  return [...new Set(ids)];
}

function parsePrompt(text: string): string {
  if (text === "-") throw new RequestError("is not a prompt", "read it from stdin: --prompt-file -");
  return parseNonEmpty(text);
}
