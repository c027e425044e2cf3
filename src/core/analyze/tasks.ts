import type { PlanDraft, SettingsLayers, TaskDraft, TaskSettingsDraft, TextLookup } from "../draft.ts";
import type { TextRef } from "../plan.ts";
import type { Located } from "../source.ts";
import { readPaths, type TaskPaths } from "./claims.ts";
import { checkAgent, checkCommand, checkTools, type Speaker } from "./commands.ts";
import { checkEnv } from "./environment.ts";
import type { Say } from "./findings.ts";
import { type PlacedGate, readGates, warnOfSameNames } from "./gates.ts";
import { escapeProblem } from "./inside.ts";
import { checkSettingNumbers } from "./numbers.ts";
import { checkPreparation } from "./preparation.ts";
import { type Settings, settingsFor } from "./settings.ts";
import { quoted } from "./words.ts";

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
  readonly say: Say;
};

export function readTask(draft: TaskDraft, context: TaskContext): ReadTask {
  const { say, layers, defaults } = context;
  const speaker: Speaker = { subject: quoted(draft.id.value), at: draft.id.at, say };
  checkSettings(draft.settings, speaker);
  const settings = settingsFor(draft.settings, defaults, layers);
  return {
    draft,
    settings: draft.work.kind === "command" ? { ...settings, race: checkedRace(draft, say) } : settings,
    paths: readPaths(draft, say),
    gates: gatesFor(draft, settings, context),
    prompt: readWork(draft, context),
    systemPrompt: settings.systemPrompt && context.text(settings.systemPrompt),
  };
}

/** Of a task or of the plan's defaults: what they say themselves, each value at its own place. */
export function checkSettings(settings: TaskSettingsDraft, speaker: Speaker): void {
  checkAgent(settings.agent, speaker.subject, speaker.say);
  checkTools(settings.tools, speaker.subject, speaker.say);
  checkEnv(settings.env, speaker.subject, speaker.say);
  checkSettingNumbers(settings, speaker);
  checkPreparation(settings.prepare, speaker);
  checkInside(settings.dir, "is started in", speaker);
  checkInside(settings.doneFile, "says that it is done by", speaker);
}

function checkInside(
  path: Located<string> | null | undefined,
  says: string,
  { subject, say }: Speaker,
): void {
  const problem = path ? escapeProblem(path.value) : null;
  if (!path || problem === null) return;
  const message = `${subject} ${says} ${quoted(path.value)}, which ${problem}`;
  say("dir-escapes", { message, at: path.at, hint: "write a path below the root of the tree" });
}

/** A race that the plan's defaults ask for is meant for agents. */
function checkedRace({ id, settings }: TaskDraft, say: Say): number {
  if (settings.race !== null && settings.race > 1) {
    const message = `${quoted(id.value)} runs a command, which cannot race`;
    say("race-on-command", { message, at: id.at, hint: "delete race" });
  }
  return 1;
}

/** The plan's gates are about changes, and a read-only task makes none. */
function gatesFor(draft: TaskDraft, settings: Settings, context: TaskContext): PlacedGate[] {
  const own = readGates(draft.gates.gates, context.gateTimeoutMs, context.say);
  const isAdded = settings.access === "write" && draft.gates.mode === "add";
  const above = isAdded ? context.planGates : [];
  warnOfSameNames(above, own, context.say);
  return [...above, ...own];
}

function readWork({ id, work }: TaskDraft, { text, say }: TaskContext): TextRef | null {
  if (work.kind === "command") {
    checkCommand(work.run, { subject: quoted(id.value), at: work.at, say });
    return null;
  }
  const { value: source, at } = work.prompt;
  const prompt = text(source);
  // Without a text the one who reads it has said so.
  if (prompt !== null && source.kind === "inline" && source.text.trim() === "") {
    const message = `the prompt of ${quoted(id.value)} is empty`;
    say("empty-prompt", { message, at, hint: "write what is to be done" });
  }
  return prompt;
}
