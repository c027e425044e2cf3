import { aroundCommands } from "./around-commands.ts";
import type { FlagName } from "./flags.ts";
import { planFlags } from "./flags.ts";
import type { RunCommand } from "./request.ts";
import { integrateFlags, specCommands } from "./spec-commands.ts";

/** Every command, in one table. What a command does is in a file of its own, loaded when it is asked for. */
export type CommandSpec = {
  /** One word, or two where the first is the name of a group. */
  readonly name: string;
  readonly alias?: string;
  /** As commander reads it, with what it is. */
  readonly argument?: readonly [usage: string, says: string];
  readonly says: string;
  readonly flags: readonly FlagName[];
  readonly examples: readonly (readonly [command: string, says: string])[];
  readonly load: () => Promise<RunCommand>;
};

export type CommandGroup = { readonly name: string; readonly says: string };

export const groups: readonly CommandGroup[] = [
  { name: "spec", says: "from a tech spec to a plan: folders, designs, prompts" },
];

export const commands: readonly CommandSpec[] = [
  {
    name: "validate",
    alias: "check",
    argument: ["[plan]", "the plan file or artifact folder; default: the only artifact folder"],
    says: "check a plan and name everything that is wrong with it",
    flags: ["json", "runCommands", ...planFlags],
    examples: [
      ["plait validate plan.yaml", "all problems, each with its place and a hint"],
      ["plait validate plan.yaml --strict", "also refuse what may clash"],
      ["plait validate parallel/TS-0042-inventory", "a whole artifact folder"],
      ["plait spec graph parallel/TS-0042-inventory", "redraw a graph that validate calls stale"],
    ],
    load: async () => (await import("./commands/validate.ts")).validate,
  },
  {
    name: "plan",
    argument: ["[plan]", "the plan file, or -p for each task; default: the only artifact folder"],
    says: "show what a run of a plan would do, and whether it is worth it",
    flags: [
      ...["prompt", "promptFile", "gate", "concurrency", "graph", "json", "agent", "model", "runCommands"],
      ...planFlags,
    ] as FlagName[],
    examples: [
      ["plait plan plan.yaml", "order, time, cost, ownership, commands"],
      ["plait plan plan.yaml -j 8", "the same with eight attempts at once"],
      ["plait plan plan.yaml --graph svg > plan.svg", "the graph as a picture"],
      ["plait plan plan.yaml --graph mermaid", "the graph for a Markdown page"],
      ["plait plan plan.yaml --json", "everything for other programs"],
    ],
    load: async () => (await import("./commands/plan.ts")).plan,
  },
  {
    name: "convert",
    argument: ["<plan>", "a plan of any format that plait reads"],
    says: "write a plan as a plait plan that means the same",
    flags: ["to", "output", ...planFlags],
    examples: [
      ["plait convert plan.md", "print it, with comments that say where each thing came from"],
      ["plait convert plan.md --to native --output plan.yaml", "into a new file"],
      ["plait convert plan.md --format adm > plan.yaml", "where the content does not say what it is"],
    ],
    load: async () => (await import("./commands/convert.ts")).convert,
  },
  {
    name: "run",
    argument: ["[plan]", "the plan file, or -p for each task; default: the only artifact folder"],
    says: "run a plan: every task in a worktree of its own, proven, merged, landed",
    flags: [
      ...["prompt", "promptFile", "gate"],
      ...[
        "concurrency",
        "agent",
        "withoutSubAgents",
        "model",
        "only",
        "dryRun",
        "failFast",
        "timeout",
        "retries",
      ],
      ...["land", "landAs", "sign", "signoff", "push", "pr"],
      ...[
        "budgetUsd",
        "detach",
        "ui",
        "keepAwake",
        "keepWorktrees",
        "jsonFacts",
        "quiet",
        "progress",
        "allowRedBase",
        "allowRoot",
        "allowNested",
      ],
      "runCommands",
      ...planFlags,
    ] as FlagName[],
    examples: [
      ["plait run plan.yaml", "run it and land the result on the branch you are on"],
      ['plait run -p "Fix the login" -p "Add a dark mode" --gate "npm test"', "two tasks, without a plan"],
      ["plait run plan.yaml --agent demo", "try the plan without spending a token"],
      ["plait run plan.yaml -j 8 --budget-usd 20", "eight at once, and stop when 20 dollars are spent"],
      ["plait run plan.yaml --only api,docs --land never", "two tasks, on the integration branch only"],
      ["plait run plan.yaml --detach", "in the background; plait attach shows it"],
      ["plait run plan.yaml --ui", "in this terminal, and as a web page"],
      ["plait run plan.yaml --json", "every fact as a line of JSON"],
    ],
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "resume",
    argument: ["[run]", "the run; else the latest that is not complete"],
    says: "go on with a run that was stopped, cut off, or ended with something undone",
    flags: [
      ...["plan", "redo", "agent", "withoutSubAgents", "model", "concurrency", "budgetUsd"],
      ...[
        "detach",
        "ui",
        "keepWorktrees",
        "jsonFacts",
        "quiet",
        "progress",
        "allowRoot",
        "allowNested",
        "runCommands",
      ],
    ] as FlagName[],
    examples: [
      ["plait resume", "the latest run of this repository that is not complete"],
      ["plait resume checkout-k7f2", "that one; the beginning of its name is enough"],
      [
        "plait resume --plan plan.yaml",
        "with the plan as it is now: what is merged stays, the rest follows the new one",
      ],
      ["plait resume --plan plan.yaml --redo tax", "and do tax again, which is merged"],
      ["plait resume --detach", "in the background; plait attach shows it"],
      ["plait resume --json", "every fact as a line of JSON, from the first"],
    ],
    load: async () => (await import("./commands/resume.ts")).resume,
  },
  {
    name: "stop",
    argument: ["[run]", "the run; else the latest that is driven"],
    says: "let the attempts of a run end and start no more",
    flags: ["now"],
    examples: [
      ["plait stop", "wait for what is under way; nothing lands"],
      ["plait stop --now", "end and save everything within seconds; plait resume goes on"],
      ["plait stop checkout-k7f2", "that one"],
    ],
    load: async () => (await import("./commands/stop.ts")).stop,
  },
  {
    name: "retry",
    argument: ["<task...>", "tasks that failed, were skipped or cancelled"],
    says: "give tasks of a run another set of chances",
    flags: ["run", "promptFile", "jsonFacts", "quiet", "progress", "allowRoot", "allowNested"],
    examples: [
      ["plait retry tax promo", "try both again; what was skipped for their sake follows"],
      ["plait retry tax --run checkout-k7f2", "in that run"],
      ["plait retry tax --prompt-file better.md", "with other words"],
      ["plait retry tax --json", "every fact as a line of JSON"],
    ],
    load: async () => (await import("./commands/retry.ts")).retry,
  },
  {
    name: "approve",
    argument: ["<task...>", "tasks that are held"],
    says: "let work go on that waits for a person's word",
    flags: ["run", "jsonFacts", "quiet", "progress", "allowRoot", "allowNested"],
    examples: [
      ["plait approve payments", "its work is proven; now it is merged"],
      ["plait approve payments refunds --run checkout-k7f2", "in that run"],
      ["plait approve payments --json", "every fact as a line of JSON"],
    ],
    load: async () => (await import("./commands/approve.ts")).approve,
  },
  {
    name: "open",
    argument: ["<task>", "a task that failed, waits or is held"],
    says: "take a task over: its worktree is made ready for you, conflicts and all",
    flags: ["run", "start", "json", "allowNested"],
    examples: [
      ["plait open tax", "where it is, what is in it, and how to go on"],
      ["plait open tax --start", "and go on in its agent's own conversation"],
      ["plait open tax --json", "the same for other programs"],
    ],
    load: async () => (await import("./commands/open.ts")).open,
  },
  {
    name: "accept",
    argument: ["<task...>", "tasks that you have open"],
    says: "hand in what you did: it is saved, gated and merged like any other work",
    flags: ["run", "jsonFacts", "quiet", "progress", "allowRoot", "allowNested"],
    examples: [
      ["plait accept tax", "and what needs it follows; if it does not pass it is yours again"],
      ["plait accept tax --run checkout-k7f2", "in that run"],
      ["plait accept tax --json", "every fact as a line of JSON"],
    ],
    load: async () => (await import("./commands/accept.ts")).accept,
  },
  {
    name: "drop",
    argument: ["<task...>", "tasks that are not merged"],
    says: "give tasks up: what was done is saved, what needs them is skipped",
    flags: ["run", "json", "allowNested"],
    examples: [
      ["plait drop tax", "its worktree goes when all that is in it is saved"],
      ["plait drop tax --run checkout-k7f2", "in that run"],
      ["plait drop tax --json", "with the ref, for other programs"],
    ],
    load: async () => (await import("./commands/drop.ts")).drop,
  },
  {
    name: "land",
    argument: ["[run]", "the run; else the latest that has not landed"],
    says: "land what a run has merged, also where not everything is",
    flags: ["jsonFacts", "quiet", "progress", "allowRoot", "allowNested"],
    examples: [
      ["plait land", "gate it, and move the branch that the run was started on"],
      ["plait land checkout-k7f2", "of that run"],
      ["plait land --json", "every fact as a line of JSON"],
    ],
    load: async () => (await import("./commands/land.ts")).land,
  },
  {
    name: "undo",
    argument: ["[run]", "the run; else the latest that has landed"],
    says: "take a landing back: by moving the branch back, or by a commit once there is more on it",
    flags: ["allowNested"],
    examples: [
      ["plait undo", "of the latest run that landed"],
      ["plait undo checkout-k7f2", "of that one"],
      ["plait land checkout-k7f2", "and land it again after all"],
    ],
    load: async () => (await import("./commands/undo.ts")).undo,
  },
  {
    name: "demo",
    says: "see a run of six tasks, with a red gate and a crash, by an agent that costs nothing",
    flags: ["keep", "jsonFacts", "quiet", "progress"],
    examples: [
      ["plait demo", "in a repository that is made for it and removed afterwards"],
      ["plait demo --keep", "and leave it there, to look around"],
      ["plait demo --json", "every fact as a line of JSON"],
    ],
    load: async () => (await import("./commands/demo.ts")).demo,
  },
  {
    name: "status",
    argument: ["[run]", "the run, or how its name begins; else the latest"],
    says: "show how far a run is, what needs you, and what to type next",
    flags: ["json"],
    examples: [
      ["plait status", "the latest run of this repository"],
      ["plait status checkout", "the one whose name begins like this"],
      ["plait status checkout-k7f2 --json", "that one, for other programs"],
    ],
    load: async () => (await import("./commands/status.ts")).status,
  },
  {
    name: "watch",
    alias: "attach",
    argument: ["[run]", "the run, or how its name begins; else the latest"],
    says: "see a run live, as in the terminal that it was started from",
    flags: ["jsonFacts", "quiet", "progress"],
    examples: [
      ["plait watch", "until it ends, with its exit code; q or ^C leaves it going"],
      ["plait watch checkout-k7f2", "that one"],
      ["plait attach", "the same by another name, for runs that were begun with --detach"],
      ["plait watch --json", "every fact as a line of JSON, from the first"],
    ],
    load: async () => (await import("./commands/watch.ts")).watch,
  },
  {
    name: "ui",
    argument: ["[run]", "the run, or how its name begins; else all of them"],
    says: "see runs as a web page: graph, timeline, tasks, queue, costs; live, and from their beginning",
    flags: ["port", "open", "allowRoot", "allowNested"],
    examples: [
      ["plait ui", "all runs of this repository; prints a link for this machine, until ^C"],
      ["plait ui checkout-k7f2", "that one"],
      ["plait ui --open", "and open it in your browser"],
      ["plait ui --port 8400", "always at the same port"],
    ],
    load: async () => (await import("./commands/ui.ts")).ui,
  },
  {
    name: "logs",
    argument: ["[task]", "the task; without it the facts of the run"],
    says: "show what an agent said and did, and what plait did with its work",
    flags: ["follow", "attempt", "raw", "run"],
    examples: [
      ["plait logs tax", "the last attempt of tax"],
      ["plait logs tax -f", "and what comes"],
      ["plait logs tax --attempt 1 --raw", "what the program of the first attempt printed"],
      ["plait logs", "everything that happened in the run, a line each"],
    ],
    load: async () => (await import("./commands/logs.ts")).logs,
  },
  {
    name: "diff",
    argument: ["<task>", "the task"],
    says: "show what an attempt changed, merged or not",
    flags: ["attempt", "stat", "run"],
    examples: [
      ["plait diff tax", "the last attempt, against what it started from"],
      ["plait diff tax --attempt 1 --stat", "only which files the first one changed"],
      ["plait diff tax | git apply", "the same in your own working tree"],
    ],
    load: async () => (await import("./commands/diff.ts")).diff,
  },
  {
    name: "report",
    argument: ["[run]", "the run, or how its name begins; else the latest"],
    says: "tell of a run as a whole: what needs you, every task, gates, cost, what stays",
    flags: ["reportFormat", "picture", "output"],
    examples: [
      ["plait report", "the latest run, to read; at the end of a run it is written by itself"],
      ["plait report checkout-k7f2 > report.md", "that one; also while it goes on"],
      ["plait report --format html --output run.html", "the page with the run in it, as one file"],
      ["plait report --format pr | gh pr comment --body-file -", "fit for a pull request"],
      ["plait report --format junit > junit.xml", "for the tests view of a CI system"],
      ["plait report --picture graph > run.svg", "which task stands where"],
      ["plait report --picture timeline > time.svg", "what happened when"],
      ["plait report --format json", "the same for other programs"],
    ],
    load: async () => (await import("./commands/report.ts")).report,
  },
  {
    name: "integrate",
    argument: ["[plan]", "the plan; else that of the latest run"],
    says: "judge whether the parts of a plan fit: tasks merged, what each changed, contracts, checks",
    flags: [...integrateFlags.filter((name) => name !== "parallelDir"), ...planFlags],
    examples: [
      ["plait integrate", "the plan of the latest run, on the branch that it landed on"],
      ["plait integrate plan.yaml --out reports", "with integration-report.md and .json in that folder"],
      ["plait integrate plan.yaml --run checkout-k7f2 --no-checks", "by the commits of that run"],
      ["plait integrate --fix", "send findings back to the agents of their tasks, and judge again"],
    ],
    load: async () => (await import("./commands/integrate-plan.ts")).integrate,
  },
  {
    name: "runs",
    says: "list the runs of this repository",
    flags: ["json"],
    examples: [
      ["plait runs", "the latest first"],
      ["plait runs -C ../shop", "those of another repository"],
      ["plait runs --json", "the same for other programs"],
    ],
    load: async () => (await import("./commands/runs.ts")).runs,
  },
  {
    name: "rescue",
    says: "list work that is saved but not landed, or make a branch of it",
    flags: ["restore", "json"],
    examples: [
      ["plait rescue", "what there is, and why it is not merged"],
      ["plait rescue --restore checkout-k7f2/tax/3", "a branch of what the third attempt of tax did"],
      ["plait rescue --json", "the list for other programs"],
    ],
    load: async () => (await import("./commands/rescue.ts")).rescue,
  },
  {
    name: "clean",
    argument: ["[run]", "this run, however young; else all that ended 14 days ago"],
    says: "remove what runs left: folders, saved work, branches",
    flags: ["days", "dryRun", "json"],
    examples: [
      ["plait clean --dry-run", "what would go"],
      ["plait clean --days 0", "of every run that has ended"],
      ["plait clean checkout-k7f2", "of that one"],
    ],
    load: async () => (await import("./commands/clean.ts")).clean,
  },
  {
    name: "restore",
    argument: ["[run]", "the run; else the latest that left something changed"],
    says: "put hooks and git config back as they were when a run started",
    flags: ["dryRun", "force", "json"],
    examples: [
      ["plait restore --dry-run", "what tools of the agents changed, and would be put back"],
      ["plait restore checkout-k7f2", "as they were when that run started"],
      ["plait restore --force", "also where a file was changed again since"],
    ],
    load: async () => (await import("./commands/restore.ts")).restore,
  },
  ...aroundCommands,
  ...specCommands,
];
