import type { ConfiguredAgent, LoadedConfig, Plan } from "../app/index.ts";
import { BUILT_IN_WITHOUT_COST, loadConfig } from "../app/load-config.ts"; // not by the index, which brings the engine along
import { wholeEnvironment } from "../config/env.ts";
import { defaultLayers } from "../config/settings.ts";
import { budgetWarning } from "../core/select/cost-words.ts";
import { shellWord } from "../core/select/preview/commands.ts";
import { dim } from "./render/line.ts";
import { shown } from "./render/visible.ts";
import { warn } from "./render/warning.ts";
import type { Request } from "./request.ts";

/** What the user's and the project's configuration say, over what plait does by itself. */
export function configFor(cwd: string): Promise<LoadedConfig> {
  return loadConfig({ cwd, env: wholeEnvironment(), base: defaultLayers().base });
}

/** A program of the configuration has no way to tell what it cost, and Codex does not: a budget never sees what they spend. */
export function tellUnheldBudget(
  { tasks, budgetUsd }: Plan,
  agents: readonly ConfiguredAgent[],
  { output }: Pick<Request, "output">,
): void {
  const used = new Set(tasks.map(({ work }) => (work.kind === "agent" ? work.agent.use : null)));
  const known = [...agents.map(({ name }) => name), ...BUILT_IN_WITHOUT_COST];
  const silent = known.filter((name) => used.has(name));
  if (budgetUsd !== null && silent.length > 0)
    output.say(warn(`${budgetWarning(silent, budgetUsd)}.`, output));
}

/** Which programs of the configuration a plan would start: a project's file comes with a repository, so it is shown. */
export function tellAgents(
  plan: Plan,
  agents: readonly ConfiguredAgent[],
  request: Pick<Request, "options" | "output">,
): void {
  const used = new Set(plan.tasks.map(({ work }) => (work.kind === "agent" ? work.agent.use : null)));
  tellPrograms(used, agents, request);
}

/** The same for agents by their names. */
export function tellPrograms(
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
