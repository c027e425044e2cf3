import * as z from "zod";
import { EXIT_REASONS } from "../agents/command/config.ts";
import { configNotify, ownOrOutsideAddress } from "../formats/native/notify-schema.ts";
import { planFile } from "../formats/native/schema.ts";
import { defaults, preparation } from "../formats/native/task-schema.ts";
import { duration, env, line, optional, size, text, whole } from "../formats/native/values.ts";

/**
 * A configuration file, of the user or of a project: the one source of validation, JSON Schema and reference page. What a
 * plan can say too has the plan's own schema, so that a word means the same in both.
 *
 * No key here grants a right (such as running as root), except `allow-env`, which only the user's file may have: a project's file
 * comes with a repository, and a repository cannot be asked.
 */

const LIST = "a list such as [my-agent, --yes]";
const argv = z.array(z.string(), { error: LIST }).min(1, { error: "a list that starts with a program" });
const words = z.array(z.string(), { error: "a list such as [--read-only]" });

const agent = z
  .strictObject({
    run: argv.describe(
      'The program and its arguments. "{prompt-file}", "{worktree}", "{model}", "{name}" and "{task}" are replaced; without "{prompt-file}" the prompt is on standard input.',
    ),
    title: optional(line, "Title to show (default: the name)."),
    "read-only-args": optional(
      words,
      "Arguments added for read-only tasks (default: the program has no read-only mode).",
    ),
    env: optional(env, "Environment variables for the program. Values are strings: quote numbers."),
    version: optional(
      argv,
      "A command that prints the program's version. plait runs it before each run to find a missing program.",
    ),
    account: optional(line, "Agents with the same account share its limits (default: the agent's name)."),
    exits: optional(
      z.record(z.string(), z.enum(EXIT_REASONS)),
      "Meaning of exit codes 1 to 255: { 75: rate-limit }. Other exit codes except 0 mean agent-error.",
    ),
  })
  .meta({ id: "agent-program", title: "an agent", description: "A program that plait runs as an agent." });

const settings = defaults
  .pick({
    agent: true,
    access: true,
    retries: true,
    "fix-rounds": true,
    timeout: true,
    "start-timeout": true,
    "idle-timeout": true,
    history: true,
  })
  .extend({ "gate-timeout": optional(duration, "A gate that takes longer is red.") })
  .meta({ title: "defaults" });

const ofPlans = planFile.pick({
  concurrency: true,
  ports: true,
  land: true,
  budget: true,
  save: true,
  isolation: true,
  "keep-awake": true,
  "warm-cache": true,
  sandbox: true,
  grant: true,
});

const keep = z
  .strictObject({
    days: optional(whole(0, 3650), "Days to keep a landed run."),
    bytes: optional(
      size,
      "Maximum size of all runs in a repository; over it, the oldest landed runs are removed.",
    ),
    copies: optional(
      size,
      "Maximum size of dependency folders kept between runs of a repository (default: 2GiB); 0B keeps none.",
    ),
  })
  .meta({ title: "keep" });

const check = z
  .strictObject({
    name: line.describe("Name in reports and for --check."),
    kind: optional(
      z.enum(["tests", "types", "lint", "build", "migrations"]),
      "Kind of check (default: guessed from its name).",
    ),
    run: text.describe("The shell command, run in the project's root folder."),
  })
  .meta({
    id: "check",
    title: "a check",
    description: "A command that checks whether the parts fit together.",
  });

const integrate = z
  .strictObject({
    checks: optional(
      z.array(check, { error: "a list such as [{ name: tests, run: make test }]" }).superRefine(namedOnce),
      "Checks for `plait integrate` to run instead of those it finds; [] means none.",
    ),
    openapi: optional(
      text,
      "A command that prints the project's OpenAPI document; endpoints are then compared with it.",
    ),
  })
  .meta({ title: "integrate" });

const traces = z
  .strictObject({
    file: optional(z.boolean(), "Write each run's trace to trace.json in its folder."),
    endpoint: optional(
      ownOrOutsideAddress,
      "URL of an OTLP/JSON collector, such as http://localhost:4318/v1/traces. OTEL_EXPORTER_OTLP_ENDPOINT overrides it.",
    ),
  })
  .meta({ title: "traces" });

function namedOnce(checks: readonly { readonly name: string }[], context: z.RefinementCtx): void {
  const names = checks.map(({ name }) => name);
  names.forEach((name, i) => {
    if (names.indexOf(name) < i)
      context.addIssue({ code: "custom", message: "a unique name", path: [i, "name"] });
  });
}

export const configFile = z
  .strictObject({
    $schema: optional(z.string(), "Schema location for editors; plait ignores it."),
    agents: optional(z.record(z.string(), agent), "Custom agents by name; plans use the name."),
    keep: optional(
      keep,
      "How much of past runs to keep in the repository. Older landed runs are removed when the next run starts; work that exists nowhere else is never removed.",
    ),
    defaults: optional(settings, "Defaults for all tasks in all plans."),
    ...ofPlans.shape,
    notify: optional(configNotify, "How to notify you when the run needs you."),
    prepare: optional(
      z.strictObject(preparation).meta({ title: "prepare" }),
      "How to prepare worktrees; each key applies to plans that do not set it.",
    ),
    integrate: optional(integrate, "Settings for `plait integrate`."),
    traces: optional(traces, "Where to send runs as OpenTelemetry traces when they end."),
    "allow-env": optional(
      z.array(line, { error: "a list such as [HTTPS_PROXY]" }),
      "Variables that plans and projects may set although they redirect requests, logins or downloads. Only in your own file.",
    ),
  })
  .meta({
    title: "configuration",
    description: "plait configuration: custom agents, and defaults for all plans.",
  });

export type ConfigFile = z.output<typeof configFile>;

/** JSON Schema (draft 2020-12) of what people write, for editors and the reference page. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configFile, { io: "input", target: "draft-2020-12" });
}

/** Our own words replace zod's, and code made for one parse costs more than it saves. */
export function parseConfig(value: unknown) {
  return configFile.safeParse(value, { error: () => "", jitless: true });
}
