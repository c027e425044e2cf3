import type { CommandAgent } from "../agents/command/config.ts";
import { portsFrom } from "../core/analyze/ports.ts";
import { changedAgent } from "../core/analyze/settings.ts";
import type { BaseSettings } from "../core/draft.ts";
import type { AgentChoice } from "../core/plan.ts";
import { landStyleOf, publishOf } from "../formats/native/land.ts";
import { notifyOf } from "../formats/native/notify-schema.ts";
import type { ConfigFile } from "./schema.ts";
import { defaultKeep, defaultTraces } from "./settings.ts";

/** What a configuration file says, and how the file is called in messages. */
export type ConfigLayer = {
  readonly file: string;
  /** A project's file comes with a repository. */
  readonly origin: "user" | "project";
  readonly says: ConfigFile;
};

/** An agent of the user's own, and the file that it comes from. */
export type ConfiguredAgent = CommandAgent & { readonly file: string };

/** What all files say together. */
export type Config = {
  readonly base: BaseSettings;
  readonly agents: readonly ConfiguredAgent[];
  readonly keep: Keep;
  readonly traces: Traces;
  /** The checks of `plait integrate`; null where nobody says any, and they are found. */
  readonly checks: readonly ConfiguredCheck[] | null;
  /** The command that prints the project's API document; null where no file names one. */
  readonly openapi: string | null;
  /** Redirecting variables that the user's file allows. */
  readonly allowedEnv: readonly string[];
};

/** Without a kind it is as its name suggests. */
export type ConfiguredCheck = NonNullable<NonNullable<ConfigFile["integrate"]>["checks"]>[number];

/** How long, and how much, runs that landed are kept; and how many bytes of copied dependency folders. */
export type Keep = { readonly days: number; readonly bytes: number; readonly copies: number };

/** Where runs go as traces. */
export type Traces = { readonly file: boolean; readonly endpoint: string | null };

/**
 * Layer over layer, the last word counts. An agent is replaced as a whole: half of one program and half of another is
 * none. Another program in `defaults.agent` drops the model and sub-agent of the one below, as in plans.
 */
export function mergeConfig(base: BaseSettings, layers: readonly ConfigLayer[]): Config {
  const agents = new Map<string, ConfiguredAgent>();
  for (const { file, says } of layers) {
    for (const agent of agentsOf(says)) agents.set(agent.name, { ...agent, file });
  }
  const last = <T>(pick: (says: ConfigFile) => T | undefined): T | undefined =>
    layers.map(({ says }) => pick(says)).findLast((one) => one !== undefined);
  return {
    base: layers.reduce((below, { says }) => mergeSettings(below, says), base),
    agents: [...agents.values()],
    keep: {
      days: last(({ keep }) => keep?.days) ?? defaultKeep.days,
      bytes: last(({ keep }) => keep?.bytes) ?? defaultKeep.bytes,
      copies: last(({ keep }) => keep?.copies) ?? defaultKeep.copies,
    },
    traces: {
      file: last(({ traces }) => traces?.file) ?? defaultTraces.file,
      endpoint: last(({ traces }) => traces?.endpoint) ?? defaultTraces.endpoint,
    },
    checks: last(({ integrate }) => integrate?.checks) ?? null,
    openapi: last(({ integrate }) => integrate?.openapi) ?? null,
    allowedEnv: layers.flatMap(({ says }) => says["allow-env"] ?? []),
  };
}

export function agentsOf({ agents = {} }: ConfigFile): CommandAgent[] {
  return Object.entries(agents).map(([name, agent]) => ({
    name,
    title: agent.title ?? null,
    argv: agent.run,
    readOnlyArgs: agent["read-only-args"] ?? null,
    env: { ...agent.env },
    versionArgv: agent.version ?? null,
    account: agent.account ?? null,
    exits: { ...agent.exits },
  }));
}

function mergeSettings(below: BaseSettings, says: ConfigFile): BaseSettings {
  const { defaults = {} } = says;
  return {
    agent: changedAgent(below.agent, choiceOf(defaults.agent)),
    access: defaults.access ?? below.access,
    retries: defaults.retries ?? below.retries,
    fixRounds: defaults["fix-rounds"] ?? below.fixRounds,
    limits: {
      startMs: defaults["start-timeout"] ?? below.limits.startMs,
      idleMs: defaults["idle-timeout"] ?? below.limits.idleMs,
      totalMs: defaults.timeout ?? below.limits.totalMs,
    },
    gateTimeoutMs: defaults["gate-timeout"] ?? below.gateTimeoutMs,
    history: defaults.history ?? below.history,
    saveMaxBytes: says.save?.["max-bytes"] ?? below.saveMaxBytes,
    slots: says.concurrency ?? below.slots,
    ports: portsFrom(below.ports, says.ports),
    budgetUsd: says.budget ?? below.budgetUsd,
    land: says.land?.when ?? below.land,
    landStyle: { ...below.landStyle, ...landStyleOf(says.land) },
    publish: publishOf(says.land) ?? below.publish,
    notify: { ...below.notify, ...notifyOf(says.notify) },
    isolation: says.isolation ?? below.isolation,
    keepAwake: says["keep-awake"] ?? below.keepAwake,
    warmCache: says["warm-cache"] ?? below.warmCache,
    // What one file requires another cannot take away.
    sandbox: below.sandbox === "required" ? below.sandbox : (says.sandbox ?? below.sandbox),
    grants: [...below.grants, ...(says.grant ?? [])],
    prepare: {
      copy: says.prepare?.copy ?? below.prepare.copy,
      envFiles: says.prepare?.["env-files"] ?? below.prepare.envFiles,
      setup: says.prepare?.setup ?? below.prepare.setup,
      teardown: says.prepare?.teardown ?? below.prepare.teardown,
      ...(below.prepare.automatic &&
        (says.prepare?.copy ?? says.prepare?.setup) === undefined && { automatic: true }),
    },
  };
}

export function choiceOf(
  agent: NonNullable<ConfigFile["defaults"]>["agent"],
): Partial<AgentChoice> | undefined {
  if (agent === undefined) return undefined;
  const { use, model, name } = agent;
  return { ...(use && { use }), ...(model && { model }), ...(name && { name }) };
}
