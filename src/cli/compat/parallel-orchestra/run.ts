// `parallel-orchestra run`: the manifest is read, the place is looked at, and only then a run of plait's own begins or goes on. What
// parallel-orchestra prints and writes is made from the facts of that run.

import { join, resolve } from "node:path";
import { findProgram } from "../../../app/folders.ts";
import { type Checkout, folderProblem, type Host, lookAtCheckout, type Plan } from "../../../app/index.ts";
import { planFolderProblem } from "../../../app/without-repository.ts";
import { wholeEnvironment } from "../../../config/env.ts";
import type { TaskId } from "../../../core/ids.ts";
import { formatPosition } from "../../../core/text/figures.ts";
import { driveRun } from "../../drive.ts";
import { exitCodes } from "../../exit-codes.ts";
import type { Options } from "../../flags.ts";
import { createHost } from "../../host.ts";
import { hasColours } from "../../output.ts";
import { printFindings, type ReadPlan, readPlan } from "../../plan-file.ts";
import { progressClock } from "../../present.ts";
import { streamIo } from "../../progress/io.ts";
import { shown } from "../../render/visible.ts";
import type { Request } from "../../request.ts";
import { EnvironmentError } from "../../request-error.ts";
import { errorStream, patientStream, settleSoon } from "../../streams.ts";
import type { Around } from "../command-lines.ts";
import { beginOrGoOn, orchestraCommand } from "./begin.ts";
import { type DashboardMode, showRun } from "./dashboard.ts";
import { dryRunText } from "./dry-run.ts";
import { finish } from "./finish.ts";
import { keepLogs } from "./log-files.ts";
import { reportProblem } from "./report-file.ts";
import { removeStateFile, stateFilePath } from "./state-file.ts";
import type { Asked } from "./words.ts";

export async function runManifest(asked: Asked, around: Around): Promise<number> {
  const request = requestOf(asked, around);
  // As it is written, whichever agent is to stand in for those that it names.
  const written = await readPlan(
    { ...request, env: { ...around.env, ...NO_STAND_IN } },
    { runCommands: false },
  );
  if (written.plan === null) tellManifestError(written, request);
  printFindings(written, request);
  if (written.plan === null) return exitCodes.badRequest;
  if (asked.dryRun) {
    around.output.raw(dryRunText(written.plan, asked.maxWorkers));
    return exitCodes.ok;
  }
  const isStandIn = around.env.agent !== null || around.env.model !== null;
  const loaded = isStandIn ? await readPlan(request, { runCommands: false }) : written;
  const plan = applyOldRules(loaded.plan ?? written.plan);
  const agents = agentsIn(written.plan);
  const host = createHost(request, orchestraCommand());
  const checkout = await lookAtCheckout(host);
  await checkPlace(plan, asked, host, checkout);
  if (asked.claudeExe === null) return drive({ asked, request, loaded, plan, agents, checkout });
  const claude = await claudeProgram(asked.claudeExe);
  return drive({ asked, request: { ...request, claude }, loaded, plan, agents, checkout });
}

const NO_STAND_IN = { agent: null, model: null };

function agentsIn({ tasks }: Plan): Prepared["agents"] {
  return new Map(tasks.map(({ id, work }) => [id, work.kind === "agent" ? (work.agent.name ?? "") : ""]));
}

/**
 * A task runs as often as max_retries says and no oftener, whatever it failed with. Its exit code alone decides whether it
 * succeeded, also where it changed nothing.
 */
function applyOldRules(plan: Plan): Plan {
  return { ...plan, tasks: plan.tasks.map((task) => ({ ...task, fixRounds: 0, allowEmpty: true })) };
}

/** As `plait run` would be asked. What is merged lands, also where something failed. */
function requestOf(asked: Asked, { env, startedIn, output }: Around): Request {
  const options = {
    ...{ format: "po", tolerant: true, land: "partial", concurrency: asked.maxWorkers },
    ...{ withoutSubAgents: asked.withoutSubAgents },
    ...{ allowRoot: asked.allowRoot, allowNested: asked.allowNested },
  } satisfies Options;
  return { args: [asked.manifest], options, env, startedIn, output, hasFinalExits: true };
}

/** On one line, for who looks for it; what follows shows the place. */
function tellManifestError({ diagnostics }: ReadPlan, { output }: Request): void {
  const first = diagnostics.find(({ severity }) => severity === "error");
  if (first === undefined) return;
  const { at } = first;
  const place = at === null ? "" : `${formatPosition(at)}: `;
  output.say([[shown(`ManifestError: ${place}${first.message}`, output.glyphs)]]);
}

/** Found out before a token is spent. */
async function checkPlace(plan: Plan, asked: Asked, host: Host, checkout: Checkout): Promise<void> {
  const problem = await fileProblem(asked, checkout);
  if (problem !== null) throw new EnvironmentError(problem, "nothing was started");
  if (plan.tasks.every(({ access }) => access === "read-only")) return;
  if (checkout.problem !== null) {
    const { message, hint } = (await planFolderProblem(host, plan)) ?? checkout.problem;
    throw new EnvironmentError(message, hint);
  }
  if (checkout.head === "detached") {
    const message = "HEAD is detached, so there is no branch to merge into";
    throw new EnvironmentError(message, "check out a branch first: git switch <branch>");
  }
}

/** Where files are to go that were asked for. */
async function fileProblem(asked: Asked, checkout: Checkout): Promise<string | null> {
  const { report, logDir, noLog } = asked;
  const problem = report === null ? null : await reportFileProblem(asked, resolve(report), checkout);
  if (problem !== null || logDir === null || noLog) return problem;
  const why = await folderProblem(resolve(logDir));
  return why === null ? null : `--log-dir ${logDir} cannot be written: ${why}.`;
}

/** Not over the manifest, nor over the user's own work (I3). */
async function reportFileProblem(
  { manifest }: Asked,
  path: string,
  checkout: Checkout,
): Promise<string | null> {
  if (path === resolve(manifest)) return `--report ${path} is the manifest.`;
  if ((await checkout.tracked([path])).has(path)) return `--report ${path} is a file that git tracks.`;
  return reportProblem(path);
}

async function claudeProgram(name: string): Promise<string> {
  const { PATH: path = "" } = wholeEnvironment();
  const found = await findProgram(name, path);
  if (found !== null) return found;
  throw new EnvironmentError(
    `the program ${JSON.stringify(name)} was not found or is not executable`,
    "check --claude-exe",
  );
}

export type Prepared = {
  readonly asked: Asked;
  readonly request: Request;
  readonly loaded: ReadPlan;
  readonly plan: Plan;
  /** By task: the agent that the manifest names. */
  readonly agents: ReadonlyMap<TaskId, string>;
  readonly checkout: Checkout;
};

async function drive(prepared: Prepared): Promise<number> {
  const { asked, request, checkout } = prepared;
  const stateFile = stateFilePath(resolve(asked.manifest));
  const begun = await beginOrGoOn(prepared, stateFile);
  const { run, resumed } = begun;
  const logDir = resolve(asked.logDir ?? join(checkout.root ?? process.cwd(), ".claude", "logs"));
  const logs = asked.noLog
    ? null
    : keepLogs(run.view, { folder: logDir, checkout, resumed, secrets: ownSecrets() });
  const stream = patientStream("stderr");
  const facts = errorStream(request.env.columns);
  const colours = hasColours(facts, request.env, request.options);
  const io = streamIo(stream, { colours, glyphs: request.output.glyphs });
  const mode = modeOf(asked, facts.isTerminal);
  const dashboard = showRun(run.view, mode, { io, clock: progressClock, resumed });
  const driven = await driveRun(run, request, dashboard.end);
  dashboard.end();
  await settleSoon(stream.settled());
  const notes = (await logs?.end()) ?? [];
  const isTheirs = (await checkout.tracked([stateFile])).has(stateFile);
  if (driven.status.exit === 0 && !isTheirs) await removeStateFile(stateFile);
  return finish({ ...prepared, ...begun, driven, logDir: asked.noLog ? null : logDir, notes });
}

/** What parallel-orchestra masked, whatever its length. */
function ownSecrets(): string[] {
  const { ANTHROPIC_API_KEY: key = "", ANTHROPIC_API_KEY_HELPER: helper = "" } = wholeEnvironment();
  return [key, helper].filter((secret) => secret !== "");
}

function modeOf({ dashboard }: Asked, isTerminal: boolean): DashboardMode {
  if (dashboard === "off" || (dashboard === "auto" && !isTerminal)) return "signs";
  return isTerminal ? "block" : "lines";
}
