// A model on loopback that does what a script says, behind the parts of two APIs that agents use: Anthropic's Messages and OpenAI's
// Responses. What it does not know it notes and answers harmlessly.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { eventsOf, messageOf, newId, type StreamEvent } from "./model-message.ts";
import { responseEvents } from "./model-response.ts";
import type { Answer, Fault, Refusal, Scripts, Step } from "./model-script.ts";

export type ModelServer = {
  /** For ANTHROPIC_BASE_URL; the base of OpenAI's is /v1 below it. */
  readonly url: string;
  /** All that were received, in order. */
  readonly requests: readonly ModelRequest[];
  /** Those that a script answered. */
  readonly requestsOf: (script: string) => readonly ModelRequest[];
  /** Adds scripts; one that is there already begins anew. */
  readonly play: (scripts: Scripts) => void;
  /** The request that gets this step of a script, counted from 0, as soon as it came. */
  readonly reached: (script: string, step: number) => Promise<ModelRequest>;
  readonly close: () => Promise<void>;
};

export type ModelRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** Null where it is none. */
  readonly body: ModelBody | null;
  /** Whose turn it was; null where no script is named. */
  readonly turn: Turn | null;
  /** Resolves when the answer is complete (true), or the client hung up before (false). */
  readonly answered: Promise<boolean>;
};

type Turn = { readonly script: string; readonly step: number };

/** As far as it is looked at. */
export type ModelBody = {
  readonly model: string;
  readonly stream?: boolean;
  readonly system?: unknown;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages?: readonly Said[];
  /** What the Responses API calls messages; what tools were used stands between them. */
  readonly input?: readonly Said[];
};

type Said = { readonly role?: string; readonly content?: string | readonly Content[] };
type Content = { readonly type: string; readonly text?: string };

export async function startModelServer(scripts: Scripts = {}): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const playing = new Map<string, { readonly steps: readonly Step[]; next: number }>();
  const awaited = new Set<() => void>();

  const play = (more: Scripts): void => {
    for (const [name, steps] of Object.entries(more)) playing.set(name, { steps, next: 0 });
  };

  function takeTurn(script: string): { turn: Turn; step: Step } | null {
    const part = playing.get(script);
    if (part === undefined) return null;
    const turn = { script, step: part.next };
    part.next += 1;
    return { turn, step: stepAt(part.steps, turn.step) };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = parseBody(await text(request));
    const path = new URL(request.url ?? "/", "http://model").pathname;
    const { method = "GET", headers } = request;
    const isAsked = method === "POST" && body !== null && Object.hasOwn(STREAMS, path);
    const taken = isAsked ? takeTurn(scriptNamedIn(body)) : null;
    const answered = new Promise<boolean>((resolve) => {
      response.once("close", () => resolve(response.writableFinished));
    });
    requests.push({ method, path, headers, body, turn: taken?.turn ?? null, answered });
    for (const look of awaited) look();
    if (isAsked) perform(taken?.step ?? UNSCRIPTED, { path, body }, response);
    else answerOther(path, response);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  play(scripts);

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    requestsOf: (script) => requests.filter(({ turn }) => turn?.script === script),
    play,
    reached: (script, step) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = requests.find(({ turn }) => turn?.script === script && turn.step === step);
          if (found === undefined) return;
          awaited.delete(look);
          resolve(found);
        };
        awaited.add(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const UNSCRIPTED: Answer = { text: "There is no script for this conversation." };
const AT_THE_END: Answer = { text: "Done." };

function stepAt(steps: readonly Step[], index: number): Step {
  const last = steps.at(-1);
  return steps[index] ?? (last !== undefined && isFault(last) ? last : AT_THE_END);
}

function isFault(step: Step): step is Fault {
  return "status" in step || "stallAfter" in step || "cutAfter" in step;
}

function parseBody(json: string): ModelBody | null {
  try {
    const body = JSON.parse(json);
    return Array.isArray(body?.messages ?? body?.input) ? body : null;
  } catch {
    return null; // HEAD and GET have none
  }
}

/** What tools printed is not looked at: it may quote anything. */
function scriptNamedIn({ messages, input }: ModelBody): string {
  const said = (messages ?? input ?? [])
    .filter(({ role }) => role === "user")
    .flatMap(({ content = "" }) =>
      typeof content === "string" ? [content] : content.map((one) => one.text ?? ""),
    );
  return [...said.join("\n").matchAll(/\[script ([^\]]+)\]/g)].at(-1)?.[1] ?? "";
}

/** How each API writes an answer as a stream. */
const STREAMS: { readonly [path: string]: (answer: Answer, model: string) => StreamEvent[] } = {
  "/v1/messages": (answer, model) => eventsOf(messageOf(answer, model)),
  "/v1/responses": responseEvents,
};

type Asked = { readonly path: string; readonly body: ModelBody };

function perform(step: Step, { path, body }: Asked, response: ServerResponse): void {
  if ("status" in step) {
    refuse(step, response);
    return;
  }
  const streamed = STREAMS[path] ?? (() => []);
  if (isFault(step)) {
    const events = streamed({ text: "I begin, and" }, body.model);
    writeEvents(events.slice(0, "stallAfter" in step ? step.stallAfter : step.cutAfter), response);
    if ("cutAfter" in step) setImmediate(() => response.destroy());
    return;
  }
  if (body.stream === true) {
    writeEvents(streamed(step, body.model), response);
    response.end();
  } else writeJson(200, messageOf(step, body.model), response);
}

function refuse({ status, type, message, headers = {}, more }: Refusal, response: ServerResponse): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  writeJson(status, { type: "error", error: { type, message, ...more }, request_id: newId("req") }, response);
}

function writeEvents(events: readonly StreamEvent[], response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "request-id": newId("req") });
  response.flushHeaders();
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function answerOther(path: string, response: ServerResponse): void {
  if (path === "/v1/messages/count_tokens") writeJson(200, { input_tokens: 100 }, response);
  else writeJson(path === "/" ? 200 : 404, {}, response);
}

function writeJson(status: number, value: object, response: ServerResponse): void {
  response.writeHead(status, { "content-type": "application/json", "request-id": newId("req") });
  response.end(JSON.stringify(value));
}
