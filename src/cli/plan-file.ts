import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Config, ConfiguredAgent, LoadedConfig, LoadedPlan, PromptPlan } from "../app/index.ts";
import { inspectFolder, inspectPrompts } from "../app/inspect-folder.ts";
import { formatNames, loadPlan } from "../app/load-plan.ts"; // not by the index, which brings the engine along
import { wholeEnvironment } from "../config/env.ts";
import { defaultCaps, defaultKeep, defaultTraces } from "../config/settings.ts";
import type { Caps } from "../core/caps.ts";
import type { Overrides } from "../core/draft.ts";
import type { Oid } from "../core/ids.ts";
import type { Command } from "../core/plan.ts";
import { commandText } from "../core/select/preview/commands.ts";
import type { Diagnostic } from "../core/source.ts";
import { plait, type Command as TypedCommand, withFlags } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import { readConfigFiles } from "./config.ts";
import { formatNotOneOf, pickGiven } from "./flag.ts";
import type { Options } from "./flags.ts";
import { createHost } from "./host.ts";
import { readLandStyle, readPublish } from "./land-options.ts";
import { planName, resolvePlanInput } from "./prompts.ts";
import { githubAnnotations } from "./render/annotations.ts";
import { nextCommand, renderDiagnostics, summary } from "./render/diagnostics.ts";
import { shown } from "./render/visible.ts";
import type { Request } from "./request.ts";
import { EnvironmentError, RequestError } from "./request-error.ts";

/** A loaded plan with the agents, `keep` and `traces` of the configuration, and the task limit. */
export type ReadPlan = LoadedPlan & {
  readonly agents: readonly ConfiguredAgent[];
  readonly keep: Config["keep"];
  readonly traces: Config["traces"];
  readonly maxTasks: number;
  /** The configuration that comes with the repository. */
  readonly project: LoadedConfig["project"];
};

export type ReadOptions = {
  readonly runCommands: boolean;
  readonly commit?: Oid;
  /** Also check files of the plan that a run does not read. */
  readonly inspect?: boolean;
  /** Warn if no gate checks the changes of agents. */
  readonly checksGates?: boolean;
  /** Nothing will run, so prompt files may be missing. */
  readonly withoutPrompts?: boolean;
  /** Instead of the arguments of the request. */
  readonly prompts?: PromptPlan;
  /** Instead of the settings among the flags of the request. */
  readonly flags?: Overrides;
};

/**
 * Reads the plan of a request. An invalid configuration is reported instead, because the plan depends on it.
 */
export async function readPlan(request: Request, asked: ReadOptions): Promise<ReadPlan> {
  const { options, env, startedIn } = request;
  const {
    runCommands,
    commit,
    prompts,
    withoutPrompts = false,
    inspect = false,
    checksGates = false,
  } = asked;
  const [problem] = env.problems;
  if (problem !== undefined) throw new RequestError(problem.message, problem.hint);
  if (request.args[0] === "-") {
    const hint = "to read a file with that name: ./-";
    throw new RequestError("a plan cannot be read from stdin", hint);
  }
  if (startedIn === null && !isAbsolute(options.cwd ?? "")) {
    throw new EnvironmentError("the current folder no longer exists", "change to another folder: cd /");
  }
  const format = resolveFormat(options);
  const caps = resolveCaps(request);
  const { config, include, project, ...found } = await readConfigFiles(process.cwd(), options);
  if (config === null)
    return {
      ...{ plan: null, ...found, texts: new Map(), each: [], written: null, agents: [] },
      ...{ keep: defaultKeep, traces: defaultTraces, maxTasks: caps.maxTasks, project },
    };
  const loaded = await loadPlan(prompts ?? (await resolvePlanInput(request)), {
    env: wholeEnvironment(),
    onCommand: runCommands ? (command) => beforeCommand(command, request) : null,
    caps,
    layers: {
      base: config.base,
      overrides: asked.flags ?? buildOverrides(options),
      force: { agent: options.agent ?? env.agent, model: options.model ?? env.model },
      agents: config.agents.map(({ name }) => name),
      include,
      automatic: options.copy !== false,
      allowedEnv: config.allowedEnv,
    },
    strict: options.strict ?? false,
    tolerant: options.tolerant ?? false,
    ...(commit === undefined ? {} : { commit }),
    ...(inspect ? { inspect: inspectFolder } : (runCommands || checksGates) && { inspect: inspectPrompts }),
    withoutPrompts,
    checksGates,
    ...format,
  });
  const { agents, keep, traces } = config;
  return { ...loaded, agents, keep, traces, maxTasks: caps.maxTasks, project };
}

/** It comes from the plan, which may come from anybody. */
async function beforeCommand(command: Command, request: Request): Promise<void> {
  const { options, output } = request;
  const [name] = request.args;
  if (name !== undefined) await (await import("./agree.ts")).requireAgreedCommand(request, name, command);
  if (options.json === true || options.quiet === true) return;
  output.say([[`running each command: ${shown(commandText(command), output.glyphs)}`]]);
}

/** Not an error; `plait plan` lists these tasks among the owners. */
const SHOWN_BY_PLAN = "no-owns";

export function printFindings(loaded: LoadedPlan, request: Request): void {
  const found = loaded.diagnostics.filter(({ code }) => code !== SHOWN_BY_PLAN);
  printDiagnostics(found, loaded.sources, request, planName(request));
}

/**
 * Prints findings, unless they are part of a JSON result; GitHub annotations are always printed. `file` is for findings
 * without a position.
 */
export function printDiagnostics(
  found: readonly Diagnostic[],
  sources: ReadonlyMap<string, string>,
  request: Request,
  file: string,
): void {
  const { options, output } = request;
  annotateForGithub(found, request);
  if (options.json === true || found.length === 0) return;
  const view = { sources, glyphs: output.glyphs, width: output.sayWidth };
  const failed = found.find(isError);
  output.say([
    ...renderDiagnostics(found, view),
    summary(found, listFindingFiles(found, file), output.glyphs),
    ...(failed === undefined ? [] : [nextCommand(plait("explain", failed.code))]),
  ]);
}

export function annotateForGithub(found: readonly Diagnostic[], { env, output, startedIn }: Request): void {
  if (!env.githubActions) return;
  const pathOf = (name: string) => pathForGithub(name, [env.githubWorkspace, startedIn]);
  output.annotate(githubAnnotations(found, { glyphs: output.glyphs, pathOf }));
}

/** The path relative to the first of these folders that contains it. */
export function pathForGithub(file: string, folders: readonly (string | null)[]): string {
  for (const folder of folders) {
    if (folder === null) continue;
    const way = relative(folder, resolve(file));
    if (way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way))
      return way.replaceAll(sep, "/");
  }
  return file;
}

/** Findings may be in configuration files only. */
function listFindingFiles(found: readonly Diagnostic[], path: string): string {
  return [...new Set(found.map(({ at }) => at?.file ?? path))].join(", ");
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

/** Limits on input from flags and the environment. */
export function resolveCaps({ options, env }: Pick<Request, "options" | "env">): Caps {
  const { maxPlanBytes, maxDepth, maxTasks, maxPromptBytes } = options;
  return { ...defaultCaps, ...env.caps, ...pickGiven({ maxPlanBytes, maxDepth, maxTasks, maxPromptBytes }) };
}

/** Settings that flags give, over plan and configuration. */
export function buildOverrides(options: Options): Overrides {
  const { retries, timeout, concurrency, land, budgetUsd, isolation, keepAwake, sandbox } = options;
  const publish = readPublish(options);
  const landStyle = readLandStyle(options);
  return {
    ...(Object.keys(landStyle).length === 0 ? {} : { landStyle }),
    ...(publish === null ? {} : { publish }),
    ...pickGiven({ slots: concurrency, land, budgetUsd, isolation, keepAwake, retries, sandbox }),
    ...(timeout === undefined ? {} : { limits: { totalMs: timeout } }),
  };
}

function resolveFormat({ format }: Options): { format?: string } {
  if (format === undefined) return {};
  if (formatNames().includes(format)) return { format };
  throw new RequestError(`--format ${JSON.stringify(format)} ${formatNotOneOf(formatNames())}`);
}

/**
 * The request with the only plan, where neither a plan nor prompts were given: a file with a usual name in the current
 * folder, or an artifact folder. No plan or several plans are an error.
 */
export async function withOnlyPlan(request: Request, command: TypedCommand): Promise<Request> {
  const { args, options, output, startedIn } = request;
  const isGiven = args.length + (options.prompt ?? []).length + (options.promptFile ?? []).length > 0;
  if (isGiven || startedIn === null) return request;
  const { findPlans } = await import("../app/find-plans.ts"); // seldom needed
  const { plans, others } = await findPlans(createHost(request, command), resolveCaps(request));
  const [only] = plans;
  if (only === undefined) throw notFound(others, command);
  if (plans.length > 1)
    throw new RequestError(
      `more than one plan: ${plans.join(", ")}`,
      fix("pass one", { ...command, args: [only] }),
    );
  if (only !== "." && options.json !== true && options.quiet !== true)
    output.say([[`plan: ${shown(only, output.glyphs)}`]]);
  return { ...request, args: [only] };
}

function notFound([other]: readonly string[], command: TypedCommand): RequestError {
  if (other !== undefined)
    return new RequestError("missing plan", fix("pass a plan", { ...command, args: [other] }));
  const write = 'create plan.yaml with "plait: 1" and "tasks:"';
  const takesPrompts = ["run", "plan"].includes(command.verb);
  return new RequestError(
    "no plan found in this folder",
    takesPrompts ? fix(`${write}, or pass a prompt`, withFlags(command, { prompt: "Fix the login" })) : write,
  );
}
