import { commandLines } from "./compat/command-lines.ts";
import { capFlagNames, type FlagName, planFlags, progressFlags, promptFlags } from "./flags.ts";
import type { RunCommand } from "./request.ts";
import { integrateFlags, specCommands } from "./spec-commands.ts";

/** Every command, in one table. The code of a command is loaded when the command runs. */
export type CommandSpec = {
  /** One word, or two where the first is the name of a group. */
  readonly name: string;
  /** Still accepted, never printed. */
  readonly alias?: string;
  /** As commander reads it, and a line of help where the name does not say it all. */
  readonly argument?: readonly [usage: string, summary?: string];
  /** For lists of commands. */
  readonly summary: string;
  /** The first line of the command's help, a sentence (default: the summary with a period). */
  readonly description?: string;
  /** Usage lines without `plait` (default: name, argument, options). */
  readonly usage?: readonly string[];
  readonly flags: readonly FlagName[];
  /** More rows of help: commands that this one is about. */
  readonly rows?: readonly (readonly [command: string, summary: string])[];
  readonly examples: readonly string[];
  readonly load: () => Promise<RunCommand>;
};

export type CommandGroup = { readonly name: string; readonly summary: string };

export const groups: readonly CommandGroup[] = [
  { name: "spec", summary: "Turn a tech spec into a plan" },
  { name: "doctor", summary: "Check what works on this machine" },
];

/** Where a command may resume a run in this process. */
const drivingFlags: readonly FlagName[] = [...progressFlags, "allowRoot", "allowNested"];

const landingFlags: readonly FlagName[] = [
  ...(["sign", "signoff", "push", "noPush", "pr", "noPr"] as const),
  ...(["prPerTask", "draft", "reviewer", "label"] as const),
];

const planArgument = ["[plan]", "Plan file (default: the only plan in this folder)"] as const;
const latestRun = ["[run]", "Run name or prefix (default: the latest)"] as const;

const runCommands: readonly CommandSpec[] = [
  {
    name: "run",
    argument: ["[plan]"],
    summary: "Run a plan, or prompts given with -p",
    description: "Run a plan: each task in its own worktree, checked by gates, merged, landed.",
    usage: ["run <plan> [options]", "run -p <prompt> [-p <prompt>...] [--gate <command>...] [options]"],
    flags: [
      ...promptFlags,
      ...(["only", "agent", "model", "withoutSubAgents", "dryRun", "dryRunCommands"] as const),
      ...(["concurrency", "retries", "timeout", "budgetUsd", "failFast"] as const),
      ...(["land", "landAs", "onto"] as const),
      ...landingFlags,
      ...progressFlags,
      ...(["ui", "detach", "allowRedBase", "recheck", "allowRoot", "allowNested"] as const),
      ...(["isolation", "keepAwake", "keepWorktrees", "agree", "sandbox"] as const),
      ...planFlags,
    ],
    examples: ["plait run plan.yaml -j 8 --budget-usd 20"],
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "resume",
    argument: ["[run]", "Run name or prefix (default: the latest incomplete)"],
    summary: "Continue a stopped, interrupted or incomplete run",
    flags: [
      ...(["plan", "redo", "agent", "model", "withoutSubAgents", "concurrency"] as const),
      ...(["resumeBudgetUsd", "agree", "allowEnv"] as const),
      ...progressFlags,
      ...(["ui", "detach", "allowRedBase", "allowRoot", "allowNested", "keepWorktrees"] as const),
    ],
    examples: [
      "plait resume",
      "plait resume shop-k7f2 --detach",
      "plait resume --plan plan.yaml",
      "plait resume --plan plan.yaml --redo tax",
    ],
    load: async () => (await import("./commands/resume.ts")).resume,
  },
  {
    name: "stop",
    argument: ["[run]", "Run name or prefix (default: the latest running)"],
    summary: "Stop a run once its running attempts finish",
    description: "Stop a run once its running attempts finish. Returns at once; nothing lands.",
    flags: ["now"],
    examples: ["plait stop", "plait stop shop-k7f2 --now"],
    load: async () => (await import("./commands/stop.ts")).stop,
  },
  {
    name: "demo",
    summary: "Watch a demo run without an agent or account",
    description: "Watch a demo run of six tasks, with a red gate and a crash.",
    flags: ["keep", ...progressFlags],
    examples: ["plait demo", "plait demo --keep"],
    load: async () => (await import("./commands/demo.ts")).demo,
  },
];

const inspectCommands: readonly CommandSpec[] = [
  {
    name: "status",
    argument: latestRun,
    summary: "Show a run's progress and what needs you",
    flags: ["json"],
    examples: ["plait status", "plait status shop-k7f2"],
    load: async () => (await import("./commands/status.ts")).status,
  },
  {
    name: "watch",
    alias: "attach",
    argument: latestRun,
    summary: "Follow a run live in the terminal",
    description: "Follow a run live in the terminal. Quitting does not stop the run.",
    flags: progressFlags,
    examples: ["plait watch", "plait watch shop-k7f2 --progress plain"],
    load: async () => (await import("./commands/watch.ts")).watch,
  },
  {
    name: "ui",
    argument: ["[run]", "Run name or prefix (default: all runs)"],
    summary: "Serve the web UI: graph, timeline, queue, costs",
    flags: ["port", "open", "allowRoot", "allowNested"],
    examples: ["plait ui --open", "plait ui shop-k7f2", "plait ui --port 8400"],
    load: async () => (await import("./commands/ui.ts")).ui,
  },
  {
    name: "logs",
    argument: ["[task]", "Task (default: the events of the run)"],
    summary: "Show what an agent did on a task",
    flags: ["follow", "attempt", "raw", "run"],
    examples: ["plait logs tax -f", "plait logs tax --attempt 1 --raw", "plait logs --run shop-k7f2"],
    load: async () => (await import("./commands/logs.ts")).logs,
  },
  {
    name: "diff",
    argument: ["[task]", "Task (default: everything the run merged)"],
    summary: "Show what a task changed",
    flags: ["attempt", "stat", "nameOnly", "noPager", "run"],
    examples: [
      "plait diff --stat",
      "plait diff tax",
      "plait diff tax --attempt 1",
      "plait diff tax | git apply",
    ],
    load: async () => (await import("./commands/diff.ts")).diff,
  },
  {
    name: "report",
    argument: latestRun,
    summary: "Print a run report: Markdown, HTML, JUnit or JSON",
    flags: ["reportFormat", "picture", "output"],
    examples: [
      "plait report shop-k7f2 > report.md",
      "plait report --format html --output run.html",
      "plait report --format pr | gh pr comment --body-file -",
      "plait report --picture timeline > timeline.svg",
    ],
    load: async () => (await import("./commands/report.ts")).report,
  },
  {
    name: "runs",
    summary: "List the runs of this repository",
    flags: ["json"],
    examples: ["plait runs", "plait runs -C ../shop"],
    load: async () => (await import("./commands/runs.ts")).runs,
  },
];

const stepInCommands: readonly CommandSpec[] = [
  {
    name: "retry",
    argument: ["[task...]", "Tasks (default with --now: all paused or retrying)"],
    summary: "Retry failed, skipped or dropped tasks",
    flags: ["retryNow", "newPrompt", "run", ...drivingFlags],
    examples: [
      "plait retry tax promo",
      "plait retry tax --prompt-file better.md",
      "plait retry --now --run shop-k7f2",
    ],
    load: async () => (await import("./commands/retry.ts")).retry,
  },
  {
    name: "approve",
    argument: ["<task...>"],
    summary: "Approve tasks that are held for review",
    flags: ["run", ...drivingFlags],
    examples: ["plait approve payments", "plait approve payments refunds --run shop-k7f2"],
    load: async () => (await import("./ask.ts")).approve,
  },
  {
    name: "open",
    argument: ["<task>"],
    summary: "Open a task's worktree to finish it yourself",
    flags: ["start", "run", "json", "allowNested"],
    examples: ["plait open tax", "plait open tax --start"],
    load: async () => (await import("./commands/open.ts")).open,
  },
  {
    name: "submit",
    alias: "accept",
    argument: ["<task...>"],
    summary: "Submit an opened task for checking and merging",
    flags: ["run", ...drivingFlags],
    examples: ["plait submit tax", "plait submit tax --run shop-k7f2"],
    load: async () => (await import("./ask.ts")).submit,
  },
  {
    name: "drop",
    argument: ["<task...>"],
    summary: "Drop tasks and keep their work saved",
    flags: ["run", "json", "allowNested"],
    examples: ["plait drop tax", "plait drop tax promo --run shop-k7f2"],
    load: async () => (await import("./ask.ts")).drop,
  },
  {
    name: "land",
    argument: ["[run]", "Run name or prefix (default: the latest not landed)"],
    summary: "Merge a run's result into your branch",
    flags: ["as", "ontoNow", ...landingFlags, ...drivingFlags],
    examples: [
      "plait land",
      "plait land shop-k7f2 --as squash",
      "plait land --onto release",
      "plait land --pr --draft --reviewer ada",
    ],
    load: async () => (await import("./commands/land.ts")).land,
  },
  {
    name: "undo",
    argument: ["[run]", "Run name or prefix (default: the latest landed)"],
    summary: "Undo a landing",
    description: "Undo a landing: move the branch back, or revert if it has newer commits.",
    flags: ["allowNested"],
    examples: ["plait undo", "plait undo shop-k7f2"],
    load: async () => (await import("./commands/undo.ts")).undo,
  },
  {
    name: "rescue",
    summary: "List saved work, or turn it into a branch",
    flags: ["branch", "json"],
    examples: ["plait rescue", "plait rescue --branch shop-k7f2/tax/3"],
    load: async () => (await import("./commands/rescue.ts")).rescue,
  },
];

const planCommands: readonly CommandSpec[] = [
  {
    name: "validate",
    argument: ["[plan]", "Plan file or artifact folder (default: the only plan)"],
    summary: "Check a plan for errors",
    flags: ["strict", "runCommands", "allowEnv", "format", "json", ...capFlagNames],
    examples: ["plait validate plan.yaml --strict", "plait validate parallel/TS-0042-inventory"],
    load: async () => (await import("./commands/validate.ts")).validate,
  },
  {
    name: "plan",
    argument: planArgument,
    summary: "Preview a run: order, time, cost, overlaps",
    flags: [
      ...promptFlags,
      ...(["agent", "model", "concurrency", "graph", "json", "runCommands", "agree"] as const),
      ...planFlags,
    ],
    examples: [
      "plait plan plan.yaml",
      "plait plan plan.yaml -j 8",
      "plait plan plan.yaml --graph svg > plan.svg",
    ],
    load: async () => (await import("./commands/plan.ts")).plan,
  },
  {
    name: "convert",
    argument: planArgument,
    summary: "Convert a plan to plait's own format",
    flags: ["to", "output", ...planFlags],
    examples: ["plait convert plan.md", "plait convert plan.md --format adm --output plan.yaml"],
    load: async () => (await import("./commands/convert.ts")).convert,
  },
  {
    name: "integrate",
    argument: ["[plan]", "Plan file (default: the latest run's plan)"],
    summary: "Check that the merged parts fit together",
    description: "Check that the merged parts fit together: ownership, contracts, checks.",
    flags: [...integrateFlags.filter((name) => name !== "parallelDir"), ...planFlags],
    examples: [
      "plait integrate",
      "plait integrate plan.yaml --out reports",
      "plait integrate plan.yaml --run shop-k7f2 --no-checks",
      "plait integrate --fix",
    ],
    load: async () => (await import("./commands/integrate-plan.ts")).integrate,
  },
];

/** They set plait up, clean up after runs, and explain findings. */
const aroundCommands: readonly CommandSpec[] = [
  {
    name: "explain",
    argument: ["[code]", "Code, such as unknown-key (default: list all)"],
    summary: "Explain an error code",
    flags: ["json"],
    examples: ["plait explain unknown-key", "plait explain"],
    load: async () => (await import("./commands/explain.ts")).explain,
  },
  {
    name: "doctor sandbox",
    summary: "Check whether the sandbox works here, and why not",
    flags: ["json"],
    examples: ["plait doctor sandbox"],
    load: async () => (await import("./commands/doctor-sandbox.ts")).doctorSandbox,
  },
  {
    name: "mcp",
    summary: "Serve plait to agents over MCP",
    flags: ["allowRoot", "allowNested"],
    examples: ["plait mcp", "claude mcp add plait -- plait mcp"],
    load: async () => (await import("./commands/mcp.ts")).mcp,
  },
  {
    name: "schema",
    argument: ["[what]", "plan (default), config or design"],
    summary: "Print a JSON Schema for editors",
    flags: [],
    examples: ["plait schema > plan.schema.json", "plait schema config"],
    load: async () => (await import("./commands/schema.ts")).schema,
  },
  {
    name: "compat",
    argument: ["<action>", "link or unlink"],
    summary: "Install the cast-parallel, parallel-orchestra and cpo commands",
    flags: ["dir"],
    rows: Object.entries(commandLines).map(([name, { argument, summary }]) => [
      `${name} ${argument}`,
      summary,
    ]),
    examples: ["plait compat link", "plait compat link --dir ~/bin", "plait compat unlink"],
    load: async () => (await import("./commands/compat.ts")).compat,
  },
  {
    name: "clean",
    argument: ["[run]", "Run name (default: all runs older than --days)"],
    summary: "Remove old runs and their saved work",
    flags: ["days", "forceClean", "dryRemove", "json"],
    examples: ["plait clean --dry-run", "plait clean --days 0", "plait clean shop-k7f2"],
    load: async () => (await import("./commands/clean.ts")).clean,
  },
  {
    name: "restore",
    argument: ["[run]", "Run name (default: the latest that changed any)"],
    summary: "Restore hooks and git config changed during a run",
    flags: ["dryRestore", "force", "json"],
    examples: ["plait restore --dry-run", "plait restore shop-k7f2"],
    load: async () => (await import("./commands/restore.ts")).restore,
  },
];

export const commands: readonly CommandSpec[] = [
  ...runCommands,
  ...inspectCommands,
  ...stepInCommands,
  ...planCommands,
  ...aroundCommands,
  ...specCommands,
];
