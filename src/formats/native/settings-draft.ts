import type { EnvDraft, PreparationDraft, TaskSettingsDraft } from "../../core/draft.ts";
import { listOf, listOrNull, located, type Places } from "./places.ts";
import type { PlanFile } from "./schema.ts";

/** What `defaults` and a task have in common. */
export function settingsOf(file: NonNullable<PlanFile["defaults"]>, places: Places): TaskSettingsDraft {
  const { use, model, name } = file.agent ?? {};
  const agent = { ...(use && { use }), ...(model && { model }), ...(name && { name }) };
  return {
    agent: file.agent ? { value: agent, at: places.at("agent") } : null,
    access: file.access ?? null,
    retries: file.retries ?? null,
    fixRounds: file["fix-rounds"] ?? null,
    race: file.race ?? null,
    startMs: file["start-timeout"] ?? null,
    idleMs: file["idle-timeout"] ?? null,
    totalMs: file.timeout ?? null,
    group: located(file.group, places, "group"),
    env: file.env ? envOf(file.env, places) : null,
    tools: file.tools
      ? {
          allow: listOf(file.tools.allow, (i) => places.at("tools", "allow", i)),
          deny: listOf(file.tools.deny, (i) => places.at("tools", "deny", i)),
        }
      : null,
    budgetUsd: file.budget ?? null,
    estimate: file.estimate
      ? { timeMs: file.estimate.time ?? null, costUsd: file.estimate.cost ?? null }
      : null,
    priority: null,
    allowEmpty: file["allow-empty"] ?? null,
    approve: file.approve ?? null,
    history: file.history ?? null,
    ...(file["system-prompt"] !== undefined && {
      systemPrompt: {
        value: { kind: "inline", text: file["system-prompt"] },
        at: places.at("system-prompt"),
      },
    }),
    ...(file["done-file"] !== undefined && { doneFile: located(file["done-file"], places, "done-file") }),
    ...(file.dir !== undefined && { dir: located(file.dir, places, "dir") }),
    prepare: { copy: null, envFiles: null, setup: null, teardown: null },
  };
}

type Preparing = Pick<PlanFile, "copy" | "env-files" | "setup" | "teardown">;

export function preparationOf(file: Preparing, places: Places): PreparationDraft {
  return {
    copy: listOrNull(file.copy, places, "copy"),
    envFiles: file["env-files"] ?? null,
    setup: listOrNull(file.setup, places, "setup"),
    teardown: listOrNull(file.teardown, places, "teardown"),
  };
}

export function envOf(file: Record<string, string>, { at, keyAt }: Places): EnvDraft {
  return Object.entries(file).map(([name, value]) => ({
    name: { value: name, at: keyAt("env", name) },
    value: { value, at: at("env", name) },
  }));
}
