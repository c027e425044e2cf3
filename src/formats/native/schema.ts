import * as z from "zod";
import { HIGHEST_PORT, LOWEST_PORT } from "../../core/ports.ts";
import { grants } from "./grants.ts";
import { land } from "./land.ts";
import { notify, outsideAddress } from "./notify-schema.ts";
import { defaults, gates, preparation, task } from "./task-schema.ts";
import { commands, guards, line, optional, size, text, usd, usdRange, whole } from "./values.ts";

export const VERSION = 1;

const hooks = z
  .strictObject({
    start: optional(commands, "Runs when the run starts."),
    end: optional(commands, "Runs when the run ends, whatever its status."),
    failed: optional(commands, "Runs when a task has failed and has no attempts left."),
    held: optional(commands, "Runs when a task needs a person."),
  })
  .meta({ title: "hooks" });

const port = whole(LOWEST_PORT, HIGHEST_PORT);

const ports = z
  .strictObject({
    from: optional(port, "First port to use (default: 20000)."),
    to: optional(port, "Last port to use (default: 29999)."),
    count: optional(whole(1, 1000), "Consecutive ports per worktree (default: 10)."),
  })
  .meta({ title: "ports" });

const webhooks = z
  .strictObject({
    complete: optional(outsideAddress, "Called each time the run ends."),
    failure: optional(outsideAddress, "Called when the run ends with failed tasks."),
  })
  .meta({ title: "webhooks" });

const context = z
  .union([
    text.transform((file): string[] => [file]),
    z.array(
      z.union([
        text,
        z
          .strictObject({ text: text.describe("Context added before the prompt.") })
          .meta({ title: "context" }),
      ]),
    ),
  ])
  .meta({
    id: "context",
    title: "Context",
    description: "A file, or a list whose items are files or { text: … }.",
  });

const price = z
  .strictObject({
    agent: text.describe("The agent this price applies to."),
    model: optional(text, "The model (default: any)."),
    "usd-per-hour": usdRange.describe("USD per hour: a number, or [low, high]."),
  })
  .meta({ title: "price" });

/** The native plan file: the one source of validation, JSON Schema, editor help and reference page. */
export const planFile = z
  .strictObject({
    $schema: optional(z.string(), "Schema location for editors; plait ignores it."),
    plait: z.literal(VERSION).describe("Version of the plan format; marks this file as a plan."),
    name: optional(line, "Name of the plan (default: the file or folder name)."),
    defaults: optional(defaults, "Settings for every task that does not set them."),
    limits: optional(
      z.record(z.string(), whole(1, 256)),
      "Groups and how many of their tasks may run in parallel, 1 to 256: { api-calls: 2 }.",
    ),
    gates: optional(
      gates,
      "Checks that every writing task must pass, and the merged result before it lands.",
    ),
    folder: optional(
      text,
      "The folder to work in, relative to the plan; read-only tasks outside a repository run there.",
    ),
    context: optional(
      context,
      "Files added before every prompt, relative to the plan; { text: … } adds a string.",
    ),
    land: optional(
      land,
      "When and how the result lands on your branch: end (default), partial, never, or a map.",
    ),
    // That there is one is checked with the rules for tasks; the minimum is for editors.
    tasks: z.array(task).meta({
      description: "The tasks, in any order; `needs` sets the order they run in.",
      minItems: 1,
    }),
    concurrency: optional(whole(1, 256), "How many attempts may run in parallel."),
    ports: optional(ports, "Ports for worktrees. Each worktree gets its own; PLAIT_PORT is the first one."),
    budget: optional(usd, "Maximum cost of the run, in USD. Over it, no new attempts start."),
    enforce: optional(
      z.enum(["report", "fail"]),
      "report (default): report changes outside `owns` and to protected files. fail: fail the attempt.",
    ),
    consent: optional(
      guards,
      "Protected files that every task may change: CI files, git hooks, lockfiles, agent settings, gate scripts.",
    ),
    ...preparation,
    hooks: optional(hooks, "Commands to run on run events; failures are ignored."),
    notify: optional(notify, "How to notify you when the run needs you."),
    isolation: optional(
      z.enum(["private", "shared"]),
      "shared (default): attempts use worktrees of your repository, with its config, hooks, branches and stash. private: each attempt has its own repository.",
    ),
    "keep-awake": optional(
      z.boolean(),
      "Keep the machine awake during the run, if possible (default: false).",
    ),
    "warm-cache": optional(
      z.boolean(),
      "Let the first attempt with a shared context of 4 KB or more reach the model before the others, for at most 6 seconds, so that the prompt cache is written once. Claude only. Default: true.",
    ),
    sandbox: optional(
      z.enum(["auto", "required", "off"]),
      "Walls around agents, commands, gates and setup (Linux, bubblewrap). auto: where they work, otherwise without them. required: do not start without them. off (default): none. A `required` in any configuration file holds for all plans.",
    ),
    grant: optional(
      grants,
      "Exceptions for the sandbox: a path to write (~/.gradle), a path to read (ro:~/.aws/config), or a variable ($DB_URL).",
    ),
    webhooks: optional(
      webhooks,
      "URLs that receive a POST request with the run's figures when it ends: { complete, failure }.",
    ),
    "merge-message": optional(
      line,
      "Message of the commit that merges a task (default: the title). {task} and {title} are replaced.",
    ),
    "commit-message": optional(
      line,
      "Message of the commit with a task's uncommitted work (default: the title). {task} and {title} are replaced.",
    ),
    prices: optional(z.array(price), "Hourly cost of agents, for estimates."),
    save: optional(
      z
        .strictObject({
          "max-bytes": optional(
            size,
            "Work larger than this is not committed; its worktree is kept instead.",
          ),
        })
        .meta({ title: "save" }),
      "How to save work that is not merged.",
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
