import type { PreparationDraft, TaskSettingsDraft } from "../../core/draft.ts";
import type { AgentChoice, Env, Estimate } from "../../core/plan.ts";
import type { Located } from "../../core/source.ts";
import type { DraftSource } from "./draft.ts";
import type { PlanFile, TaskFile } from "./schema.ts";

type At = DraftSource["at"];

/** What `defaults` and a task have in common. */
export function settingsOf(file: NonNullable<PlanFile["defaults"]>, at: At): TaskSettingsDraft {
  return {
    agent: file.agent ? { value: agentOf(file.agent), at: at("agent") } : null,
    access: file.access ?? null,
    retries: file.retries ?? null,
    fixRounds: file["fix-rounds"] ?? null,
    race: file.race ?? null,
    startMs: file["start-timeout"] ?? null,
    idleMs: file["idle-timeout"] ?? null,
    totalMs: file.timeout ?? null,
    group: located(file.group, at, "group"),
    env: located(file.env && envOf(file.env), at, "env"),
    tools: file.tools ? { allow: file.tools.allow ?? [], deny: file.tools.deny ?? [] } : null,
    budgetUsd: file.budget ?? null,
    estimate: file.estimate ? estimateOf(file.estimate) : null,
    priority: null,
    allowEmpty: file["allow-empty"] ?? null,
    approve: file.approve ?? null,
    history: file.history ?? null,
    prepare: { copy: null, setup: null, teardown: null },
  };
}

type Preparing = Pick<PlanFile, "copy" | "setup" | "teardown">;

export function preparationOf(file: Preparing, at: At): PreparationDraft {
  return { copy: located(file.copy, at, "copy"), setup: file.setup ?? null, teardown: file.teardown ?? null };
}

/** Places are looked up only for what was said: most keys of most tasks are not. */
export function located<T>(value: T | undefined, at: At, key: string): Located<T> | null {
  return value === undefined ? null : { value, at: at(key) };
}

/** Without a prototype, so that no variable can be mistaken for something that objects have anyway. */
export function envOf(file: Record<string, string>): Env {
  return Object.assign(Object.create(null), file);
}

function agentOf({ use, model, name }: NonNullable<TaskFile["agent"]>): Partial<AgentChoice> {
  return { ...(use && { use }), ...(model && { model }), ...(name && { name }) };
}

function estimateOf({ time, cost }: NonNullable<TaskFile["estimate"]>): Estimate {
  return { timeMs: time ?? null, costUsd: cost ?? null };
}
