import type { BaseSettings, Overrides, SettingsLayers, TaskSettingsDraft, TextSource } from "../draft.ts";
import type { AgentChoice, Task, TimeLimits, ToolRules, Work } from "../plan.ts";
import type { Located } from "../source.ts";
import { envFrom } from "./environment.ts";

/** What holds for one task when all layers have spoken. */
export type Settings = {
  readonly group: Located<string> | null;
  readonly systemPrompt: TextSource | null;
} & Pick<Extract<Work, { kind: "agent" }>, "agent" | "tools" | "budgetUsd"> &
  Pick<Task, "access" | "retries" | "fixRounds" | "race" | "limits" | "env" | "priority" | "estimate"> &
  Pick<Task, "allowEmpty" | "approve" | "history" | "doneFile" | "dir">;

/** Files < the plan's defaults < environment and flags < the task's own value; `--agent` and `--model` over all. */
export function settingsFor(
  task: TaskSettingsDraft,
  defaults: TaskSettingsDraft,
  { base, overrides, force }: SettingsLayers,
): Settings {
  const choices = [defaults.agent?.value, overrides.agent, task.agent?.value];
  return {
    agent: forced(choices.reduce(changedAgent, base.agent), force),
    access: task.access ?? overrides.access ?? defaults.access ?? base.access,
    retries: task.retries ?? overrides.retries ?? defaults.retries ?? base.retries,
    fixRounds: task.fixRounds ?? overrides.fixRounds ?? defaults.fixRounds ?? base.fixRounds,
    race: task.race ?? defaults.race ?? 1,
    limits: limitsFor(task, defaults, { base, overrides }),
    group: task.group ?? defaults.group,
    env: envFrom(defaults.env, task.env),
    tools: toolsFrom(task.tools ?? defaults.tools),
    budgetUsd: task.budgetUsd ?? defaults.budgetUsd,
    estimate: task.estimate ?? defaults.estimate,
    priority: task.priority ?? defaults.priority ?? 0,
    allowEmpty: task.allowEmpty ?? defaults.allowEmpty ?? false,
    approve: task.approve ?? defaults.approve ?? false,
    history: task.history ?? overrides.history ?? defaults.history ?? base.history,
    systemPrompt: (task.systemPrompt ?? defaults.systemPrompt)?.value ?? null,
    doneFile: pathBelow(task.doneFile ?? defaults.doneFile),
    dir: pathBelow(task.dir ?? defaults.dir),
  };
}

/** A path from the root of the tree, or null for the root itself. One that leads out of it has been reported. */
export function pathBelow(path: Located<string> | null | undefined): string | null {
  const names = path?.value.split("/").filter((name) => name !== "" && name !== ".") ?? [];
  return names.length === 0 ? null : names.join("/");
}

/** Another program knows neither the models nor the sub-agents of the one before. */
export function changedAgent(below: AgentChoice, above: Partial<AgentChoice> | undefined): AgentChoice {
  if (above === undefined) return below;
  const isOther = above.use !== undefined && above.use !== below.use;
  return {
    use: above.use ?? below.use,
    name: above.name ?? (isOther ? null : below.name),
    model: above.model ?? (isOther ? null : below.model),
  };
}

/** `--agent` is the plain program, also where the plan names a sub-agent of the same one. Its model stays. */
function forced(choice: AgentChoice, { agent, model }: SettingsLayers["force"]): AgentChoice {
  if (agent === null) return changedAgent(choice, { model });
  return { ...changedAgent(choice, { use: agent, model }), name: null };
}

function toolsFrom(tools: TaskSettingsDraft["tools"]): ToolRules {
  const { allow, deny } = tools ?? { allow: [], deny: [] };
  return { allow: allow.map(({ value }) => value), deny: deny.map(({ value }) => value) };
}

function limitsFor(
  task: TaskSettingsDraft,
  defaults: TaskSettingsDraft,
  { base, overrides }: { base: BaseSettings; overrides: Overrides },
): TimeLimits {
  const limit = (name: keyof TimeLimits) =>
    task[name] ?? overrides.limits?.[name] ?? defaults[name] ?? base.limits[name];
  return { startMs: limit("startMs"), idleMs: limit("idleMs"), totalMs: limit("totalMs") };
}
