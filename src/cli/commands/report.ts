import {
  type FoundRun,
  findRun,
  graphOfRun,
  type Host,
  htmlReport,
  reportOf,
  SHOWN,
  timelineOfRun,
} from "../../app/index.ts";
import { traceOf } from "../../app/tracing.ts";
import { readPullRequestText } from "../../app/write-report.ts";
import { plait } from "../../core/text/command.ts";
import { sizeText } from "../../core/text/figures.ts";
import { fix } from "../../core/text/sentence.ts";
import { jsonReport } from "../../report/json.ts";
import { junitReport } from "../../report/junit.ts";
import { markdownReport } from "../../report/markdown.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Options, ReportFormat, ReportPicture } from "../flags.ts";
import { granted, maskingHost } from "../host.ts";
import type { Output } from "../output.ts";
import { graphPicture, timelinePicture } from "../pictures.ts";
import { dim } from "../render/line.ts";
import { shown } from "../render/visible.ts";
import type { RunCommand } from "../request.ts";
import { RequestError } from "../request-error.ts";
import { resultStream } from "../streams.ts";
import { writeOutput } from "../write-output.ts";

/** `plait report [run]`: built from the journal, so it also covers a running run. */
export const report: RunCommand = async (request) => {
  const { options, output } = request;
  const kind = resolveKind(options);
  const { output: file = null } = options;
  const host = await maskingHost(request, plait("report"));
  const found = granted(await findRun(host, request.args[0] ?? null, SHOWN));
  const { run } = found.known;
  if (kind.format === "html" && file === null && resultStream(null).isTerminal)
    throw new RequestError(
      "HTML cannot be shown in a terminal",
      fix("write a file", plait("report", run, { format: "html", output: `${run}.html` })),
    );
  const { text, leftOut } = await made(host, found, kind, output);
  if (file === null) output.raw(text);
  else {
    await writeOutput(file, text);
    output.result([[`${shown(file, output.glyphs)}: ${run}, ${sizeText(Buffer.byteLength(text))}`]]);
  }
  output.say(leftOut.map((sentence) => [dim(sentence)]));
  return exitCodes.ok;
};

type Kind =
  | { readonly format: Exclude<ReportFormat, "svg" | "mermaid">; readonly picture: null }
  | { readonly format: "svg" | "mermaid"; readonly picture: ReportPicture };

function resolveKind({ format, picture }: Options): Kind {
  const asked = (format ?? (picture === undefined ? "md" : "svg")) as ReportFormat; // read by this command's own flag
  if (asked === "svg" || asked === "mermaid") {
    if (picture !== undefined) return { format: asked, picture };
    throw new RequestError(
      `--format ${asked} needs --picture`,
      "choose a picture: --picture graph or --picture timeline",
    );
  }
  if (picture === undefined) return { format: asked, picture: null };
  throw new RequestError(
    `--picture and --format ${asked} cannot be combined`,
    "choose a format: --format svg or --format mermaid",
  );
}

type Made = { readonly text: string; readonly leftOut: readonly string[] };

async function made(host: Host, found: FoundRun, kind: Kind, output: Output): Promise<Made> {
  const whole = (text: string): Made => ({ text, leftOut: [] });
  if (kind.picture === "graph")
    return whole(await graphPicture(await graphOfRun(host, found), kind.format, output));
  if (kind.picture === "timeline")
    return whole(await timelinePicture(await timelineOfRun(host, found), kind.format, output));
  switch (kind.format) {
    case "html": {
      const { html, leftOut } = granted(await htmlReport(host, found)).report;
      return { text: html, leftOut };
    }
    case "pr":
      return whole(await readPullRequestText(host, found));
    case "otlp":
      return whole(await traceOf(host, found));
    case "junit":
      return whole(junitReport(await reportOf(host, found)));
    case "json":
      return whole(jsonReport(await reportOf(host, found)));
    default:
      return whole(markdownReport(await reportOf(host, found)));
  }
}
