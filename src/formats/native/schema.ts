import * as z from "zod";
import { HIGHEST_PORT, LOWEST_PORT } from "../../core/ports.ts";
import { land } from "./land.ts";
import { notify, outsideAddress } from "./notify-schema.ts";
import { defaults, gates, preparation, task } from "./task-schema.ts";
import { commands, guards, line, optional, size, text, usd, usdRange, whole } from "./values.ts";

export const VERSION = 1;

const hooks = z
  .strictObject({
    start: optional(commands, "When the run starts."),
    end: optional(commands, "When the run is over, whatever came of it."),
    failed: optional(commands, "When a task has failed for good."),
    held: optional(commands, "When something waits for a person."),
  })
  .meta({ title: "hooks" });

const port = whole(LOWEST_PORT, HIGHEST_PORT);

const ports = z
  .strictObject({
    from: optional(port, "The first port that may be used; without it, 20000."),
    to: optional(port, "The last one; without it, 29999."),
    count: optional(
      whole(1, 1000),
      "How many ports each worktree gets, one after the other; without it, 10.",
    ),
  })
  .meta({ title: "ports" });

const webhooks = z
  .strictObject({
    complete: optional(outsideAddress, "Runs at every end of the run."),
    failure: optional(outsideAddress, "Runs when a task fails."),
  })
  .meta({ title: "webhooks" });

const context = z
  .union([
    text.transform((file): string[] => [file]),
    z.array(
      z.union([
        text,
        z
          .strictObject({ text: text.describe("Context put in front of the prompt.") })
          .meta({ title: "context" }),
      ]),
    ),
  ])
  .meta({ id: "context", title: "Context", description: "A file, or a list of files and strings." });

const price = z
  .strictObject({
    agent: text.describe("The agent program that the price is about."),
    model: optional(text, "The model; without it, any."),
    "usd-per-hour": usdRange.describe("USD an hour of work: a number, or [low, high]."),
  })
  .meta({ title: "price" });

/** The native plan file: the one source of validation, JSON Schema, editor help and reference page. */
export const planFile = z
  .strictObject({
    $schema: optional(z.string(), "Where editors find this schema; plait does not read it."),
    plait: z.literal(VERSION).describe("Version of the plan format; marks this file as a plan."),
    name: optional(line, "Name of the plan (default: the name of the file or its folder)."),
    defaults: optional(defaults, "Settings for all tasks that do not say otherwise."),
    limits: optional(
      z.record(z.string(), whole(1, 256)),
      "Groups, each with its slots: how many of its tasks may run at once, from 1 to 256. { api-calls: 2 }",
    ),
    gates: optional(
      gates,
      "Checks that every writing task must pass, and the result as a whole before it lands.",
    ),
    folder: optional(
      text,
      "The folder that the plan is about, from its own; where there is no repository, tasks that only look work there.",
    ),
    context: optional(
      context,
      "Files put in front of every prompt, relative to the plan's folder; { text: … } is a string.",
    ),
    land: optional(
      land,
      "When the result goes to your branch, and how: end (default), partial, never, or a map.",
    ),
    // That there is one is checked with the rules for tasks; the minimum is for editors.
    tasks: z.array(task).meta({
      description: "The work, in any order; `needs` decides what waits for what.",
      minItems: 1,
    }),
    concurrency: optional(whole(1, 256), "How many attempts may run at once."),
    ports: optional(ports, "The ports that worktrees get, each its own: PLAIT_PORT is the first of them."),
    budget: optional(usd, "The most that the whole run may cost, in USD."),
    enforce: optional(
      z.enum(["report", "fail"]),
      "report: changes outside `owns` and of protected files are reported (default). fail: they fail the attempt.",
    ),
    consent: optional(
      guards,
      "Protected files that every task may change: CI files, git hooks, lockfiles, agent settings, gate scripts.",
    ),
    ...preparation,
    hooks: optional(hooks, "Commands to run on run events; failures are ignored."),
    notify: optional(notify, "How to notify you when the run needs you."),
    "keep-awake": optional(
      z.boolean(),
      "Keep the machine awake during the run, if possible (default: false).",
    ),
    "warm-cache": optional(
      z.boolean(),
      "Let the first attempt with a shared context of 4 KB or more reach the model before the others, for at most 6 seconds, so that the prompt cache is written once. Claude only. Default: true.",
    ),
    webhooks: optional(
      webhooks,
      "Addresses that get a POST at the end of the run, with its figures: { complete, failure }.",
    ),
    "merge-message": optional(
      line,
      "Message of the commit that merges a task, with {task} and {title} (default: the title).",
    ),
    "commit-message": optional(
      line,
      "Message of the commit for a task's uncommitted work, with {task} and {title}. Default: the title.",
    ),
    prices: optional(z.array(price), "Hourly cost of agents, for estimates."),
    save: optional(
      z
        .strictObject({ "max-bytes": optional(size, "Work larger than this stays in its worktree instead.") })
        .meta({ title: "save" }),
      "How work is kept that was not merged.",
    ),
  })
  .meta({
    title: "plan",
    description:
      "A plait plan: tasks for coding agents, what each needs and owns, and the gates that check the work.",
  });

export type PlanFile = z.output<typeof planFile>;
export type TaskFile = PlanFile["tasks"][number];

/** JSON Schema (draft 2020-12) of what people write, for editors and other tools. */
export function nativeJsonSchema(): object {
  return z.toJSONSchema(planFile, { io: "input", target: "draft-2020-12" });
}
