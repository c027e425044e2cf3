import { request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { PageRuns } from "../../src/app/index.ts";
import type { RunId } from "../../src/core/ids.ts";
import type { Limits, PageServer } from "../../src/web/page-server.ts";
import type { Place } from "../cli/place.ts";
import { main, root } from "../cli/plait.ts";

/** The server as it is built, over runs in a small real repository, and ways to ask it what no browser would. */

const lib = join(root, "dist/lib");
const { openPageRuns }: typeof import("../../src/app/index.ts") = await import(join(lib, "app/index.js"));
const { startPageServer }: typeof import("../../src/web/page-server.ts") = await import(
  join(lib, "web/page-server.js")
);

export type Served = {
  readonly server: PageServer;
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  readonly token: string;
  /** What went wrong in plait itself. */
  readonly mistakes: readonly string[];
};

export type ServeOptions = {
  readonly run?: string;
  readonly port?: number;
  readonly token?: string;
  readonly limits?: Partial<Limits>;
  readonly runs?: Partial<PageRuns>;
};

export async function serve({ repo, env }: Place, options: ServeOptions = {}): Promise<Served> {
  const host = {
    ...{ cwd: repo, env, version: "test", command: "a test", allowRoot: true, allowNested: true },
  };
  const program = (words: readonly string[]) => [
    ...[process.execPath, main, ...words, "--allow-root", "--allow-nested"],
  ];
  const opened = await openPageRuns(host, { run: (options.run ?? null) as RunId | null, program });
  if (!opened.ok) throw new Error(opened.refusal.message);
  const mistakes: string[] = [];
  const started = await startPageServer({
    runs: { ...opened.runs, ...options.runs },
    port: options.port ?? 0,
    onMistake: (message) => mistakes.push(message),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.token === undefined ? {} : { token: options.token }),
  });
  if (!started.ok) throw new Error(started.refusal.message);
  const { server } = started;
  const { origin, port, hash } = new URL(server.url);
  return {
    server,
    url: server.url,
    origin,
    port: Number(port),
    token: hash.replace("#token=", ""),
    mistakes,
  };
}

/** For one test alone. */
export async function serveHere(place: Place, options: ServeOptions = {}): Promise<Served> {
  const served = await serve(place, options);
  onTestFinished(() => served.server.close());
  return served;
}

export type Answer = {
  readonly status: number;
  readonly headers: { readonly [name: string]: unknown };
  readonly text: string;
};

export type Question = {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  /** Null asks without one; else the right one is sent. */
  readonly token?: string | null;
};

/** The path goes out as it is: nobody tidies it up on the way. */
export function ask(served: Served, path: string, question: Question = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body, token = served.token } = question;
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      {
        ...{ host: "127.0.0.1", port: served.port, path, method, agent: false },
        headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece: string) => {
          text += piece;
          if (response.headers["content-type"]?.startsWith("text/event-stream") === true) response.destroy();
        });
        response.on("close", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
        response.on("error", () => undefined);
      },
    );
    asked.on("error", reject);
    asked.end(body);
  });
}

/** Bytes to the server, and all that comes back until it ends the connection. */
export function send(served: Served, ...pieces: readonly string[]): Promise<{ text: string; ms: number }> {
  return new Promise((resolve) => {
    const begun = performance.now();
    let text = "";
    const socket = connect(served.port, "127.0.0.1", () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve({ text, ms: performance.now() - begun }));
  });
}

export const act = (served: Served, run: string, action: unknown, headers: OutgoingHttpHeaders = {}) =>
  ask(served, `/api/runs/${run}/actions`, {
    ...{ method: "POST", body: JSON.stringify(action) },
    headers: { "content-type": "application/json", ...headers },
  });
