// A run as a trace: which one it is, where it goes, and what is sent there when a driver has come to its end. It is made from the
// journal, so nothing is measured for its sake, and a run neither waits long for a collector nor fails because of one.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Fact } from "../core/facts.ts";
import type { AttemptId, RunId } from "../core/ids.ts";
import { parseFact } from "../core/parse-fact.ts";
import type { Env } from "../core/plan.ts";
import type { RunState } from "../core/run-state.ts";
import type { EndOfRun } from "../engines/local/local-run.ts";
import { writeWhole } from "../engines/local/run-folder.ts";
import { postOnce } from "../engines/local/webhook.ts";
import { readJournal } from "../journal/read.ts";
import {
  type OtlpDocument,
  type OtlpSpan,
  onlySpans,
  otlpDocument,
  type TraceIds,
} from "../report/trace/otlp.ts";
import { agentKey } from "../report/trace/span.ts";
import { spansOf } from "../report/trace/spans.ts";
import { clockOf, describeDriver, type Host } from "./host.ts";
import { maskTexts, runMask } from "./run-mask.ts";
import type { FoundRun } from "./runs.ts";

/** Where traces go; `problem` is why they go nowhere although somebody wants them. */
type Target = {
  readonly endpoint: string | null;
  /** Named by whoever started plait, who may name any place; a file of a repository may not. */
  readonly isTheirs: boolean;
  readonly headers: { readonly [name: string]: string };
  readonly problem: string | null;
};

export type Tracing = { readonly ids: TraceIds; readonly file: boolean; readonly target: Target };

/** Null where nobody wants a trace. */
export async function tracingOf(
  host: Host,
  { run, path }: { readonly run: RunId; readonly path: string },
): Promise<Tracing | null> {
  const { file = false, endpoint = null } = host.traces ?? {};
  const target = targetOf(host.env, endpoint);
  if (!file && target.endpoint === null && target.problem === null) return null;
  return { ids: await idsOf(host.env, run, path), file, target };
}

const GENERAL = "OTEL_EXPORTER_OTLP_ENDPOINT";
const EXACT = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";

/** OpenTelemetry's own variables come before what files say. */
function targetOf(env: Env, configured: string | null): Target {
  const nowhere = { endpoint: null, isTheirs: true, headers: {}, problem: null };
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } = env;
  if (OTEL_SDK_DISABLED === "true" || OTEL_TRACES_EXPORTER === "none") return nowhere;
  const exact = env[EXACT] ?? "";
  const general = env[GENERAL] ?? "";
  const named = exact !== "" ? exact : general === "" ? "" : `${general.replace(/\/+$/, "")}/v1/traces`;
  if (named === "") return { ...nowhere, endpoint: configured, isTheirs: false };
  const protocol = env["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"] ?? env["OTEL_EXPORTER_OTLP_PROTOCOL"] ?? "";
  if (protocol === "grpc")
    return { ...nowhere, problem: "OTEL_EXPORTER_OTLP_PROTOCOL is grpc, but plait supports only http/json" };
  if (!URL.canParse(named) || !/^https?:$/.test(new URL(named).protocol))
    return {
      ...nowhere,
      problem: `${exact === "" ? GENERAL : EXACT} is not a URL such as http://localhost:4318`,
    };
  const headers = headersOf(
    env["OTEL_EXPORTER_OTLP_TRACES_HEADERS"] ?? env["OTEL_EXPORTER_OTLP_HEADERS"] ?? "",
  );
  return { endpoint: named, isTheirs: true, headers, problem: null };
}

/** `api-key=abc,tenant=a%20b`: as W3C baggage is written. What is none is left out. */
function headersOf(text: string): { readonly [name: string]: string } {
  const found = text.split(",").flatMap((pair) => {
    const [, name = "", value = ""] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    const decoded = /%[0-9a-f]{2}/i.test(value) ? decodedOr(value) : value;
    return name === "" || /[\r\n\0]/.test(decoded) ? [] : [[name.toLowerCase(), decoded] as const];
  });
  return Object.fromEntries(found);
}

function decodedOr(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return value;
  }
}

const PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/;

/** The trace that plait was started in, written down when the run starts: whoever resumes it stands somewhere else. */
const parentFile = (path: string): string => join(path, "traceparent");

export async function keepTraceParent({ env }: Host, path: string): Promise<void> {
  const { TRACEPARENT = "" } = env;
  if (PARENT.test(TRACEPARENT)) await writeWhole(parentFile(path), TRACEPARENT);
}

/** From names alone, so that a driver, the next one and a report call everything the same. */
async function idsOf(env: Env, run: RunId, path: string): Promise<TraceIds> {
  const kept = await readFile(parentFile(path), "utf8").catch(() => env["TRACEPARENT"] ?? ""); // before it starts
  const [, trace, parent] = PARENT.exec(kept) ?? [];
  return {
    trace: trace ?? digest(`plait trace ${run}`, 32),
    span: (key) => digest(`plait span ${run} ${key}`, 16),
    parent: parent ?? null,
  };
}

const digest = (text: string, digits: number): string =>
  createHash("sha256").update(text).digest("hex").slice(0, digits);

/** What the agent of an attempt is told, so that what it traces hangs below that attempt. */
export function traceEnv({ ids }: Tracing, attempt: AttemptId): Env {
  return { TRACEPARENT: `00-${ids.trace}-${ids.span(agentKey(attempt))}-01` };
}

export type TracedRun = {
  readonly facts: readonly Fact[];
  readonly state: RunState;
  readonly isRunning: boolean;
};

export async function traceDocument(
  host: Host,
  { facts, state, isRunning }: TracedRun,
  path: string,
): Promise<OtlpDocument> {
  const ids = await idsOf({}, state.run, path);
  return otlpDocument(spansOf(facts, state, isRunning), ids, {
    version: host.version,
    host: describeDriver(host).host,
  });
}

/** The trace of a run as it is now, one document on a line. */
export async function traceOf(host: Host, found: FoundRun): Promise<string> {
  const { facts, state, folder, driver } = found.known;
  const document = await traceDocument(host, { facts, state, isRunning: driver !== null }, folder.path);
  return `${JSON.stringify(maskTexts(document, await runMask(host, { repository: found.repository, folder })))}\n`;
}

const LIMIT_MS = 5_000;

/** Writes and sends it. Gives what went wrong, a sentence each, and never rejects. */
export async function exportTrace(host: Host, tracing: Tracing, end: EndOfRun): Promise<string[]> {
  try {
    return await sendTrace(host, tracing, end);
  } catch (error) {
    return [`cannot write the trace: ${end.mask(error instanceof Error ? error.message : String(error))}`];
  }
}

async function sendTrace(
  host: Host,
  { file, target }: Tracing,
  { folder, state, mask }: EndOfRun,
): Promise<string[]> {
  const { facts } = await readJournal<Fact>(folder.journal, { parse: parseFact });
  const document = maskTexts(
    await traceDocument(host, { facts, state, isRunning: false }, folder.path),
    mask,
  );
  if (file) await writeWhole(folder.trace, `${JSON.stringify(document)}\n`);
  if (target.problem !== null) return [`cannot send the trace: ${target.problem}`];
  if (target.endpoint === null) return [];
  const { headers, isTheirs } = target;
  const { fresh, keep } = await unsent(folder.path, target.endpoint, document);
  const sent = await postOnce(new URL(target.endpoint), JSON.stringify(fresh), {
    clock: clockOf(host),
    headers,
    limitMs: LIMIT_MS,
    reach: isTheirs ? "anywhere" : "outside-or-own",
  });
  if (sent.ok) await keep();
  return sent.ok ? [] : [`cannot send the trace: ${sent.says.trim()}`];
}

/**
 * A collector keeps every span that it gets: what it has already would be there twice after a resumed run. What changed since, as
 * the run itself, is told again, since nothing else can say that it went on.
 */
async function unsent(
  folder: string,
  endpoint: string,
  document: OtlpDocument,
): Promise<{ readonly fresh: OtlpDocument; readonly keep: () => Promise<void> }> {
  const path = join(folder, "trace-sent");
  const digestOf = (span: OtlpSpan): string => digest(`${endpoint}\n${JSON.stringify(span)}`, 24);
  const before = new Set((await readFile(path, "utf8").catch(() => "")).split("\n")); // none is there at first
  const fresh = onlySpans(document, (span) => !before.has(digestOf(span)));
  const spans = document.resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans);
  return { fresh, keep: () => writeWhole(path, `${spans.map(digestOf).join("\n")}\n`) };
}
