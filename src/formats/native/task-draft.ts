import type { ClaimDraft, GateDraft, TaskDraft, WorkDraft } from "../../core/draft.ts";
import type { Located } from "../../core/source.ts";
import type { DraftSource } from "./draft.ts";
import type { TaskFile } from "./schema.ts";
import { envOf, located, preparationOf, settingsOf } from "./settings-draft.ts";
import type { GateFile } from "./task-schema.ts";

type At = DraftSource["at"];

/** `at` takes paths from the task on. */
export function taskOf(task: TaskFile, at: At): TaskDraft {
  return {
    id: { value: task.id, at: at("id") },
    title: task.title ?? null,
    needs: listOf(task.needs, (i) => at("needs", i)),
    wave: located(task.wave, at, "wave"),
    work: workOf(task, at),
    owns: ownsOf(task.owns, at),
    boundary: listOf(task.boundary, (i) => at("boundary", i)),
    gates: taskGatesOf(task.gates, at),
    artifacts: listOf(task.artifacts, (i) => at("artifacts", i)),
    settings: { ...settingsOf(task, at), priority: task.priority ?? null, prepare: preparationOf(task, at) },
  };
}

/** A task that says nothing to do has been reported; it gets some prompt, so that the rest can be analysed. */
function workOf(task: TaskFile, at: At): WorkDraft {
  const file = task["prompt-file"];
  if (task.prompt === undefined && file !== undefined) {
    return { kind: "agent", prompt: { value: { kind: "file", file }, at: at("prompt-file") } };
  }
  if (task.prompt === undefined && task.command)
    return { kind: "command", run: task.command, at: at("command") };
  return { kind: "agent", prompt: { value: { kind: "inline", text: task.prompt ?? "?" }, at: at("prompt") } };
}

function ownsOf(owns: TaskFile["owns"], at: At): ClaimDraft[] {
  if (owns === undefined) return [];
  return Array.isArray(owns)
    ? owns.flatMap((claim, i) => claimsOf(claim, (...rest) => at("owns", i, ...rest)))
    : claimsOf(owns, (...rest) => at("owns", ...rest));
}

function claimsOf(
  claim: string | { create?: string[] | undefined; modify?: string[] | undefined },
  at: At,
): ClaimDraft[] {
  if (typeof claim === "string") return [{ mode: "any", text: { value: claim, at: at() } }];
  const ofMode = (mode: "create" | "modify") =>
    listOf(claim[mode], (i) => at(mode, i)).map((text) => ({ mode, text }));
  return [...ofMode("create"), ...ofMode("modify")];
}

function taskGatesOf(gates: TaskFile["gates"], at: At): TaskDraft["gates"] {
  if (gates && "only" in gates)
    return { mode: "only", gates: gatesOf(gates.only, (...rest) => at("gates", "only", ...rest)) };
  return { mode: "add", gates: gatesOf(gates ?? [], (...rest) => at("gates", ...rest)) };
}

export function gatesOf(gates: readonly GateFile[], at: At): GateDraft[] {
  return gates.map((gate, i) => gateOf(gate, (...rest) => at(i, ...rest)));
}

function gateOf(gate: GateFile, at: At): GateDraft {
  return {
    name: gate.name ?? null,
    run: gate.run,
    dir: located(gate.dir, at, "dir"),
    when: listOf(gate.when, (i) => at("when", i)),
    retries: gate.retries ?? null,
    slots: gate.slots ?? null,
    timeoutMs: gate.timeout ?? null,
    env: located(gate.env && envOf(gate.env), at, "env"),
    at: at(),
  };
}

function listOf(
  texts: readonly string[] | undefined,
  at: (index: number) => Located<string>["at"],
): Located<string>[] {
  return (texts ?? []).map((value, i) => ({ value, at: at(i) }));
}
