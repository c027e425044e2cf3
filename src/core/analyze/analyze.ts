import type { PlanDraft, SettingsLayers, TaskDraft, TextLookup } from "../draft.ts";
import type { TaskId, TextHash } from "../ids.ts";
import type { Hears, Hooks, Plan, Task, TextRef, Work } from "../plan.ts";
import type { Diagnostic, SourceRange } from "../source.ts";
import { checkHooks, warnOfUnknownAgents } from "./commands.ts";
import { checkCycles } from "./cycles.ts";
import { collectFindings, hasLostTasks, type ReportFinding, startOf, type Unlisted } from "./findings.ts";
import { type PlacedGate, readGates, warnOfSameNames } from "./gates.ts";
import { type Groups, readGroups } from "./groups.ts";
import { checkNames, type Names } from "./names.ts";
import { type Needs, readNeeds } from "./needs.ts";
import { checkPlanNumbers } from "./numbers.ts";
import { checkOwnership } from "./ownership.ts";
import { checkPorts, portsFrom } from "./ports.ts";
import { checkPreparation, preparationFrom } from "./preparation.ts";
import { checkSettings, type ReadTask, readTask } from "./tasks.ts";

export type AnalyzeContext = {
  readonly layers: SettingsLayers;
  readonly text: TextLookup;
  /** Of the plan file as it was read. */
  readonly sourceHash: TextHash;
  /** What cannot be decided about ownership is an error. */
  readonly strict?: boolean;
};

export type Analysis = {
  /** Null where there is an error, or a text that could not be had, of which its reader tells. */
  readonly plan: Plan | null;
  /** Everything at once, in the order of the file; of each code not more than people read. */
  readonly diagnostics: readonly Diagnostic[];
  readonly unlisted: Unlisted;
};

/**
 * Checks the meaning of a plan and completes it. Every check runs whatever the others found, on what is sound: a value
 * that was reported is left out of later checks, so that one mistake is one finding.
 */
export function analyze(draft: PlanDraft, context: AnalyzeContext): Analysis {
  const { layers, text, strict = false } = context;
  const { report, sorted, unlisted } = collectFindings(layers.allowedEnv);
  const planAt = startOf(draft.path);
  checkPlan(draft, planAt, report);

  const names = checkNames(draft.tasks, report);
  const lost = draft.lost ?? { tasks: [], groups: [] };
  const needs = readNeeds(draft.tasks, { names, lost }, report);
  checkCycles(draft.tasks, needs, report);

  const gateTimeoutMs = layers.overrides.gateTimeoutMs ?? layers.base.gateTimeoutMs;
  const planGates = readGates(draft.gates, gateTimeoutMs, report);
  warnOfSameNames([], planGates, report);
  const taskContext = { defaults: draft.defaults, layers, planGates, gateTimeoutMs, text, report };
  const tasks = draft.tasks.map((task) => readTask(task, taskContext));
  const used = tasks.flatMap(({ settings }) => settings.group ?? []);
  const groups = readGroups(draft, used, report);
  checkPorts(draft, layers, { planAt, report });
  checkOwnership(tasks, { names, needs, strict, planAt, report });

  if (layers.force.agent === null) warnOfUnknownAgents(draft, layers.agents ?? [], report);

  const diagnostics = sorted();
  const hasErrors = diagnostics.some(({ severity }) => severity === "error");
  const parts = { draft, context, names, needs, planGates, tasks, groups };
  return { plan: hasErrors ? null : buildPlan(parts), diagnostics, unlisted: unlisted() };
}

/** What the plan says for itself, and for all its tasks. */
function checkPlan(draft: PlanDraft, at: SourceRange, report: ReportFinding): void {
  if (draft.tasks.length === 0 && !hasLostTasks(draft)) {
    report("no-tasks", {}, at);
  }
  checkPlanNumbers(draft, at, report);
  checkHooks(draft.hooks, report);
  checkPreparation(draft.prepare, { subject: "the plan", at, report });
  checkSettings(draft.defaults, { subject: "the section `defaults`", at, report });
}

type PlanParts = {
  readonly draft: PlanDraft;
  readonly context: AnalyzeContext;
  readonly names: Names;
  readonly needs: Needs;
  readonly planGates: readonly PlacedGate[];
  readonly tasks: readonly ReadTask[];
  readonly groups: Groups;
};

/** Puts together what the checks have found sound; null where a text is missing. */
function buildPlan(parts: PlanParts): Plan | null {
  const { draft, context, groups } = parts;
  const { base, overrides } = context.layers;
  const texts = draft.context.map(({ value }) => context.text(value));
  const tasks = parts.tasks.map((_, index) => buildTask(parts, index));
  if (!isComplete(texts) || !isComplete(tasks)) return null;
  return {
    name: draft.name,
    source: { format: draft.format, path: draft.path, hash: context.sourceHash },
    context: texts,
    tasks,
    limits: groups.limits,
    gates: parts.planGates.map(({ gate }) => gate),
    prepare: preparationFrom(context.layers, [draft.prepare, draft.defaults.prepare]),
    hooks: hooksFrom(draft.hooks),
    notify: { ...base.notify, ...draft.notify },
    keepAwake: overrides.keepAwake ?? draft.keepAwake ?? base.keepAwake,
    isolation: overrides.isolation ?? draft.isolation ?? base.isolation,
    ...sandboxFrom(context.layers, draft),
    ...((overrides.warmCache ?? draft.warmCache ?? base.warmCache) ? {} : { warmCache: false as const }),
    budgetUsd: overrides.budgetUsd ?? draft.budgetUsd ?? base.budgetUsd,
    land: overrides.land ?? draft.land ?? base.land,
    landStyle: { ...base.landStyle, ...draft.landStyle, ...overrides.landStyle },
    publish: overrides.publish ?? draft.publish ?? base.publish,
    enforce: draft.enforce ?? "report",
    slots: overrides.slots ?? draft.slots?.value ?? base.slots,
    ports: portsFrom(base.ports, draft.ports?.value),
    saveMaxBytes: overrides.saveMaxBytes ?? draft.saveMaxBytes ?? base.saveMaxBytes,
    prices: draft.prices,
    folder: draft.folder ?? null,
    webhooks: { complete: null, failure: null, ...draft.webhooks },
    mergeMessage: draft.mergeMessage ?? null,
    ...(draft.commitMessage !== undefined && { commitMessage: draft.commitMessage }),
  };
}

/** A flag decides. Below it, walls that anybody requires are required: a plan that was handed on cannot take them away. */
function sandboxFrom({ base, overrides }: SettingsLayers, draft: PlanDraft): Pick<Plan, "sandbox"> {
  const said = base.sandbox === "required" ? base.sandbox : (draft.sandbox ?? base.sandbox);
  const mode = overrides.sandbox ?? said;
  return mode === "off" ? {} : { sandbox: { mode, grants: [...base.grants, ...(draft.grants ?? [])] } };
}

function hooksFrom({ start, end, failed, held }: PlanDraft["hooks"]): Hooks {
  const commands = (list: PlanDraft["hooks"]["start"]) => list.map(({ value }) => value);
  return { start: commands(start), end: commands(end), failed: commands(failed), held: commands(held) };
}

function buildTask(
  { draft: plan, context, names, needs, tasks, groups }: PlanParts,
  index: number,
): Task | null {
  const read = tasks[index];
  const id = names.ids[index];
  const work = read && buildWork(read);
  if (!read || !id || !work) return null;
  const { draft, settings, paths } = read;
  return {
    id,
    title: draft.title?.trim() || id,
    needs: [...(needs.places[index]?.keys() ?? [])].map((need) => names.ids[need] as TaskId),
    wave: draft.wave?.value ?? null,
    work,
    access: settings.access,
    owns: paths.owns.map(({ claim }) => claim),
    boundary: paths.boundary.map(({ value }) => value),
    ...consentOf(plan, draft),
    gates: read.gates.map(({ gate }) => gate),
    prepare: preparationFrom(context.layers, [plan.prepare, plan.defaults.prepare, draft.settings.prepare]),
    retries: settings.retries,
    fixRounds: settings.fixRounds,
    race: settings.race,
    limits: settings.limits,
    group: settings.group === null ? null : (groups.named.get(settings.group.value) ?? null),
    env: settings.env,
    priority: settings.priority,
    estimate: settings.estimate,
    allowEmpty: settings.allowEmpty,
    approve: settings.approve,
    history: settings.history,
    artifacts: paths.artifacts,
    reports: paths.reports.map(({ value }) => value),
    hears: readSummaries(draft),
    doneFile: settings.doneFile,
    dir: settings.dir,
  };
}

function consentOf(plan: PlanDraft, task: TaskDraft): Pick<Task, "consent"> {
  const consent = [...new Set([...(plan.consent ?? []), ...(task.consent ?? [])])];
  return consent.length === 0 ? {} : { consent };
}

/** Each is a need, or has been reported. */
function readSummaries({ summaries }: TaskDraft): Hears | null {
  if (summaries === undefined) return null;
  return {
    title: summaries.title,
    from: summaries.from.map(({ task, name }) => ({ task: task.value as TaskId, name })),
  };
}

function buildWork({ draft, settings, prompt, systemPrompt }: ReadTask): Work | null {
  if (draft.work.kind === "command") {
    const { run, program } = draft.work;
    return { kind: "command", run, ...(program !== undefined && { program }) };
  }
  const { agent, tools, budgetUsd } = settings;
  return prompt && { kind: "agent", agent, prompt, systemPrompt, tools, budgetUsd };
}

function isComplete<T extends Task | TextRef>(list: readonly (T | null)[]): list is readonly T[] {
  return list.every((one) => one !== null);
}
