import type {
  ClaimDraft,
  EachSource,
  EachVariable,
  GateDraft,
  SummariesDraft,
  TaskDraft,
  WorkDraft,
} from "../../core/draft.ts";
import { listOf, located, type Places, placesIn } from "./places.ts";
import type { TaskFile } from "./schema.ts";
import { envOf, preparationOf, settingsOf } from "./settings-draft.ts";
import type { EachFile, GateFile } from "./task-schema.ts";

/** `places` takes paths from the task on. */
export function taskOf(task: TaskFile, places: Places): TaskDraft {
  const { at } = places;
  return {
    id: { value: task.id, at: at("id") },
    title: task.title ?? null,
    needs: listOf(task.needs, (i) => at("needs", i)),
    wave: located(task.wave, places, "wave"),
    work: workOf(task, places),
    owns: ownsOf(task.owns, placesIn(places, "owns")),
    boundary: listOf(task.boundary, (i) => at("boundary", i)),
    gates: taskGatesOf(task.gates, placesIn(places, "gates")),
    artifacts: listOf(task.artifacts, (i) => at("artifacts", i)),
    settings: {
      ...settingsOf(task, places),
      priority: task.priority ?? null,
      prepare: preparationOf(task, places),
    },
    ...(task.consent && { consent: task.consent }),
    ...(task.reports && { reports: listOf(task.reports, (i) => at("reports", i)) }),
    ...readSummaries(task, places),
    ...(task.each && { each: eachOf(task.each, placesIn(places, "each")) }),
  };
}

/** Plans written for earlier versions call the key `hears`. */
function readSummaries(task: TaskFile, { keyAt }: Places): { readonly summaries?: SummariesDraft } {
  const key = task.summaries === undefined ? "hears" : "summaries";
  const { title, from } = task[key] ?? {};
  if (title === undefined || from === undefined) return {};
  const named = Object.entries(from).map(([id, name]) => ({
    task: { value: id, at: keyAt(key, "from", id) },
    name,
  }));
  return { summaries: { title, from: named } };
}

function eachOf(each: Record<string, EachFile>, places: Places): EachVariable[] {
  return Object.entries(each).map(([name, file]) => ({
    name: { value: name, at: places.keyAt(name) },
    source: eachSourceOf(file, placesIn(places, name)),
  }));
}

/** A glob without a map around it stands at the place of the map. */
function eachSourceOf(file: EachFile, { at }: Places): EachSource {
  if ("values" in file) return { kind: "values", values: listOf(file.values, (i) => at(i)) };
  if (file.command) return { kind: "command", run: { value: file.command, at: at("command") } };
  return {
    kind: "files",
    patterns: listOf(file.files, (i) => at("files", i)),
    exclude: listOf(file.exclude, (i) => at("exclude", i)),
  };
}

/** A task that says nothing to do has been reported; it gets some prompt, so that the rest can be analysed. */
function workOf(task: TaskFile, { at }: Places): WorkDraft {
  const file = task["prompt-file"];
  if (task.prompt === undefined && file !== undefined) {
    return { kind: "agent", prompt: { value: { kind: "file", file }, at: at("prompt-file") } };
  }
  if (task.prompt === undefined && task.command)
    return { kind: "command", run: task.command, at: at("command") };
  return { kind: "agent", prompt: { value: { kind: "inline", text: task.prompt ?? "?" }, at: at("prompt") } };
}

function ownsOf(owns: TaskFile["owns"], places: Places): ClaimDraft[] {
  if (owns === undefined) return [];
  return Array.isArray(owns)
    ? owns.flatMap((claim, i) => claimsOf(claim, placesIn(places, i)))
    : claimsOf(owns, places);
}

function claimsOf(
  claim: string | { [M in "create" | "modify" | "shared"]?: string[] | undefined },
  { at }: Places,
): ClaimDraft[] {
  if (typeof claim === "string") return [{ mode: "any", text: { value: claim, at: at() } }];
  const ofMode = (mode: "create" | "modify" | "shared") =>
    listOf(claim[mode], (i) => at(mode, i)).map((text) => ({ mode, text }));
  return [...ofMode("create"), ...ofMode("modify"), ...ofMode("shared")];
}

export function taskGatesOf(gates: TaskFile["gates"], places: Places): TaskDraft["gates"] {
  return gates && "only" in gates
    ? { mode: "only", gates: gatesOf(gates.only, placesIn(places, "only")) }
    : { mode: "add", gates: gatesOf(gates ?? [], places) };
}

export function gatesOf(gates: readonly GateFile[], places: Places): GateDraft[] {
  return gates.map((gate, i) => gateOf(gate, placesIn(places, i)));
}

function gateOf(gate: GateFile, places: Places): GateDraft {
  return {
    name: gate.name ?? null,
    run: gate.run,
    dir: located(gate.dir, places, "dir"),
    when: listOf(gate.when, (i) => places.at("when", i)),
    retries: gate.retries ?? null,
    slots: gate.slots ?? null,
    timeoutMs: gate.timeout ?? null,
    env: gate.env ? envOf(gate.env, places) : null,
    knownRed: gate["known-red"] ?? null,
    results: located(gate.results, places, "results"),
    at: places.at(),
  };
}
