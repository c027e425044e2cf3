import * as z from "zod";
import type { SetupCommand } from "../../core/plan.ts";
import {
  command,
  commands,
  duration,
  env,
  guards,
  line,
  optional,
  text,
  texts,
  usd,
  usdRange,
  whole,
} from "./values.ts";

/** What `tasks` and `defaults` are made of. The descriptions become editor help and the reference page. */

const agentOptions = z
  .strictObject({
    use: optional(text, "The agent program: claude, codex …"),
    model: optional(text, "The model, as the agent program calls it."),
    name: optional(text, "A sub-agent that the agent program knows by this name."),
  })
  .meta({ title: "agent" });

const agent = z
  .union([text.transform((use): z.output<typeof agentOptions> => ({ use })), agentOptions])
  .meta({ id: "agent" });

const tools = z
  .strictObject({
    allow: optional(texts, "Only these may be used, as the agent program names them."),
    deny: optional(texts, "These may not be used."),
  })
  .meta({ id: "tools", title: "tools" });

const estimateOptions = z
  .strictObject({
    time: optional(duration, "How long the task is expected to take."),
    cost: optional(usdRange, "Expected cost in USD: a number, or [low, high]."),
  })
  .meta({ title: "estimate" });

const estimate = z
  .union([duration.transform((time): z.output<typeof estimateOptions> => ({ time })), estimateOptions])
  .meta({ id: "estimate" });

/** Keys that a task may set for itself and `defaults` for all tasks. */
const settings = {
  agent: optional(agent, "Who does the work: the name of an agent program, or { use, model, name }."),
  access: optional(
    z.enum(["write", "read-only"]),
    "write: the task changes the tree (default). read-only: it looks and reports, and nothing it leaves is merged.",
  ),
  retries: optional(whole(0, 20), "How often a failed attempt is repeated."),
  "fix-rounds": optional(
    whole(0, 10),
    "How often a red gate or a conflict goes back to the same conversation before the attempt counts as failed.",
  ),
  race: optional(whole(1, 8), "Attempts to start in parallel; the first one green wins."),
  timeout: optional(duration, "The longest that one attempt may take."),
  "start-timeout": optional(duration, "Time limit for the agent's first output."),
  "idle-timeout": optional(duration, "How long an agent may be silent."),
  group: optional(text, "A group from `limits`; its members share that limit."),
  env: optional(env, "Environment variables. Values are strings: quote numbers."),
  tools: optional(tools, "Narrows what the agent may do; without it the agent may do everything."),
  budget: optional(usd, "The most that one attempt may cost, in USD."),
  estimate: optional(estimate, "How long the task is expected to take: 20m, or { time, cost }."),
  "allow-empty": optional(z.boolean(), "A writing task that changes nothing is a success, not a failure."),
  approve: optional(z.boolean(), "A person must approve the work before it is merged."),
  history: optional(
    z.enum(["keep", "squash"]),
    "keep: the agent's own commits stay (default). squash: the task becomes one commit.",
  ),
  "system-prompt": optional(
    text,
    "Extra instructions for the agent: in its system prompt if it has one (default: in front of the prompt).",
  ),
  "done-file": optional(
    text,
    "A file that the agent must leave where it was started to say that it is done; it is removed, never committed.",
  ),
  dir: optional(text, "The folder that the work is started in, from the root of the tree."),
};

const summaries = z
  .strictObject({
    title: line.describe("Heading above the summaries."),
    from: z.record(z.string(), line).describe("Needed tasks, each with the name to show."),
  })
  .meta({ title: "summaries" });

export const defaults = z.strictObject(settings).meta({ title: "defaults" });

const copyTo = z
  .strictObject({
    from: text.describe("A file or folder from the repository's root, tracked or not."),
    to: text.describe("Where it goes in the worktree. Files that git tracks there stay as they are."),
  })
  .meta({ title: "copy" });

const copyEntry = z.union([text, copyTo]).meta({ id: "copy" });

const copies = z
  .union([z.array(copyEntry), copyEntry])
  .transform((written) => (Array.isArray(written) ? written : [written]));

const setupOptions = z
  .strictObject({
    run: command.describe("The command."),
    inputs: texts.describe("Its inputs: paths or globs of tracked files, from the root of the tree."),
    outputs: texts.describe("Ignored files and folders that it makes, from the root of the tree; no globs."),
  })
  .transform(({ run, inputs, outputs }): SetupCommand => ({ ...run, inputs, outputs }))
  .meta({ id: "setup", title: "setup" });

const setupCommands = z
  .union([text.transform((line): SetupCommand => ({ kind: "shell", line })), setupOptions])
  .transform((written) => [written])
  .or(z.array(z.union([command.transform((run): SetupCommand => run), setupOptions])));

/** How a fresh worktree is made ready. At the top of the plan for all tasks, in a task for that one. */
export const preparation = {
  copy: optional(
    copies,
    "Untracked files and folders to copy into each worktree: paths or globs from the repository's root. { from, to } copies to another place.",
  ),
  "env-files": optional(
    z.boolean(),
    "Whether untracked files named .env* are copied into each worktree unasked (default: true).",
  ),
  setup: optional(
    setupCommands,
    "Run in a fresh worktree before the work starts: a command or a list of commands. { run, inputs, outputs } runs once for all worktrees with the same inputs.",
  ),
  teardown: optional(commands, "Run in the worktree when the work is over."),
};

const gateOptions = z
  .strictObject({
    run: command.describe("The command; exit code 0 is green."),
    name: optional(line, "Name in reports (default: the command)."),
    dir: optional(text, "The folder to run it in, from the root of the tree."),
    when: optional(texts, "Run it only when a changed path matches one of these globs."),
    retries: optional(whole(0, 20), "How often a red gate is tried again before it counts."),
    slots: optional(whole(1, 256), "How many of this gate may run at once."),
    timeout: optional(duration, "Red when it takes longer."),
    env: optional(env, "Environment variables of this gate."),
    "known-red": optional(
      z.boolean(),
      "It is red before the run starts, and may stay so: only checks that fail besides count.",
    ),
    results: optional(
      text,
      "Of a known red gate: the JUnit files it writes, as a glob. Without it, what it prints is read as TAP.",
    ),
  })
  .meta({ title: "gate" });

export type GateFile = z.output<typeof gateOptions>;

const gate = z
  .union([command, gateOptions])
  .transform((written): GateFile => ("kind" in written ? { run: written } : written))
  .meta({
    id: "gate",
    title: "Gate",
    description:
      "A check that decides whether work is good: a command, a list of arguments, or a map with options.",
  });

export const gates = z.union([
  text.transform((line): GateFile[] => [{ run: { kind: "shell", line } }]),
  z.array(gate),
]);

export const taskGates = z.union([
  gates,
  z
    .strictObject({
      only: gates.describe("Gates of this task instead of the plan's; [] means no gates."),
    })
    .meta({ title: "gates", description: "A map: these checks instead of the plan's." }),
]);

const claim = z
  .union([
    text,
    z
      .strictObject({
        create: optional(texts, "Paths that the task makes; they must not exist before."),
        modify: optional(texts, "Paths that the task changes; they must exist before."),
        shared: optional(texts, "Paths that several tasks add lines to; the additions of all are kept."),
      })
      .meta({ title: "owns" }),
  ])
  .meta({ id: "claim" });

const eachOptions = z
  .strictObject({
    files: optional(
      texts,
      "Tracked files that match one of these globs, from the root of the repository; a folder is all below it.",
    ),
    exclude: optional(texts, "But not those that match one of these."),
    command: optional(command, "Each line that it prints is a value. `plait run` runs it; looking does not."),
  })
  .meta({ title: "each" });

/** Where the values of a variable come from, in long form. */
export type EachFile = { values: string[] } | z.output<typeof eachOptions>;

const each = z
  .union([
    text.transform((pattern): EachFile => ({ files: [pattern] })),
    z.array(text).transform((values): EachFile => ({ values })),
    eachOptions.refine(({ files, exclude, command }) => !command || !(files || exclude), {
      error: "either command, or files and exclude",
    }),
  ])
  .meta({
    id: "each",
    title: "Values",
    description: "A string is a glob of tracked files, a list is the values, a map has more options.",
  });

export const task = z
  .strictObject({
    // What makes an id good is decided when the plan is analysed; the pattern is for editors.
    id: z.string().meta({
      description:
        "Names the task: letters a-z (large or small), digits, dots, dashes and underscores, at most 64. With `each`, also its variables.",
      pattern: "^([A-Za-z0-9][A-Za-z0-9._-]{0,63}|.*\\{[A-Za-z][A-Za-z0-9._-]*\\}.*)$",
    }),
    title: optional(line, "Title that people see (default: the id)."),
    prompt: optional(text, "The task for the agent."),
    "prompt-file": optional(text, "A file that holds the prompt, from the folder of the plan."),
    command: optional(command, "A program that does the work instead of an agent."),
    each: optional(
      z.record(z.string(), each),
      "Makes one task for each value: { file: src/**/*.js } or { region: [eu, us] }; strings of the task may contain {file}.",
    ),
    needs: optional(texts, "Ids of tasks that must be merged or passed before this one starts."),
    owns: optional(
      z.union([claim, z.array(claim)]),
      "Paths the task may change: files, folders, globs, `file::symbol`; { create: … }, { modify: … } or { shared: … } to be exact.",
    ),
    boundary: optional(texts, "Paths the task must not change; it may read them."),
    consent: optional(
      guards,
      "Protected files this task may change, in addition to the plan's consent. Naming a file in `owns` is consent, too.",
    ),
    gates: optional(
      taskGates,
      "Checks of this task, added to those of the plan; a map { only: [ … ] } has these instead of the plan's.",
    ),
    wave: optional(whole(0, 100_000), "Tasks of a wave start when all tasks of lower waves are done."),
    priority: optional(whole(-100, 100), "Higher starts earlier among tasks that are ready."),
    summaries: optional(
      summaries,
      "Last messages of needed tasks, put in front of the prompt: { title, from: { task: name } }.",
    ),
    hears: optional(summaries, "Old name of summaries.").meta({ deprecated: true }),
    reports: optional(
      texts,
      "Of a read-only task: files that it writes as its result, as globs. They are kept, and handed to what needs it.",
    ),
    artifacts: optional(texts, "Globs of files to keep with the report when the task fails."),
    ...settings,
    ...preparation,
  })
  .meta({
    id: "task",
    title: "task",
    description: "One task. Set exactly one of prompt, prompt-file and command.",
    oneOf: [{ required: ["prompt"] }, { required: ["prompt-file"] }, { required: ["command"] }],
  });
