import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { Config, ConfiguredAgent, LoadedPlan, PromptPlan } from "../app/index.ts";
import { inspectFolder } from "../app/inspect-folder.ts";
import { formatNames, loadPlan } from "../app/load-plan.ts"; // not by the index, which brings the engine along
import { defaultCaps } from "../config/caps.ts";
import { wholeEnvironment } from "../config/env.ts";
import { defaultKeep, defaultTraces } from "../config/settings.ts";
import type { Caps } from "../core/caps.ts";
import type { Overrides } from "../core/draft.ts";
import type { Oid } from "../core/ids.ts";
import type { Command } from "../core/plan.ts";
import { commandText, shellWord } from "../core/select/preview/commands.ts";
import type { Diagnostic } from "../core/source.ts";
import { configFor } from "./config.ts";
import { notOneOf } from "./flag.ts";
import type { Options } from "./flags.ts";
import { planName, planOf } from "./prompts.ts";
import { githubAnnotations } from "./render/annotations.ts";
import { nextCommand, renderDiagnostics, summary } from "./render/diagnostics.ts";
import { shown } from "./render/visible.ts";
import type { Request } from "./request.ts";
import { EnvironmentError, RequestError } from "./request-error.ts";

/** With the agents, the `keep` and the `traces` of configuration files, and how many tasks there may be. */
export type ReadPlan = LoadedPlan & {
  readonly agents: readonly ConfiguredAgent[];
  readonly keep: Config["keep"];
  readonly traces: Config["traces"];
  readonly maxTasks: number;
};

export type ReadOptions = {
  readonly runCommands: boolean;
  readonly commit?: Oid;
  /** All that belongs to the plan is looked at, also what no run asks for. */
  readonly inspect?: boolean;
  /** Nothing will be run: prompts need not be there. */
  readonly withoutPrompts?: boolean;
  /** In the place of what was typed. */
  readonly prompts?: PromptPlan;
};

/**
 * The plan that a command was asked about, with what was found, and how findings are told. A configuration that is wrong
 * comes first: without it nobody knows what the plan means.
 */
export async function readPlan(
  request: Request,
  { runCommands, commit, prompts, withoutPrompts = false, inspect = false }: ReadOptions,
): Promise<ReadPlan> {
  const { options, env, startedIn } = request;
  const [problem] = env.problems;
  if (problem !== undefined) throw new RequestError(problem.message, problem.hint);
  if (request.args[0] === "-") {
    const hint = "for a file of that name: ./-";
    throw new RequestError("a plan is read from a file, not from standard input", hint);
  }
  if (startedIn === null && !isAbsolute(options.cwd ?? "")) {
    throw new EnvironmentError("the current folder does not exist any more", "go to another one: cd /");
  }
  const format = formatOf(options);
  const caps = capsFor(request);
  const { config, include, ...found } = await configFor(process.cwd());
  if (config === null)
    return {
      ...{ plan: null, ...found, texts: new Map(), each: [], written: null, agents: [] },
      ...{ keep: defaultKeep, traces: defaultTraces, maxTasks: caps.maxTasks },
    };
  const loaded = await loadPlan(prompts ?? (await planOf(request)), {
    env: wholeEnvironment(),
    onCommand: runCommands ? (command) => tellCommand(command, request) : null,
    caps,
    layers: {
      base: config.base,
      overrides: overridesOf(options),
      force: { agent: options.agent ?? env.agent, model: options.model ?? env.model },
      agents: config.agents.map(({ name }) => name),
      include,
    },
    strict: options.strict ?? false,
    tolerant: options.tolerant ?? false,
    ...(commit === undefined ? {} : { commit }),
    ...(inspect && { inspect: inspectFolder }),
    withoutPrompts,
    ...format,
  });
  const { agents, keep, traces } = config;
  const diagnostics = withFolder(loaded.diagnostics, request.args[0] ?? ".");
  return { ...loaded, diagnostics, agents, keep, traces, maxTasks: caps.maxTasks };
}

/** With the folder that was named, perhaps by its manifest, in what to type next. */
export function withFolder(found: readonly Diagnostic[], named: string): Diagnostic[] {
  const folder = shellWord(basename(named) === "manifest.json" ? dirname(named) : named);
  return found.map((one) => ({
    ...one,
    hint: one.hint?.replaceAll(/(?<=plait spec \w+ )<folder>/g, () => folder) ?? null,
  }));
}

/** Before it runs: it is a program of the plan's, and the first of them. */
function tellCommand(command: Command, { options, output }: Request): void {
  if (options.json === true || options.quiet === true) return;
  output.say([[`each runs ${shown(commandText(command), output.glyphs)}`]]);
}

/** Nothing is wrong with such tasks; `plait plan` lists them among the owners. */
const TOLD_BY_PLAN = "unclaimed";

export function tellFindings(loaded: LoadedPlan, request: Request): void {
  const found = loaded.diagnostics.filter(({ code }) => code !== TOLD_BY_PLAN);
  tellDiagnostics(found, loaded.sources, { request, file: planName(request) });
}

/**
 * To people, unless the findings are part of a JSON result; GitHub is told in any case. `file` is what they are about where they
 * have no place.
 */
export function tellDiagnostics(
  found: readonly Diagnostic[],
  sources: ReadonlyMap<string, string>,
  { request, file }: { readonly request: Request; readonly file: string },
): void {
  const { options, env, output } = request;
  if (env.githubActions) {
    const pathOf = (name: string) => pathForGithub(name, [env.githubWorkspace ?? null, request.startedIn]);
    output.annotate(githubAnnotations(found, { glyphs: output.glyphs, pathOf }));
  }
  if (options.json === true || found.length === 0) return;
  const view = { sources, glyphs: output.glyphs, width: output.sayWidth };
  const failed = found.find(isError);
  output.say([
    ...renderDiagnostics(found, view),
    summary(found, filesOf(found, file), output.glyphs),
    ...(failed === undefined ? [] : [nextCommand(`plait explain ${failed.code}`)]),
  ]);
}

/** From the first of these folders that holds it: that of the checkout, else the one that plait was started in. */
export function pathForGithub(file: string, folders: readonly (string | null)[]): string {
  for (const folder of folders) {
    if (folder === null) continue;
    const way = relative(folder, resolve(file));
    if (way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way))
      return way.replaceAll(sep, "/");
  }
  return file;
}

/** What is wrong may stand in configuration files alone. */
function filesOf(found: readonly Diagnostic[], path: string): string {
  return [...new Set(found.map(({ at }) => at?.file ?? path))].join(", ");
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

/** How much is read, as flags and the environment allow it. */
export function capsFor({ options, env }: Pick<Request, "options" | "env">): Caps {
  return { ...defaultCaps, ...env.caps, ...capsOf(options) };
}

function capsOf(options: Options): Partial<Caps> {
  const { maxPlanBytes, maxDepth, maxTasks, maxPromptBytes } = options;
  const given = { maxPlanBytes, maxDepth, maxTasks, maxPromptBytes };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function overridesOf(options: Options): Overrides {
  const { retries, timeout, concurrency, land, budgetUsd, keepAwake } = options;
  const publish = options.pr ? "pull-request" : options.push ? "push" : null;
  return {
    ...landStyleFrom(options),
    ...(publish === null ? {} : { publish }),
    ...(concurrency === undefined ? {} : { slots: concurrency }),
    ...(land === undefined ? {} : { land }),
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
    ...(keepAwake === undefined ? {} : { keepAwake }),
    ...(retries === undefined ? {} : { retries }),
    ...(timeout === undefined ? {} : { limits: { totalMs: timeout } }),
  };
}

function landStyleFrom({ landAs, sign, signoff }: Options): Pick<Overrides, "landStyle"> {
  const style = { ...(landAs && { as: landAs }), ...(sign && { sign }), ...(signoff && { signoff }) };
  return Object.keys(style).length === 0 ? {} : { landStyle: style };
}

function formatOf({ format }: Options): { format?: string } {
  if (format === undefined) return {};
  if (formatNames().includes(format)) return { format };
  throw new RequestError(`--format ${JSON.stringify(format)} ${notOneOf(formatNames())}`);
}
