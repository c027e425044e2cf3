import { formatNames, type LoadedPlan, loadPlan } from "../app/index.ts";
import { defaultCaps } from "../config/caps.ts";
import { defaultLayers } from "../config/settings.ts";
import type { Caps } from "../core/caps.ts";
import type { Diagnostic } from "../core/source.ts";
import type { Options } from "./flags.ts";
import { githubAnnotations } from "./render/annotations.ts";
import { nextCommand, renderDiagnostics, summary } from "./render/diagnostics.ts";
import type { Request } from "./request.ts";
import { RequestError } from "./request-error.ts";

/** The plan that a command was asked about, with what was found, and how findings are told. */
export async function readPlan(path: string, { options, env }: Request): Promise<LoadedPlan> {
  const [problem] = env.problems;
  if (problem !== undefined) throw new RequestError(problem.message, problem.hint);
  const layers = {
    ...defaultLayers(),
    force: { agent: options.agent ?? null, model: options.model ?? null },
  };
  return loadPlan(path, {
    caps: { ...defaultCaps, ...env.caps, ...capsOf(options) },
    layers,
    strict: options.strict ?? false,
    ...formatOf(options),
  });
}

/** Nothing is wrong with such tasks; `plait plan` lists them among the owners. */
const TOLD_BY_PLAN = "unclaimed";

/** To people, unless the findings are part of a JSON result; GitHub is told in any case. */
export function tellFindings(path: string, loaded: LoadedPlan, { options, env, output }: Request): void {
  const found = loaded.diagnostics.filter(({ code }) => code !== TOLD_BY_PLAN);
  if (env.githubActions) output.annotate(githubAnnotations(found));
  if (options.json === true || found.length === 0) return;
  const view = { sources: loaded.sources, glyphs: output.glyphs, width: output.sayWidth };
  const failed = found.find(isError);
  output.say([
    ...renderDiagnostics(found, view),
    summary(found, path),
    ...(failed === undefined ? [] : [nextCommand(`plait explain ${failed.code}`)]),
  ]);
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function capsOf(options: Options): Partial<Caps> {
  const { maxPlanBytes, maxDepth, maxTasks, maxPromptBytes } = options;
  const given = { maxPlanBytes, maxDepth, maxTasks, maxPromptBytes };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function formatOf({ format }: Options): { format?: string } {
  if (format === undefined) return {};
  if (formatNames().includes(format)) return { format };
  throw new RequestError(`--format ${JSON.stringify(format)} is not one of ${formatNames().join(", ")}`);
}
