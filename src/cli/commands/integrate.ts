import { relative, resolve } from "node:path";
import type { Host } from "../../app/host.ts"; // not by the index, which brings the engine along
import { killLive } from "../../app/index.ts";
import { isArtefactFolder } from "../../app/integrate/artefact-folder.ts";
import { absentContracts } from "../../app/integrate/contract-texts.ts";
import { integrate as integrateParts } from "../../app/integrate/integrate.ts";
import { isInsideRun } from "../../app/integrate/subject.ts";
import { writeIntegration } from "../../app/integrate/write-files.ts";
import type { Plan } from "../../core/plan.ts";
import type { Diagnostic } from "../../core/source.ts";
import { nextCommandOf } from "../../spec/integrate/next-steps.ts";
import { type IntegrationReport, isBlocked } from "../../spec/integrate/report.ts";
import { reportJson } from "../../spec/integrate/report-json.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { granted, hostOf } from "../host.ts";
import { capsFor, pathForGithub, readPlan, tellFindings } from "../plan-file.ts";
import { githubAnnotations } from "../render/annotations.ts";
import { nextCommand } from "../render/diagnostics.ts";
import { gateLines, integrationLines } from "../render/integration.ts";
import type { Line } from "../render/line.ts";
import { shown } from "../render/visible.ts";
import type { Request, RunCommand } from "../request.ts";
import { UsageError } from "../request-error.ts";
import { abortOnSignals } from "../signals.ts";
import { askedBesides } from "./integrate-besides.ts";

/** `plait integrate [plan]`: a plan of any format, or that of the latest run. */
export const integrate: RunCommand = async (request) => {
  const host = hostOf(request, "plait integrate");
  const [named = null] = request.args;
  const isFolder = named !== null && (await isArtefactFolder(host, named));
  return integratePlan(request, { host, named, isFolder });
};

export type ToIntegrate = {
  readonly host: Host;
  /** The plan as it was named; null: that of the run. */
  readonly named: string | null;
  readonly isFolder: boolean;
};

export async function integratePlan(
  request: Request,
  { host, named, isFolder }: ToIntegrate,
): Promise<ExitCode> {
  const { options } = request;
  const { enforce = false, run = null } = options;
  refuseWithEnforce(request);
  // Inside a run the plan is that of the run: prompts, which are not committed, are not in its worktrees.
  const isOfRun = named === null || (enforce && isInsideRun(host));
  const loaded = isOfRun ? null : await planAt(request, named);
  if (loaded !== null && loaded.plan === null) return exitCodes.badRequest;
  const { checks, judge, close, host: asking } = await askedBesides(request, host);
  const watch = abortOnSignals((code) => {
    killLive();
    process.exit(code);
  });
  try {
    const about = { plan: loaded?.plan ?? null, folder: isFolder ? named : null, run, enforce };
    const asked = { ...about, absent: loaded?.absent ?? [], caps: capsFor(request), checks, judge };
    const { report, folder } = granted(
      await integrateParts(asking, { ...asked, signal: watch.signal }).finally(close),
    );
    const ended = watch.code();
    if (ended !== null) return ended;
    const into = enforce ? null : options.out === undefined ? (folder?.path ?? null) : resolve(options.out);
    const manifest = options.out === undefined ? folder : null;
    const caps = capsFor(request);
    const done =
      into === null
        ? { ok: true as const, written: [] }
        : await writeIntegration({ report, into, folder: manifest, caps });
    const written = (done.ok ? done.written : []).map((path) => relative(host.cwd, path));
    // What was found is told also where it could not be written: it may have taken an hour.
    const exit = done.ok
      ? exitOf(report)
      : done.refusal.kind === "request"
        ? exitCodes.badRequest
        : exitCodes.badEnvironment;
    tell(request, { report, written, exit });
    granted(done);
    return exit;
  } finally {
    watch.end();
  }
}

/** A gate starts nothing and writes nothing, so what is about that is a mistake. */
function refuseWithEnforce({ options }: Request): void {
  if (options.enforce !== true) return;
  const [wrong] = (["out", "agent", "model", "budgetUsd", "timeout"] as const).filter(
    (name) => options[name] !== undefined,
  );
  const flag = {
    out: "--out",
    agent: "--agent",
    model: "--model",
    budgetUsd: "--budget-usd",
    timeout: "--timeout",
  };
  if (wrong !== undefined)
    throw new UsageError(
      `${flag[wrong]} does not go with --enforce`,
      "a gate writes nothing and asks nobody",
    );
}

type LoadedHere = { readonly plan: Plan | null; readonly absent: readonly string[] };

/** What is said of agents here is about who judges, and not about tasks. */
async function planAt(request: Request, named: string): Promise<LoadedHere> {
  const { agent: _, model: __, timeout: ___, budgetUsd: ____, ...options } = request.options;
  const asPlan: Request = { ...request, args: [named], options };
  const loaded = await readPlan(asPlan, { runCommands: false, withoutPrompts: true });
  if (loaded.plan === null) {
    tellFindings(loaded, asPlan);
    const { diagnostics: findings } = loaded;
    if (options.json === true) request.output.json({ v: 1, ok: false, exit: exitCodes.badRequest, findings });
  }
  return { plan: loaded.plan, absent: absentContracts(loaded.diagnostics) };
}

/** Beside the lines of a pull request. */
function annotate({ env, output, startedIn }: Request, { findings }: IntegrationReport): void {
  if (!env.githubActions) return;
  const severity = { must: "error", should: "warning", "cannot-tell": "note" } as const;
  const found: Diagnostic[] = findings.map(({ weight, code, about, message, at }) => {
    const start = { line: at?.line ?? 1, col: 1 };
    const place = at === null ? null : { file: at.file, start, end: start };
    const says = { message: `${about}: ${message}`, hint: null, related: [] };
    return { code, severity: severity[weight], at: place, ...says };
  });
  const pathOf = (name: string) => pathForGithub(name, [env.githubWorkspace ?? null, startedIn]);
  output.annotate(githubAnnotations(found, { glyphs: output.glyphs, pathOf }));
}

const exitOf = (report: IntegrationReport): ExitCode =>
  isBlocked(report) ? exitCodes.incomplete : exitCodes.ok;

type ToTell = {
  readonly report: IntegrationReport;
  readonly written: readonly string[];
  readonly exit: ExitCode;
};

function tell(request: Request, { report, written, exit }: ToTell): void {
  const { options, output } = request;
  annotate(request, report);
  if (options.json === true) {
    output.json({ ...reportJson(report), exit, written });
    return;
  }
  const { resultWidth: width, glyphs } = output;
  if (options.enforce === true) {
    output.result(gateLines(report, { glyphs }));
    return;
  }
  output.result([
    ...integrationLines(report, { width, glyphs }),
    ...written.map((path): Line => [shown(`${path}: written`, glyphs)]),
  ]);
  const next = nextCommandOf(report);
  if (next !== null) output.say([nextCommand(next)]);
}
