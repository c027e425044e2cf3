// The server of the page: for this machine alone, and for who has the link. Facts, texts and actions come from app/; here is
// only the way there: limits, checks, routes, answers.

import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { OrRefusal, PageRuns } from "../app/index.ts";
import { answer } from "./answer-route.ts";
import { sendProblem } from "./answers.ts";
import { atMost, type Gate } from "./at-most.ts";
import { type Asked, createGuard, type Guard, METHODS, newToken } from "./guard.ts";

export type PageServer = {
  /** With the token in its fragment, which no server sees. */
  readonly url: string;
  /** How many pages hear of a run now. */
  readonly viewers: () => number;
  readonly close: () => Promise<void>;
};

export type PageServerOptions = {
  readonly runs: PageRuns;
  /** 0 is any that is free. */
  readonly port: number;
  /** Told of our own mistakes; whoever asked hears only that there was one. */
  readonly onMistake: (message: string) => void;
  readonly limits?: Partial<Limits>;
  /** A new one where it is left out. */
  readonly token?: string;
};

const HOST = "127.0.0.1";
/** Logs and diffs are megabytes in memory each, and git is a process: so many at once, others wait (I10). */
const MOST_READING = 4;

export async function startPageServer(
  options: PageServerOptions,
): Promise<OrRefusal<{ server: PageServer }>> {
  const files = await readPageFiles();
  if (files === null) {
    const refusal = { message: "the web UI is not built", hint: "build it: npm run build" };
    return { ok: false, refusal: { kind: "environment", ...refusal } };
  }
  const limits = { ...LIMITS, ...options.limits };
  const server = limitedServer(limits);
  const failed = await listening(server, options.port);
  if (failed !== null) return { ok: false, refusal: failed };
  const { port } = server.address() as AddressInfo; // it listens at a port
  const { token = newToken() } = options;
  const guard = createGuard({ port, token });
  const viewers = new Set<ServerResponse>();
  const reading = atMost(MOST_READING);
  server.on("request", handler({ ...options, files, guard, limits, viewers, reading }));
  const url = `http://${HOST}:${port}/#token=${token}`;
  const close = (): Promise<void> => closed(server, options);
  return { ok: true, server: { url, viewers: () => viewers.size, close } };
}

export type Serving = Pick<PageServerOptions, "runs" | "onMistake"> & {
  readonly files: PageFiles;
  readonly guard: Guard;
  readonly limits: Limits;
  readonly viewers: Set<ServerResponse>;
  readonly reading: Gate;
};

/** Never throws and never rejects: this process may also run a run. */
function handler(serving: Serving): (request: IncomingMessage, response: ServerResponse) => void {
  const { guard, onMistake } = serving;
  return (request, response) => {
    response.on("error", () => response.destroy()); // the client is gone
    const asked: Asked = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headersDistinct,
    };
    const stranger = guard.stranger(asked);
    if (stranger !== null) {
      if (stranger.status === 405) response.setHeader("Allow", METHODS.join(", "));
      return sendProblem(response, stranger.status, stranger);
    }
    answer(serving, asked, { request, response }).catch((error: unknown) => {
      onMistake(error instanceof Error ? error.message : String(error));
      if (response.headersSent) return void response.destroy();
      const hint = "read the error in the terminal that serves the web UI";
      sendProblem(response, 500, { message: "internal error in plait", hint });
    });
  };
}

function limitedServer({ headersMs, requestMs, silenceMs, connections }: Limits): Server {
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(500, headersMs),
    keepAliveTimeout: 5_000,
    maxHeaderSize: 8 * 1024,
  });
  server.maxConnections = connections;
  server.setTimeout(silenceMs, (socket) => socket.destroy());
  return server;
}

/** Null when it listens. */
function listening(server: Server, port: number) {
  return new Promise<Extract<OrRefusal<object>, { ok: false }>["refusal"] | null>((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      const message = isTaken ? `port ${port} is in use` : `cannot listen on port ${port}: ${error.message}`;
      resolve({
        kind: "environment",
        message,
        hint: "choose another port, or let plait choose: leave out --port",
      });
    });
    server.listen({ host: HOST, port, exclusive: true }, () => {
      server.removeAllListeners("error");
      server.on("error", () => undefined); // of one connection that could not be accepted
      resolve(null);
    });
  });
}

/** Streams end with it: pages come back to whoever serves next. */
function closed(server: Server, { runs }: PageServerOptions): Promise<void> {
  runs.close();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** What one who asks may take: of time, and of places. */
export type Limits = {
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long somebody may take nothing of what is sent. */
  readonly silenceMs: number;
  readonly commentMs: number;
  readonly connections: number;
};

export const LIMITS: Limits = {
  headersMs: 2_000,
  requestMs: 10_000,
  silenceMs: 45_000,
  commentMs: 15_000,
  connections: 64,
};

/** The built page: a table of its files, by name. What is not in it does not exist, whatever lies on the disk. */
export type PageFiles = ReadonlyMap<string, PageFile>;

export type PageFile = { readonly type: string; readonly bytes: Buffer };

const TYPES = {
  "index.html": "text/html; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
  "more.js": "text/javascript; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
  "page.svg": "image/svg+xml",
} as const;

/**
 * The build puts them into dist/ui, which is two folders up from here both in dist/lib and in the chunks of dist/cli; where plait
 * runs from its sources, they are in the dist of these. Null where the page was not built.
 */
const PLACES = ["ui", "dist/ui"];

async function readPageFiles(): Promise<PageFiles | null> {
  const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
  for (const place of PLACES) {
    const files = await readAll(join(root, place));
    if (files !== null) return files;
  }
  return null;
}

async function readAll(folder: string): Promise<PageFiles | null> {
  const files = new Map<string, PageFile>();
  for (const [name, type] of Object.entries(TYPES)) {
    const bytes = await readFile(join(folder, name)).catch(() => null);
    if (bytes === null) return null;
    files.set(name, { type, bytes });
  }
  return files;
}
