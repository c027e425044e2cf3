// The check behind `plait integrate` and `plait spec integrate`, and its output.

import { relative, resolve } from "node:path";
import type { Host } from "../../app/host.ts"; // not by the index, which brings the engine along
import { type Config, killLive } from "../../app/index.ts";
import {
  type ChecksAsked,
  type Integrated,
  integrate as integrateParts,
  type ReviewRequest,
} from "../../app/integrate/integrate.ts";
import { isInsideRun } from "../../app/integrate/subject.ts";
import { writeIntegration } from "../../app/integrate/write-files.ts";
import type { Plan } from "../../core/plan.ts";
import type { Diagnostic } from "../../core/source.ts";
import { plait } from "../../core/text/command.ts";
import { count } from "../../core/text/figures.ts";
import { findNextCommand } from "../../spec/integrate/next-steps.ts";
import { type IntegrationReport, isGreen } from "../../spec/integrate/report.ts";
import { buildReportJson } from "../../spec/integrate/report-json.ts";
import { printAgentPrograms, readConfigFiles } from "../config.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { granted, requireConfig } from "../host.ts";
import { annotateForGithub, printFindings, readPlan, resolveCaps } from "../plan-file.ts";
import { createAskingView } from "../progress/asking.ts";
import { nextCommand } from "../render/diagnostics.ts";
import { renderGate, renderIntegration } from "../render/integration.ts";
import type { Line } from "../render/line.ts";
import { shown } from "../render/visible.ts";
import type { Request } from "../request.ts";
import { abortOnSignals } from "../signals.ts";

export type ToIntegrate = {
  readonly host: Host;
  /** The plan as it was named; null: that of the run. */
  readonly named: string | null;
  readonly isFolder: boolean;
  /** Whether the next command is suggested (default: true). */
  readonly showsNext?: boolean;
};

/** The plan to check. */
export type IntegrateSubject = ToIntegrate & { readonly plan: Plan | null };

/** Inside a run the plan is that of the run: prompts, which are not committed, are not in its worktrees. */
export async function readSubject(request: Request, about: ToIntegrate): Promise<IntegrateSubject | null> {
  const { host, named } = about;
  const isOfRun = named === null || (request.options.enforce === true && isInsideRun(host));
  if (isOfRun) return { ...about, plan: null };
  const plan = await planAt(request, named);
  return plan === null ? null : { ...about, plan };
}

/** What `findSubject` asks for. */
export function subjectAsked(request: Request, { plan, isFolder, named }: IntegrateSubject) {
  const { run = null, enforce = false, allowUnknown = false } = request.options;
  return { plan, folder: isFolder ? named : null, run, enforce, allowUnknown, caps: resolveCaps(request) };
}

/** The report, or the exit code of the signal that ended the check. */
export async function checkParts(
  request: Request,
  subject: IntegrateSubject,
): Promise<Integrated | { readonly ended: ExitCode }> {
  const { checks, openapi, review, close, host } = await resolveExtras(request, subject);
  const watch = abortOnSignals((code) => {
    killLive();
    process.exit(code);
  });
  try {
    const asked = { ...subjectAsked(request, subject), checks, openapi, review };
    const checked = granted(await integrateParts(host, { ...asked, signal: watch.signal }).finally(close));
    const ended = watch.code();
    return ended === null ? checked : { ended };
  } finally {
    watch.end();
  }
}

/** Fixes before the last check. */
export type FixSummary = {
  readonly rounds: readonly FixRound[];
  /** Whether all of them landed where they were to. */
  readonly isLanded: boolean;
};

export type FixRound = {
  readonly run: string;
  readonly tasks: readonly { readonly task: string; readonly findings: number }[];
  readonly isLanded: boolean;
  /** The exit code of the signal that ended it; null: none did. */
  readonly signal: ExitCode | null;
};

export type ToReport = Integrated & {
  readonly about: Pick<ToIntegrate, "host" | "showsNext">;
  readonly fix: FixSummary | null;
};

/** Writes and prints the report. */
export async function reportParts(
  request: Request,
  { report, folder, about, fix }: ToReport,
): Promise<ExitCode> {
  const { options } = request;
  const isGate = options.enforce === true;
  const into = isGate ? null : options.out === undefined ? (folder?.path ?? null) : resolve(options.out);
  const manifest = options.out === undefined ? folder : null;
  const caps = resolveCaps(request);
  const done =
    into === null
      ? { ok: true as const, written: [] }
      : await writeIntegration({ report, into, folder: manifest, caps });
  const written = (done.ok ? done.written : []).map((path) => relative(about.host.cwd, path));
  // The result is printed even if it could not be written: the check may have taken an hour.
  const exit = done.ok
    ? exitOf(report, fix)
    : done.refusal.kind === "request"
      ? exitCodes.badRequest
      : exitCodes.badEnvironment;
  printReport(request, { report, written, exit, fix, about });
  granted(done);
  return exit;
}

/** Agent flags are for the review, not for the tasks. */
async function planAt(request: Request, named: string): Promise<Plan | null> {
  const { agent: _, model: __, timeout: ___, budgetUsd: ____, ...options } = request.options;
  const asPlan: Request = { ...request, args: [named], options };
  const loaded = await readPlan(asPlan, { runCommands: false, withoutPrompts: true });
  if (loaded.plan === null) {
    printFindings(loaded, asPlan);
    const { diagnostics: findings } = loaded;
    if (options.json === true) request.output.json({ v: 1, ok: false, exit: exitCodes.badRequest, findings });
  }
  return loaded.plan;
}

/** Annotations on a pull request. */
function annotate(request: Request, { findings }: IntegrationReport): void {
  const severity = { must: "error", should: "warning", unclear: "note" } as const;
  const found: Diagnostic[] = findings.map(({ weight, code, about, message, at, fix }) => {
    const start = { line: at?.line ?? 1, col: 1 };
    const place = at === null ? null : { file: at.file, start, end: start };
    return { code, severity: severity[weight], path: about, message, at: place, hint: fix, related: [] };
  });
  annotateForGithub(found, request);
}

/** Fixes that did not land do not count. */
function exitOf(report: IntegrationReport, fix: FixSummary | null): ExitCode {
  return isGreen(report) && fix?.isLanded !== false ? exitCodes.ok : exitCodes.incomplete;
}

type ToPrint = Pick<ToReport, "report" | "fix" | "about"> & {
  readonly written: readonly string[];
  readonly exit: ExitCode;
};

function printReport(request: Request, { report, written, exit, fix, about }: ToPrint): void {
  const { options, output } = request;
  annotate(request, report);
  if (options.json === true) {
    output.json({ ...buildReportJson(report), ...(fix !== null && { fix }), exit, written });
    return;
  }
  const { glyphs, look } = output;
  if (options.enforce === true) {
    output.result(renderGate(report, look));
    return;
  }
  output.result([
    ...renderIntegration(report, look),
    ...written.map((path): Line => [shown(`${path}: written`, glyphs)]),
  ]);
  const next = about.showsNext === false ? null : findNextCommand(report);
  if (next !== null) output.say([nextCommand(next)]);
}

type Besides = {
  /** With the agents of the configuration. */
  readonly host: Host;
  readonly checks: ChecksAsked | null;
  readonly openapi: string | null;
  readonly review: ReviewRequest | null;
  /** When everything is printed. */
  readonly close: () => Promise<void>;
};

/** The programs that are started: the checks of the project, and an agent. Both are shown while they run. */
async function resolveExtras(request: Request, { host, isFolder }: ToIntegrate): Promise<Besides> {
  const { options } = request;
  if (options.enforce === true) {
    // A gate starts nothing, so it ignores errors in the configuration.
    const openapi = (await readConfigFiles(process.cwd())).config?.openapi ?? null;
    return { host, checks: null, openapi, review: null, close: async () => {} };
  }
  const config = await requireConfig(request, plait(isFolder ? "spec integrate" : "integrate"));
  const { agents, openapi } = config;
  const checks = options.checks === false ? null : checksAsked(request, config);
  const { review, close } = resolveReview(request, config);
  return { host: { ...host, agents }, checks, openapi, review, close };
}

/** Each command is printed before it runs. */
function checksAsked({ options, output }: Request, { base, checks: configured }: Config): ChecksAsked {
  const say = (text: string) => {
    if (options.json !== true) output.say([[shown(text, output.glyphs)]]);
  };
  return {
    technology: options.tech ?? null,
    configured,
    prepare: base.prepare,
    timeoutMs: base.gateTimeoutMs,
    tell: {
      warning: (text) => output.warn(text),
      preparing: (commands) => say(`preparing a copy of the commit: ${commands.join("; ")}`),
      printing: (command) => say(`API document: ${command}`),
      begins: ({ name, run }) => say(`${name}: ${run}`),
      ended: ({ name, status, summary }) => say(`${name}: ${STATES[status]}, ${summary}`),
    },
  };
}

const STATES = { green: "green", red: "red", "not-run": "not run" } as const;

/** A review costs money, so the agent must be named. */
function resolveReview(request: Request, { base, agents }: Config): Pick<Besides, "review" | "close"> {
  const { agent: use, model, timeout, budgetUsd = null } = request.options;
  if (use === undefined) return { review: null, close: async () => {} };
  const { name, model: usual } = use === base.agent.use ? base.agent : { name: null, model: null };
  const limits = timeout === undefined ? base.limits : { ...base.limits, totalMs: timeout };
  const { say, tell, close } = createAskingView(request, use, limits);
  const review: ReviewRequest = {
    ...{ agent: { use, name, model: model ?? usual }, limits, budgetUsd },
    tell: {
      ...tell,
      round: (n, problems) => {
        if (n === 1) printAgentPrograms(new Set([use]), agents, request);
        const again = `fixing ${count(problems.length, "error")} in the review, fix ${n - 1}`;
        say(n === 1 ? `${use} is reviewing the code against the tech spec` : again);
      },
    },
  };
  return { review, close };
}
