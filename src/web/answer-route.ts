// From a request that may be answered to its answer.

import type { IncomingMessage, ServerResponse } from "node:http";
import { type OrRefusal, parseAction } from "../app/index.ts";
import { send, sendJson, sendProblem } from "./answers.ts";
import { streamFacts } from "./fact-stream.ts";
import type { Asked, Rejected } from "./guard.ts";
import type { Serving } from "./page-server.ts";
import { count, type Route, routeOf } from "./routes.ts";

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

export async function answer(serving: Serving, asked: Asked, { request, response }: Exchange): Promise<void> {
  const { files, guard, runs } = serving;
  const isApi = asked.path.startsWith("/api/");
  const unknown = isApi ? guard.unknown(asked) : null;
  if (unknown !== null) return sendProblem(response, unknown.status, unknown);
  const route = routeOf(asked.path, new Set(files.keys()));
  if (route === null) return sendProblem(response, 404, NOTHING);
  const isChange = route.kind === "actions";
  if (isChange !== (asked.method === "POST")) {
    response.setHeader("Allow", isChange ? "POST" : "GET, HEAD");
    const message = isChange ? "actions are changes" : "this URL is read-only";
    return sendProblem(response, 405, { message, hint: isChange ? "use POST" : "use GET" });
  }
  switch (route.kind) {
    case "file":
      return sendFile(serving, route.name, response);
    case "facts":
      return sendFacts(serving, route, { request, response });
    case "actions":
      return act(serving, route.run, { request, response });
    case "session":
      return sendJson(response, 200, runs.session);
    case "runs":
      return sendJson(response, 200, await runs.runs());
    default:
      return sendDocument(response, await serving.reading(() => documentOf(serving, route)));
  }
}

const NOTHING = { message: "unknown address", hint: "open the link that plait printed" };

type DocumentRoute = Extract<Route, { kind: "text" | "prompt" | "transcript" | "log" | "diff" }>;

async function documentOf(
  { runs }: Serving,
  route: DocumentRoute,
): Promise<OrRefusal<{ document: unknown }>> {
  const of = async <T>(answered: Promise<OrRefusal<T>>, pick: (found: T) => unknown) => {
    const found = await answered;
    return found.ok ? { ok: true as const, document: pick(found) } : found;
  };
  switch (route.kind) {
    case "text":
      return of(runs.text(route.run, route.hash), ({ text }) => text);
    case "prompt":
      return of(runs.prompt(route), ({ prompt }) => prompt);
    case "transcript":
      return of(runs.transcript(route, route.from), ({ page }) => page);
    case "log":
      return of(runs.log(route), ({ log }) => log);
    case "diff":
      return of(runs.diff(route, route.against), ({ diff }) => diff);
  }
}

function sendDocument(response: ServerResponse, found: OrRefusal<{ document: unknown }>): void {
  if (found.ok) sendJson(response, 200, found.document);
  else sendProblem(response, found.refusal.kind === "request" ? 404 : 409, found.refusal);
}

function sendFile({ files }: Serving, name: string, response: ServerResponse): void {
  const file = files.get(name);
  if (file === undefined) sendProblem(response, 404, NOTHING);
  else send(response, 200, file);
}

async function sendFacts(
  { runs, limits, viewers }: Serving,
  { run, since }: Extract<Route, { kind: "facts" }>,
  { request, response }: Exchange,
): Promise<void> {
  const looking = await runs.look(run);
  if (!looking.ok) return sendProblem(response, 404, looking.refusal);
  const { feed, leave } = looking;
  response.on("close", () => {
    viewers.delete(response);
    leave();
  });
  if (response.destroyed) return leave();
  const last = count(request.headers["last-event-id"]?.toString() ?? null);
  if (request.method === "HEAD") return sendJson(response, 200, null);
  viewers.add(response);
  streamFacts(feed, response, { since: last === null ? since : last + 1, commentMs: limits.commentMs });
}

async function act({ runs }: Serving, run: string, { request, response }: Exchange): Promise<void> {
  const body = await readBody(request);
  if (!body.ok) return sendProblem(response, body.rejected.status, body.rejected);
  const parsed = parseAction(body.value);
  if (!parsed.ok) return sendProblem(response, 400, { message: parsed.problem, hint: "reload the web UI" });
  request.setTimeout(0); // nothing is said meanwhile, and what is done may take its time
  const answered = await runs.act(run, parsed.action);
  sendJson(response, answered.ok ? 200 : 409, answered);
}

type Body =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly rejected: Rejected };

const MOST_BYTES = 16 * 1024;

/**
 * The JSON of a request. Forms on other sites can send any content type but this one without a preflight, and preflights are
 * refused.
 */
async function readBody(request: IncomingMessage): Promise<Body> {
  const { "content-type": type = "", "content-encoding": encoding } = request.headers;
  if (!/^application\/json(?:;\s*charset=utf-8)?$/i.test(type) || encoding !== undefined)
    return reject(415, "an action must be JSON", "send it as: Content-Type: application/json");
  const text = await readText(request);
  if (text === null) return reject(413, "the action is too long", `send at most ${MOST_BYTES} bytes`);
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return reject(400, "invalid JSON", 'send an action, for example: {"kind":"pause"}');
  }
}

/** Null where it is too long: the rest stays unread. */
function readText(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= MOST_BYTES) return;
      request.pause();
      resolve(null);
    });
    for (const end of ["end", "close", "error"])
      request.on(end, () => resolve(Buffer.concat(chunks).toString("utf8")));
    if (Number(request.headers["content-length"] ?? 0) > MOST_BYTES) resolve(null);
  });
}

function reject(status: number, message: string, hint: string): Body {
  return { ok: false, rejected: { status, message, hint } };
}
