import type { KnownRun } from "../../../../app/index.ts";
import { readSource } from "../../../../app/spec/go/read-source.ts";
import { specRoot } from "../../../../app/spec/place.ts";
import type { KnownSpec } from "../../../../app/spec/tech-specs.ts";
import { formatCommand, plait } from "../../../../core/text/command.ts";
import { fix } from "../../../../core/text/sentence.ts";
import { type ExitCode, exitCodes } from "../../../exit-codes.ts";
import { createHost, granted, requireConfig } from "../../../host.ts";
import { resolveCaps } from "../../../plan-file.ts";
import { nextCommand } from "../../../render/diagnostics.ts";
import { bold, dim, type Line } from "../../../render/line.ts";
import { specDocument } from "../../../render/tech-specs.ts";
import { shown } from "../../../render/visible.ts";
import type { Request, RunCommand } from "../../../request.ts";
import { RequestError, UsageError } from "../../../request-error.ts";
import { NO_END, printEnd, refusedEnd } from "../decompose-end.ts";
import { type Going, type GoStop, isStop, pickGoFlags } from "./going.ts";
import { settleIntegration } from "./integrate.ts";
import { settlePlan } from "./plan.ts";
import { settleRun } from "./run.ts";
import { settleTechSpec } from "./tech-spec.ts";

/**
 * `plait spec go <source>`: from requirements or a sentence to landed, integrated code. No state is stored: each step
 * checks what is already done, so the same command continues where it stopped.
 */
export const go: RunCommand = async (request) => {
  try {
    return printGoEnd(await goThrough(request), request);
  } catch (error) {
    const end = request.options.json === true ? refusedEnd(error) : null;
    if (end === null) throw error;
    const { exit, problem } = end;
    return printGoEnd({ ...NOTHING_DONE, stop: { exit, problem, next: [] } }, request);
  }
};

async function goThrough(request: Request): Promise<GoEnd> {
  const [problem] = request.env.problems;
  if (problem !== undefined) throw new RequestError(problem.message, problem.hint);
  if (request.args.join("").trim() === "")
    throw new UsageError(
      "missing source",
      fix("pass a file, an id or a description", plait("spec go", { placeholder: "source" })),
    );
  const going = await beginGoing(request);
  const found = granted(await readSource(request.args, going.question));
  const known = await settleTechSpec(going, found);
  if (isStop(known)) return { ...NOTHING_DONE, known: found.known, stop: known };
  const plan = await settlePlan(going, known);
  if (isStop(plan)) return { ...NOTHING_DONE, known, stop: plan };
  const far = { ...NOTHING_DONE, known, folder: plan.shownFolder };
  // A reference is already built; only integration is checked.
  const run = known.spec.status === "reference" ? null : await settleRun(going, known, plan);
  if (run !== null && isStop(run)) return { ...far, stop: run };
  const { integrated, stop } = await settleIntegration(going, known, { plan, run: run?.known ?? null });
  return { ...far, ...integrated, run: run?.known ?? null, stop };
}

async function beginGoing(request: Request): Promise<Going> {
  const command = plait("spec go");
  const config = await requireConfig(request, command);
  const host = { ...createHost(request, command), agents: config.agents };
  const { root } = granted(await specRoot(host));
  const question = { root, cwd: host.cwd, caps: resolveCaps(request) };
  return { host, request, config, question, flags: pickGoFlags(request) };
}

/** How far it has come. */
type GoEnd = {
  readonly known: KnownSpec | null;
  /** The artefact folder, as people are told it. */
  readonly folder: string | null;
  readonly run: KnownRun | null;
  readonly isLanded: boolean;
  /** The document of `plait integrate --json`; null before that. */
  readonly report: unknown;
  /** Null where everything is done. */
  readonly stop: GoStop | null;
};

const NOTHING_DONE: GoEnd = {
  ...{ known: null, folder: null, run: null, isLanded: false, report: null },
  stop: null,
};

function printGoEnd(end: GoEnd, request: Request): ExitCode {
  const { known, folder, run, isLanded, report, stop } = end;
  const { options, output } = request;
  const exit = stop?.exit ?? exitCodes.ok;
  if (options.json === true) {
    const { problem = null, next = [], kept = [], asked = null } = stop ?? {};
    const spec = known === null ? null : specDocument(known);
    const done = { spec, folder, run: run?.run ?? null, landed: isLanded, integration: report };
    output.json({
      v: 1,
      ok: exit === exitCodes.ok,
      exit,
      ...done,
      problem,
      kept,
      asked,
      next: next.map((one) => formatCommand(one)),
    });
    return exit;
  }
  if (stop !== null) return printEnd({ ...NO_END, ...stop }, request);
  output.result(summaryLines(end, (text) => shown(text, output.glyphs)));
  return exit;
}

function summaryLines({ known, folder, run }: GoEnd, text: (one: string) => string): Line[] {
  const row = (label: string, value: string): Line => [dim(label.padEnd(8)), text(value)];
  const id = known?.spec?.id ?? "";
  return [
    [],
    [bold(text(`${id}: landed and integrated`))],
    ...(known === null ? [] : [row("spec", `${known.file}, ${known.spec?.status ?? ""}`)]),
    ...(folder === null ? [] : [row("folder", folder), row("report", `${folder}/integration-report.md`)]),
    ...(run === null ? [] : [row("run", run.run), nextCommand(plait("report", run.run))]),
  ];
}
