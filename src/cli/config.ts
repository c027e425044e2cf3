import type { ConfiguredAgent, LoadedConfig, Plan, Policy } from "../app/index.ts";
import { BUILT_IN_WITHOUT_COST, loadConfig } from "../app/load-config.ts"; // not by the index, which brings the engine along
import { wholeEnvironment } from "../config/env.ts";
import { defaultLayers, defaultPolicy } from "../config/settings.ts";
import { budgetWarning } from "../core/select/totals.ts";
import { shellWord } from "../core/text/command.ts";
import type { Options } from "./flags.ts";
import { dim } from "./render/line.ts";
import { shown } from "./render/visible.ts";
import type { Request } from "./request.ts";

/** The configuration of the user and the project, over the defaults. */
export function readConfigFiles(
  cwd: string,
  { allowEnv = [] }: Pick<Options, "allowEnv"> = {},
): Promise<LoadedConfig> {
  return loadConfig({ cwd, env: wholeEnvironment(), base: defaultLayers().base, allowedEnv: allowEnv });
}

/** Configured programs and Codex report no cost, so a budget does not cover them. */
export function warnBudgetNotEnforced(
  { tasks, budgetUsd }: Plan,
  agents: readonly ConfiguredAgent[],
  { output }: Pick<Request, "output">,
): void {
  const used = listUsed(tasks);
  const known = [...agents.map(({ name }) => name), ...BUILT_IN_WITHOUT_COST];
  const silent = known.filter((name) => used.has(name));
  if (budgetUsd !== null && silent.length > 0) output.warn(`${budgetWarning(silent, budgetUsd)}.`);
}

/** Shows which configured programs a plan starts: the project's configuration comes with the repository. */
export function printAgents(
  plan: Plan,
  agents: readonly ConfiguredAgent[],
  request: Pick<Request, "options" | "output">,
): void {
  printAgentPrograms(listUsed(plan.tasks), agents, request);
}

const listUsed = (tasks: Plan["tasks"]): ReadonlySet<string | null> =>
  new Set(tasks.map(({ work }) => (work.kind === "agent" ? work.agent.use : null)));

/** The same for agents by name. */
export function printAgentPrograms(
  used: ReadonlySet<string | null>,
  agents: readonly ConfiguredAgent[],
  { options, output }: Pick<Request, "options" | "output">,
): void {
  if (options.json === true || options.quiet === true) return;
  for (const { name, argv, file } of agents.filter((agent) => used.has(agent.name))) {
    const command = argv
      .map((word) => (/^\{[a-z-]+\}$/.test(word) ? word : shellWord(word, output.glyphs)))
      .join(" ");
    output.say([
      [`agent ${name} runs ${shown(command, output.glyphs)}`, dim(` (${shown(file, output.glyphs)})`)],
    ]);
  }
}

/** The plan as flags and configuration files completed it, then what plait does when nobody says. */
export function buildPolicy(plan: Plan, { options, env }: Pick<Request, "options" | "env">): Policy {
  const { failFast, allowRedBase, recheck, withoutSubAgents } = options;
  return {
    slots: plan.slots ?? defaultPolicy.slots,
    failFast: failFast ?? false,
    land: plan.land,
    landStyle: plan.landStyle,
    publish: plan.publish,
    budgetUsd: plan.budgetUsd,
    mergeBatch: defaultPolicy.mergeBatch,
    mergeAhead: defaultPolicy.mergeAhead,
    keepWorktrees: options.keepWorktrees ?? env.keepWorktrees,
    ...(withoutSubAgents === true && { withoutSubAgents }),
    ...(recheck === true && { recheck }),
    redBase: allowRedBase === true ? "allow" : defaultPolicy.redBase,
  };
}
