import type { PlanDraft, SettingsLayers, TextLookup } from "../draft.ts";
import type { TextHash } from "../ids.ts";
import type { Plan } from "../plan.ts";
import type { Diagnostic, SourceRange } from "../source.ts";
import { warnOfUnknownAgents } from "./agents.ts";
import type { Unlisted } from "./bounded.ts";
import { buildPlan } from "./build.ts";
import { checkHooks } from "./commands.ts";
import { checkCycles } from "./cycles.ts";
import { collectFindings, type ReportFinding, startOf } from "./findings.ts";
import { readGates, warnOfSameNames } from "./gates.ts";
import { readGroups } from "./groups.ts";
import { hasLostTasks } from "./lost.ts";
import { checkNames } from "./names.ts";
import { readNeeds } from "./needs.ts";
import { checkPlanNumbers } from "./numbers.ts";
import { checkOwnership } from "./ownership.ts";
import { checkPorts } from "./ports.ts";
import { checkPreparation } from "./preparation.ts";
import { checkSettings, readTask } from "./tasks.ts";

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
  const { report, sorted, unlisted } = collectFindings();
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
