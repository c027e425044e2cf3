import { defaultCaps, highestCaps } from "../config/caps.ts";
import { type ProgressWord, progressWords } from "../config/env.ts";
import type { Caps } from "../core/caps.ts";
import type { LandPolicy, LandStyle } from "../core/plan.ts";
import { duration, type Flag, money, oneOf, someName, someText, wholeNumber } from "./flag.ts";
import { RequestError } from "./request-error.ts";
import { type SpecOptions, specFlags } from "./spec-flags.ts";

/** Every flag of the program, in one table; commands name those that they take. */
export type { Flag } from "./flag.ts";

export const reportFormats = ["md", "pr", "html", "json", "junit", "otlp", "svg", "mermaid"] as const;
export const reportPictures = ["graph", "timeline"] as const;
export type ReportFormat = (typeof reportFormats)[number];
export type ReportPicture = (typeof reportPictures)[number];

/** What the value of a flag is called: `a name`. */
export function valueName({ usage }: Flag): string | null {
  const word = /<(\w+)>/.exec(usage)?.[1];
  return word === undefined ? null : `a ${word === "n" ? "number" : word}`;
}

/**
 * A word that begins like a flag is one, and no value; numbers below zero are told what is wrong with them. Texts of
 * several words may begin with a dash, and a dash alone is standard input.
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
  readonly sign?: boolean;
  readonly signoff?: boolean;
  readonly push?: boolean;
  readonly pr?: boolean;
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
  readonly restore?: string;
  readonly days?: number;
  readonly force?: boolean;
  readonly dir?: string;
  readonly prompt?: readonly string[];
  readonly promptFile?: readonly string[];
  readonly gate?: readonly string[];
  readonly runCommands?: boolean;
  readonly to?: "native";
  readonly output?: string;
  readonly ui?: boolean;
  readonly port?: number;
  readonly open?: boolean;
} & SpecOptions &
  Partial<Caps>;

const landPolicies = ["end", "partial", "never"] as const satisfies readonly LandPolicy[];

const landStyles = ["merge", "squash", "rebase"] as const satisfies readonly LandStyle["as"][];

const graphKinds = ["mermaid", "dot", "svg"] as const;
export type GraphKind = (typeof graphKinds)[number];

const MOST_SLOTS = 256;

export const flags = {
  cwd: { usage: "-C, --cwd <folder>", says: "act as if started in that folder", parse: someText },
  color: { usage: "--color", says: "colours even where no terminal is seen" },
  noColor: { usage: "--no-color", says: "no colours" },
  ascii: { usage: "--ascii", says: "print ASCII only; other characters are spelled out" },
  debug: { usage: "--debug", says: "show where an unexpected error comes from" },
  json: { usage: "--json", says: "print one JSON document" },
  jsonFacts: { usage: "--json", says: "print every fact as a line of JSON" },
  graph: {
    usage: "--graph <kind>",
    says: "print the graph instead: mermaid, dot or svg",
    parse: oneOf(graphKinds),
  },
  concurrency: {
    usage: "-j, --concurrency <n>",
    says: `how many attempts may run at once, up to ${MOST_SLOTS}`,
    parse: wholeNumber(MOST_SLOTS),
  },
  agent: {
    usage: "--agent <name>",
    says: "this agent for every task, whatever the plan says",
    parse: someName,
  },
  withoutSubAgents: {
    usage: "--without-sub-agents",
    says: "Run tasks with the plain agent if their sub-agent is missing",
  },
  model: {
    usage: "--model <name>",
    says: "this model for every task, whatever the plan says",
    parse: someName,
  },
  only: {
    usage: "--only <tasks>",
    says: "run these tasks, and what they need: ids with commas between them",
    parse: names,
  },
  dryRun: { usage: "--dry-run", says: "show what would be done and start nothing" },
  land: {
    usage: "--land <when>",
    says: "end: when all is merged (the default), partial: what is merged, never",
    parse: oneOf(landPolicies),
  },
  landAs: {
    usage: "--land-as <how>",
    says: "merge: with its history (the default), squash: one commit, rebase: one commit a task",
    parse: oneOf(landStyles),
  },
  sign: { usage: "--sign", says: "sign the commits that land; else as your git is configured" },
  signoff: { usage: "--signoff", says: "add your Signed-off-by to the commits that land" },
  push: { usage: "--push", says: "push the branch once it has landed" },
  pr: { usage: "--pr", says: "open a pull request with gh instead of landing here" },
  failFast: { usage: "--fail-fast", says: "stop the run when a task fails" },
  timeout: {
    usage: "--timeout <duration>",
    says: "how long one attempt may take, such as 90s, 45m or 2h",
    parse: duration,
  },
  retries: {
    usage: "--retries <n>",
    says: "how often a task is tried again after it failed",
    parse: wholeNumber(100, 0),
  },
  budgetUsd: { usage: "--budget-usd <usd>", says: "start nothing more once this is spent", parse: money },
  detach: { usage: "--detach", says: "run in the background; plait attach shows it" },
  ui: { usage: "--ui", says: "also as a web page, for this machine only" },
  port: {
    usage: "--port <n>",
    says: "serve the page at this port; else at any that is free",
    parse: wholeNumber(65_535),
  },
  open: { usage: "--open", says: "open it in your browser" },
  keepAwake: { usage: "--keep-awake", says: "keep the machine from going to sleep while the run goes on" },
  keepWorktrees: {
    usage: "--keep-worktrees",
    says: "leave the worktrees of all attempts where they are; plait clean removes them",
  },
  quiet: { usage: "-q, --quiet", says: "nothing but the end; as --progress quiet" },
  progress: {
    usage: "--progress <how>",
    says: "auto (the default), tty: keys and a picture that moves, plain: lines, json: every fact, quiet",
    parse: oneOf(progressWords),
  },
  allowRedBase: { usage: "--allow-red-base", says: "start although a gate is red before anything is done" },
  allowRoot: { usage: "--allow-root", says: "let agents bypass permissions although you are root" },
  allowNested: { usage: "--allow-nested", says: "allow a run inside an agent of another run" },
  start: { usage: "--start", says: "start the agent there, in its own conversation, and wait for it" },
  keep: { usage: "--keep", says: "leave the repository of the demo there, to look around" },
  now: { usage: "--now", says: "end attempts at once and save what they did, instead of letting them end" },
  plan: {
    usage: "--plan <file>",
    says: "go on with this plan, edited since the run started",
    parse: someText,
  },
  redo: {
    usage: "--redo <tasks>",
    says: "with --plan: do these again although they are merged, ids with commas between them",
    parse: names,
  },
  run: { usage: "--run <id>", says: "of this run instead of the latest", parse: someText },
  follow: { usage: "-f, --follow", says: "go on as more comes" },
  attempt: {
    usage: "--attempt <n>",
    says: "of this attempt instead of the last",
    parse: wholeNumber(10_000),
  },
  raw: { usage: "--raw", says: "what the program printed, as it printed it" },
  stat: { usage: "--stat", says: "only which files changed, and how much" },
  dir: { usage: "--dir <folder>", says: "the folder for them; else ~/.local/bin", parse: someText },
  restore: { usage: "--restore <ref>", says: "make a branch of this saved work", parse: someText },
  days: {
    usage: "--days <n>",
    says: "what is older than this, instead of keep.days of the configuration, which is 14",
    parse: wholeNumber(3650, 0),
  },
  force: { usage: "--force", says: "also where a file was changed again since the run ended" },
  prompt: {
    usage: "-p, --prompt <text>",
    says: "instead of a plan: a task that does this; may be given more than once",
    parse: somePrompt,
    isList: true,
  },
  promptFile: {
    usage: "--prompt-file <file>",
    says: "what is to be done, from a file; - is standard input",
    parse: someText,
    isList: true,
  },
  gate: {
    usage: "--gate <command>",
    says: "with -p: a check that every task and the result must pass; may be given more than once",
    parse: someText,
    isList: true,
  },
  runCommands: { usage: "--run-commands", says: "run commands of the plan that say what tasks it has" },
  strict: { usage: "--strict", says: "ownership that cannot be decided is an error, not a warning" },
  format: {
    usage: "--format <name>",
    says: "how the plan is written; else its content decides",
    parse: someText,
  },
  to: {
    usage: "--to <format>",
    says: "how it is to be written: native (the default, and the only one)",
    parse: oneOf(["native"]),
  },
  output: {
    usage: "-o, --output <file>",
    says: "write it into this file, which must not exist",
    parse: someText,
  },
  reportFormat: {
    usage: "--format <name>",
    says: "md: to read (the default), pr: for a pull request, html: the page as one file, json: for other programs, junit: for CI, otlp: a trace; of a picture svg (the default) or mermaid",
    parse: oneOf(reportFormats),
  },
  picture: {
    usage: "--picture <what>",
    says: "a picture of the run: graph (its tasks and where each stands), timeline (what happened when, and what is expected)",
    parse: oneOf(reportPictures),
  },
  ...specFlags,
  maxPlanBytes: cap("maxPlanBytes", "--max-plan-bytes <n>", "largest plan file in bytes"),
  maxDepth: cap("maxDepth", "--max-depth <n>", "deepest nesting of a plan"),
  maxTasks: cap("maxTasks", "--max-tasks <n>", "most tasks of a plan"),
  maxPromptBytes: cap("maxPromptBytes", "--max-prompt-bytes <n>", "largest prompt or context file in bytes"),
} satisfies Record<string, Flag>;

export type FlagName = keyof typeof flags;

/** Taken by every command. */
export const globalFlags: readonly FlagName[] = ["cwd", "color", "noColor", "ascii", "debug"];
/** Taken by every command that reads a plan. */
export const planFlags: readonly FlagName[] = [
  "format",
  "strict",
  "maxPlanBytes",
  "maxDepth",
  "maxTasks",
  "maxPromptBytes",
];

function cap(name: keyof Caps, usage: string, what: string): Flag {
  const most = highestCaps[name];
  return { usage, says: `${what} (default ${defaultCaps[name]}, up to ${most})`, parse: wholeNumber(most) };
}

function names(text: string): string[] {
  const words = text.split(",").map((word) => word.trim());
  if (words.some((word) => word === "")) throw new RequestError("names no task, or has a comma too many");
  return [...new Set(words)];
}

function somePrompt(text: string): string {
  if (text === "-") throw new RequestError("is no prompt", "from standard input: --prompt-file -");
  return someText(text);
}
