import type { KnownRun } from "../../../../app/index.ts";
import type { KnownSpec } from "../../../../app/spec/tech-specs.ts";
import { shellWord } from "../../../../core/text/command.ts";
import { type ExitCode, exitCodes } from "../../../exit-codes.ts";
import { nextCommand } from "../../../render/diagnostics.ts";
import { bold, dim, type Line } from "../../../render/line.ts";
import { shown } from "../../../render/visible.ts";
import type { Request } from "../../../request.ts";
import { NO_END, printEnd } from "../decompose-end.ts";
import { specDocument } from "../document.ts";
import type { GoStop } from "./going.ts";

/** How far it has come. */
export type GoEnd = {
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

export const NOTHING_DONE: GoEnd = {
  ...{ known: null, folder: null, run: null, isLanded: false, report: null },
  stop: null,
};

export function printGoEnd(end: GoEnd, request: Request): ExitCode {
  const { known, folder, run, isLanded, report, stop } = end;
  const { options, output } = request;
  const exit = stop?.exit ?? exitCodes.ok;
  if (options.json === true) {
    const { problem = null, next = [], kept = [], asked = null } = stop ?? {};
    const spec = known === null ? null : specDocument(known);
    const done = { spec, folder, run: run?.run ?? null, landed: isLanded, integration: report };
    output.json({ v: 1, ok: exit === exitCodes.ok, exit, ...done, problem, kept, asked, next });
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
    ...(run === null ? [] : [row("run", run.run), nextCommand(`plait report ${shellWord(run.run)}`)]),
  ];
}
