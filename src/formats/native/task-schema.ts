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
    use: optional(text, "The agent: claude, codex, or one from the configuration."),
    model: optional(text, "The model, by the agent's own name for it."),
    name: optional(text, "A sub-agent, by the name the agent knows it by."),
  })
  .meta({ title: "agent" });

const agent = z
  .union([text.transform((use): z.output<typeof agentOptions> => ({ use })), agentOptions])
  .meta({ id: "agent" });

const tools = z
  .strictObject({
    allow: optional(texts, "Allow only these tools, by the agent's own names."),
    deny: optional(texts, "Deny these tools."),
  })
  .meta({ id: "tools", title: "tools" });

const estimateOptions = z
  .strictObject({
    time: optional(duration, "Expected time of the task."),
    cost: optional(usdRange, "Expected cost in USD: a number, or [low, high]."),
  })
  .meta({ title: "estimate" });

const estimate = z
  .union([duration.transform((time): z.output<typeof estimateOptions> => ({ time })), estimateOptions])
  .meta({ id: "estimate" });

/** Keys that a task may set for itself and `defaults` for all tasks. */
const settings = {
  agent: optional(agent, "The agent that does the work: its name, or { use, model, name }."),
  access: optional(
    z.enum(["write", "read-only"]),
    "write (default): the task changes files. read-only: the task only reports; its changes are discarded.",
  ),
  retries: optional(whole(0, 20), "How many times to retry a failed task."),
  "fix-rounds": optional(
    whole(0, 10),
    "How many times the agent may fix a red gate or a conflict in the same conversation before the attempt fails.",
  ),
  race: optional(whole(1, 8), "Attempts to start in parallel; the first one green wins."),
  timeout: optional(duration, "Time limit for one attempt."),
  "start-timeout": optional(duration, "Time limit for the agent's first output."),
  "idle-timeout": optional(duration, "How long an agent may run without output."),
  group: optional(text, "A group from `limits`; its members share that limit."),
  env: optional(env, "Environment variables. Values are strings: quote numbers."),
  tools: optional(tools, "Tools the agent may use (default: all)."),
  budget: optional(usd, "Maximum cost of one attempt, in USD."),
  estimate: optional(estimate, "Expected time of the task, or { time, cost }: 20m."),
  "allow-empty": optional(
    z.boolean(),
    "Let the task pass without changes (default: a writing task that changes nothing fails).",
  ),
  approve: optional(z.boolean(), "A person must approve the work before it is merged."),
  history: optional(
    z.enum(["keep", "squash"]),
    "keep (default): keep the agent's commits. squash: make them one commit.",
  ),
  "system-prompt": optional(
    text,
    "Extra instructions, added to the agent's system prompt, or put before the prompt if the agent has none.",
  ),
  "done-file": optional(
    text,
    "A file the agent must create in its start folder to report that it is done. plait removes it; it is never committed.",
  ),
  dir: optional(text, "The folder the agent starts in, relative to the repository root."),
};

const summaries = z
  .strictObject({
    title: line.describe("Heading above the summaries."),
    from: z.record(z.string(), line).describe("Needed tasks and the name to show for each."),
  })
  .meta({ title: "summaries" });

export const defaults = z.strictObject(settings).meta({ title: "defaults" });

const copyTo = z
  .strictObject({
    from: text.describe("A file or folder, relative to the repository root, tracked or not."),
    to: text.describe("Destination in the worktree. Tracked files there are not replaced."),
  })
  .meta({ title: "copy" });

const copyEntry = z.union([text, copyTo]).meta({ id: "copy" });

const copies = z
  .union([z.array(copyEntry), copyEntry])
  .transform((written) => (Array.isArray(written) ? written : [written]));

const setupOptions = z
  .strictObject({
    run: command.describe("The command."),
    inputs: texts.describe(
      "Tracked files the command depends on: paths or globs, relative to the repository root.",
    ),
    outputs: texts.describe(
      "Ignored files and folders the command creates, relative to the repository root; no globs.",
    ),
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
    "Untracked files and folders to copy into each worktree: paths or globs, relative to the repository root. { from, to } copies to another path.",
  ),
  "env-files": optional(z.boolean(), "Copy untracked .env* files into each worktree (default: true)."),
  setup: optional(
    setupCommands,
    "Commands to run in each new worktree before the agent starts. { run, inputs, outputs } runs once for all worktrees with the same inputs.",
  ),
  teardown: optional(commands, "Commands to run in each worktree when its work is finished."),
};

const gateOptions = z
  .strictObject({
    run: command.describe("The command; exit code 0 is green."),
    name: optional(line, "Name in reports (default: the command)."),
    dir: optional(text, "The folder to run the gate in, relative to the repository root."),
    when: optional(texts, "Run the gate only if a changed path matches one of these globs."),
    retries: optional(whole(0, 20), "How many times to rerun a red gate before it counts as red."),
    slots: optional(whole(1, 256), "How many runs of this gate may be in parallel."),
    timeout: optional(duration, "Time limit; a gate that takes longer is red."),
    env: optional(env, "Environment variables for this gate."),
    "known-red": optional(
      z.boolean(),
      "The gate is red on the base commit and may stay red: only new failures count.",
    ),
    results: optional(
      text,
      "Glob of the JUnit files that a known red gate writes (default: read its output as TAP).",
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
    description: "A check that work must pass: a command, a list of arguments, or a map with options.",
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
    .meta({ title: "gates", description: "Gates that replace the plan's." }),
]);

const claim = z
  .union([
    text,
    z
      .strictObject({
        create: optional(texts, "Paths the task creates; they must not exist yet."),
        modify: optional(texts, "Paths the task changes; they must exist."),
        shared: optional(texts, "Paths that several tasks add lines to; all additions are kept."),
      })
      .meta({ title: "owns" }),
  ])
  .meta({ id: "owned-paths" });

const eachOptions = z
  .strictObject({
    files: optional(
      texts,
      "Globs of tracked files, relative to the repository root; a folder means every file in it.",
    ),
    exclude: optional(texts, "Globs of files to leave out."),
    command: optional(
      command,
      "A command that prints one value per line. `plait run` runs it; `plan` and `validate` do not.",
    ),
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
    description:
      "A string is a glob of tracked files, a list contains the values, and a map has more options.",
  });

export const task = z
  .strictObject({
    // What makes an id good is decided when the plan is analysed; the pattern is for editors.
    id: z.string().meta({
      description:
        "Name of the task: at most 64 letters (a-z, A-Z), digits, dots, dashes and underscores. With `each`, it may contain {variables}.",
      pattern: "^([A-Za-z0-9][A-Za-z0-9._-]{0,63}|.*\\{[A-Za-z][A-Za-z0-9._-]*\\}.*)$",
    }),
    title: optional(line, "Title to show (default: the id)."),
    prompt: optional(text, "Instructions for the agent."),
    "prompt-file": optional(text, "A file with the prompt, relative to the plan."),
    command: optional(command, "A command that does the work instead of an agent."),
    each: optional(
      z.record(z.string(), each),
      "Creates one task per value: { file: src/**/*.js } or { region: [eu, us] }. Strings in the task may contain {file}.",
    ),
    needs: optional(texts, "Ids of tasks that must be done before this one starts."),
    owns: optional(
      z.union([claim, z.array(claim)]),
      "Paths the task may change: files, folders, globs, `file::symbol`, or { create: … }, { modify: … }, { shared: … }.",
    ),
    boundary: optional(texts, "Paths the task must not change; it may read them."),
    consent: optional(
      guards,
      "Protected files this task may change, in addition to the plan's `consent`. Naming a file in `owns` is also consent.",
    ),
    gates: optional(
      taskGates,
      "Gates of this task, in addition to the plan's; { only: [ … ] } replaces the plan's.",
    ),
    wave: optional(whole(0, 100_000), "Tasks in a wave start when all tasks in lower waves are done."),
    priority: optional(whole(-100, 100), "Among tasks that are ready, higher numbers start first."),
    summaries: optional(
      summaries,
      "Final messages of needed tasks, added before the prompt: { title, from: { task: name } }.",
    ),
    hears: optional(summaries, "Old name of `summaries`.").meta({ deprecated: true }),
    reports: optional(
      texts,
      "Globs of files a read-only task writes as its result. They are saved with the run and given to dependent tasks.",
    ),
    artifacts: optional(texts, "Globs of files to save with the report if the task fails."),
    ...settings,
    ...preparation,
  })
  .meta({
    id: "task",
    title: "task",
    description: "One task. Set exactly one of prompt, prompt-file and command.",
    oneOf: [{ required: ["prompt"] }, { required: ["prompt-file"] }, { required: ["command"] }],
  });
