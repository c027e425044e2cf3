import type { PlanDraft, SettingsLayers, TaskDraft, TaskSettingsDraft, TextLookup } from "../draft.ts";
import type { TextRef } from "../plan.ts";
import type { Located } from "../source.ts";
import { quoted } from "../text/figures.ts";
import { readPaths, type TaskPaths } from "./claims.ts";
import { checkAgent, checkCommand, checkTools, escapeProblem, type Speaker } from "./commands.ts";
import { checkEnv } from "./environment.ts";
import type { ReportFinding } from "./findings.ts";
import { type PlacedGate, readGates, warnOfSameNames } from "./gates.ts";
import { checkSettingNumbers } from "./numbers.ts";
import { checkPreparation } from "./preparation.ts";
import { type Settings, settingsFor } from "./settings.ts";

/** A task after its own values were looked at, apart from all others. */
export type ReadTask = {
  readonly draft: TaskDraft;
  readonly settings: Settings;
  readonly paths: TaskPaths;
  /** All that apply, the plan's first. */
  readonly gates: readonly PlacedGate[];
  /** Null for commands, and where the text could not be had. */
  readonly prompt: TextRef | null;
  readonly systemPrompt: TextRef | null;
};

export type TaskContext = {
  readonly defaults: PlanDraft["defaults"];
  readonly layers: SettingsLayers;
  readonly planGates: readonly PlacedGate[];
  readonly gateTimeoutMs: number;
  readonly text: TextLookup;
  readonly report: ReportFinding;
};

export function readTask(draft: TaskDraft, context: TaskContext): ReadTask {
  const { report, layers, defaults } = context;
  const speaker: Speaker = { subject: quoted(draft.id.value), at: draft.id.at, report };
  checkSettings(draft.settings, speaker);
  const settings = settingsFor(draft.settings, defaults, layers);
  return {
    draft,
    settings: draft.work.kind === "command" ? { ...settings, race: checkedRace(draft, report) } : settings,
    paths: readPaths(draft, report),
    gates: gatesFor(draft, settings, context),
    prompt: readWork(draft, context),
    systemPrompt: settings.systemPrompt && context.text(settings.systemPrompt),
  };
}

/** Of a task or of the plan's defaults: what they report themselves, each value at its own place. */
export function checkSettings(settings: TaskSettingsDraft, speaker: Speaker): void {
  checkAgent(settings.agent, speaker.subject, speaker.report);
  checkTools(settings.tools, speaker.subject, speaker.report);
  checkEnv(settings.env, speaker.subject, speaker.report);
  checkSettingNumbers(settings, speaker);
  checkPreparation(settings.prepare, speaker);
  checkInside(settings.dir, "dir", speaker);
  checkInside(settings.doneFile, "done-file", speaker);
}

function checkInside(
  path: Located<string> | null | undefined,
  key: string,
  { subject, report }: Speaker,
): void {
  const problem = path ? escapeProblem(path.value) : null;
  if (path && problem !== null) report("dir-escapes", { subject, key, value: path.value, problem }, path.at);
}

/** A race that the plan's defaults ask for is meant for agents. */
function checkedRace({ id, settings }: TaskDraft, report: ReportFinding): number {
  if (settings.race !== null && settings.race > 1) report("race-on-command", { task: id.value }, id.at);
  return 1;
}

/** The plan's gates are about changes, and a read-only task makes none. */
function gatesFor(draft: TaskDraft, settings: Settings, context: TaskContext): PlacedGate[] {
  const own = readGates(draft.gates.gates, context.gateTimeoutMs, context.report);
  const isAdded = settings.access === "write" && draft.gates.mode === "add";
  const above = isAdded ? context.planGates : [];
  warnOfSameNames(above, own, context.report);
  return [...above, ...own];
}

function readWork({ id, work }: TaskDraft, { text, report }: TaskContext): TextRef | null {
  if (work.kind === "command") {
    checkCommand(work.run, { subject: quoted(id.value), at: work.at, report });
    return null;
  }
  const { value: source, at } = work.prompt;
  const prompt = text(source);
  // Without a text the one who reads it has said so.
  if (prompt !== null && source.kind === "inline" && source.text.trim() === "") {
    report("empty-prompt", { task: id.value }, at);
  }
  return prompt;
}
