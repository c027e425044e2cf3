import * as z from "zod";
import {
  driveDetached,
  formatNames,
  type Host,
  type LoadedPlan,
  type OrRefusal,
  refuse,
  type SubAgentChoice,
  startRun,
} from "../app/index.ts";
import { refusePlanOutside } from "../app/plan-place.ts";
import { showEnvValue } from "../app/show-env-value.ts";
import { listExecutions } from "../core/select/preview/executions.ts";
import { type PlanPreview, preview } from "../core/select/preview/preview.ts";
import type { Diagnostic } from "../core/source.ts";
import { plait } from "../core/text/command.ts";
import { formatPosition } from "../core/text/figures.ts";
import { formatMessage } from "../core/text/finding.ts";
import { found, masked } from "./run-tools.ts";
import { type Tool, tool, type WantedPlan, type Workshop } from "./tool.ts";

/** Plans: are they good, what would they do, and a run of one. */

const plan = z
  .string()
  .min(1)
  .describe("Path of the plan: a YAML, JSON or Markdown file, or an artifact folder.");
const format = z.enum(formatNames()).optional().describe("Plan format (default: detected).");
const overrides = {
  agent: z.string().optional().describe("Use this agent for every task; `demo` costs nothing."),
  model: z.string().optional().describe("Use this model for every task."),
  concurrency: z.int().min(1).max(256).optional().describe("Attempts to run at once."),
};

const finding = z.object({
  severity: z.string(),
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  /** `plan.yaml:4:7`. */
  at: z.string().nullable(),
});

const findingOf = ({ severity, code, hint, at, ...about }: Diagnostic): z.input<typeof finding> => ({
  severity,
  code,
  message: formatMessage(about),
  hint: hint ?? null,
  at: at === null || at === undefined ? null : formatPosition(at),
});

const planValidate = tool({
  name: "plan_validate",
  title: "Check a plan",
  description: "Checks a plan and lists every error, each with its place and a fix. Starts nothing.",
  input: z.strictObject({ plan, format }),
  output: z.object({
    ok: z.boolean(),
    tasks: z.int().nullable().describe("Number of tasks; null if the plan is invalid."),
    findings: z.array(finding),
  }),
  hints: { readOnly: true },
  act: async ({ plan: path, format: named }, { readPlan }) => {
    const read = await readPlan({ path, format: named, runCommands: false });
    if (!read.ok) return read;
    const { plan: good, diagnostics } = read.loaded;
    const findings = diagnostics.map(findingOf);
    return { ok: true, answer: { ok: good !== null, tasks: good?.tasks.length ?? null, findings } };
  },
});

const planPreview = tool({
  name: "plan_preview",
  title: "Preview a run",
  description:
    "Previews a run: order, waves, critical path, expected time and cost, overlaps. Starts nothing.",
  input: z.strictObject({ plan, format, ...overrides }),
  output: z.object({
    ok: z.boolean(),
    preview: z
      .object({
        name: z.string(),
        tasks: z.array(z.object({ id: z.string(), needs: z.array(z.string()) }).loose()),
        ranks: z.array(z.array(z.string())),
      })
      .loose()
      .nullable()
      .describe("The document of `plait plan --json`; null if the plan is invalid."),
    findings: z.array(finding),
  }),
  hints: { readOnly: true },
  act: async ({ plan: path, ...rest }, workshop) => {
    const wanted = { path, ...rest, runCommands: false };
    const read = await workshop.readPlan(wanted);
    if (!read.ok) return read;
    const { plan: good, diagnostics } = read.loaded;
    const showing = good && { slots: workshop.policy(good, wanted).slots, showValue: showEnvValue };
    const seen = good && showing && preview(good, showing);
    const findings = diagnostics.map(findingOf);
    return {
      ok: true,
      answer: { ok: good !== null, preview: seen === null ? null : plainPreview(seen), findings },
    };
  },
});

/** Ids are texts for others. */
const plainPreview = (seen: PlanPreview) => JSON.parse(JSON.stringify(seen));

const started = z.object({
  run: z.string(),
  pid: z.int(),
  folder: z.string(),
  tasks: z.int(),
  land: z.string().describe("`never`: the result stays on the integration branch until run_land."),
  executes: z
    .array(z.object({ what: z.string(), text: z.string() }))
    .describe("Everything the run executes as the user: agents, commands, addresses."),
  warnings: z.array(z.string()),
});
type Started = z.input<typeof started>;

const runStart = tool({
  name: "run_start",
  title: "Start a run",
  description:
    "Starts a run of a plan in this repository in the background. Runs the plan's commands and agents as the user, with permission prompts bypassed, and returns the list. Agents work in worktrees; green work is merged, and lands only with `land`. Next: run_events with wait_seconds, run_status.",
  input: z.strictObject({
    plan,
    format,
    ...overrides,
    only: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe("Run only these tasks (ids or unique prefixes) and what they need."),
    budget_usd: z.number().min(0).optional().describe("Start no new attempts after spending this much."),
    land: z
      .enum(["end", "partial", "never"])
      .optional()
      .describe(
        "`never` (default, overrides the plan) leaves landing to run_land; `end` lands on the current branch when every task is done, `partial` also when some failed.",
      ),
    without_sub_agents: z
      .boolean()
      .optional()
      .describe(
        "Run tasks whose sub-agent is not installed with the plain agent (default: refuse the plan).",
      ),
    run_commands: z
      .boolean()
      .optional()
      .describe(
        "Allow the shell commands of `each` in the plan, which print its tasks (default: refuse the plan).",
      ),
  }),
  output: started,
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  act: async (
    { plan: path, only, budget_usd, run_commands = false, without_sub_agents, land = "never", ...rest },
    workshop,
  ) => {
    const wanted: WantedPlan = {
      ...{ path, ...rest, land, budgetUsd: budget_usd },
      ...{ runCommands: run_commands, withoutSubAgents: without_sub_agents },
    };
    // First: where no run may be started, no command of the plan is run either.
    const asked = await workshop.host(plait("mcp"));
    if (!asked.ok) return asked;
    const outside = await refusePlanOutside(asked.host, path);
    if (outside !== null) return outside;
    const read = await workshop.readPlan(wanted);
    if (!read.ok) return read;
    const { plan: good, diagnostics, texts, each } = read.loaded;
    if (good === null) {
      const told = findingsText(diagnostics, "error", path).join("\n");
      return refuse(
        "request",
        `the plan has errors:\n${told}`,
        "fix the plan, then check it with plan_validate",
      );
    }
    const [notRun] = diagnostics.filter(({ code }) => code === COMMAND_NOT_RUN);
    if (notRun !== undefined)
      return refuse(
        "request",
        `the tasks of the plan are unknown: ${notRun.message}`,
        "to run the command: run_commands: true",
      );
    const agreed = await workshop.agree({ plan: good, project: read.project });
    if (!agreed.ok) return agreed;
    const policy = workshop.policy(good, wanted);
    const input = { plan: good, texts, policy, only: only ?? null, each, subAgents };
    const begun = await start(asked.host, workshop.program, input);
    if (!begun.ok) return begun;
    const warnings = [...findingsText(diagnostics, "warning", path), ...begun.answer.warnings];
    const started = await found(workshop, begun.answer.run);
    if (!started.ok) return started;
    const { selected } = started.found.known.state;
    const tasks = good.tasks.filter(({ id }) => selected?.has(id) ?? true);
    const executes = listExecutions({ ...good, tasks });
    return masked(started, { ...begun.answer, land: policy.land, executes, warnings });
  },
});

const subAgents: SubAgentChoice = {
  mayReplace: async () => false,
  help: ([first]) => [
    "run those tasks with the plain agent: without_sub_agents: true",
    `run every task with it: agent: ${JSON.stringify(first?.agent.name ?? "claude")}`,
  ],
};

/** What stands in for tasks whose number only a command knows is nothing to run. */
const COMMAND_NOT_RUN = "each-not-run";

const findingsText = (
  found: LoadedPlan["diagnostics"],
  severity: Diagnostic["severity"],
  path: string,
): string[] =>
  found
    .filter((one) => one.severity === severity)
    .map(findingOf)
    .map(({ at, message }) => `${at ?? path}: ${message}`);

type StartInput = Parameters<typeof startRun>[1];

/** Begun here, so that what is wrong is told at once; then driven by a process of its own. */
async function start(
  host: Host,
  program: Workshop["program"],
  input: StartInput,
): Promise<OrRefusal<{ answer: Omit<Started, "land" | "executes"> }>> {
  const begun = await startRun(host, input);
  if (!begun.ok) return begun;
  const { view, past, close } = begun.run;
  const { run, folder } = view;
  await close();
  const argv = program(["resume", run, "--quiet"]);
  const driven = await driveDetached(host, { run, folder, argv, since: past.length });
  if (!driven.ok) return driven;
  const { pid } = driven;
  const tasks = view.state().selected?.size ?? input.plan.tasks.length;
  return { ok: true, answer: { run, pid, folder, tasks, warnings: [...begun.warnings] } };
}

export const planTools: readonly Tool[] = [planValidate, planPreview, runStart];
