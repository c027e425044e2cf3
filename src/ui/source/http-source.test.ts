import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import type { RunId } from "../../core/ids.ts";
import type { RunEvent } from "../../report/page/wire.ts";
import type { Pace } from "./follow-facts.ts";
import { sourceAt } from "./http-source.ts";
import { takeToken } from "./shared-token.ts";
import type { Connection } from "./source.ts";

type Answer = (request: IncomingMessage, response: ServerResponse, asked: number) => void;

async function serve(answer: Answer): Promise<{ origin: string; token: string }> {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    answer(request, response, asked);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: "t".repeat(43) };
}

/** Follows until the connection is as wanted, or until the last event is there. */
async function follow(
  server: { origin: string; token: string },
  isDone: (seen: { events: RunEvent[]; connections: Connection[] }) => boolean,
  pace: Partial<Pace> = {},
) {
  const seen: { events: RunEvent[]; connections: Connection[] } = { events: [], connections: [] };
  const source = sourceAt({
    ...server,
    pace: { firstMs: 5, mostMs: 20, silenceMs: 20_000, answerMs: 20_000, ...pace },
  });
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  await new Promise<void>((resolve) => {
    const look = () => {
      if (isDone(seen)) resolve();
    };
    const listener = {
      event: (event: RunEvent) => {
        seen.events.push(event);
        look();
      },
      connection: (connection: Connection) => {
        seen.connections.push(connection);
        look();
      },
    };
    source.follow("r1" as RunId, 0, listener, abort.signal);
  });
  return seen;
}

const fact = (n: number): string => `id: ${n}\nevent: fact\ndata: {"n":${n},"fact":{"at":${n}}}\n\n`;

function stream(response: ServerResponse, text: string): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.write(text);
}

test("after a connection broke, the run is asked for from the first fact that is not known: none is lost, none told twice", async () => {
  const since: (string | undefined)[] = [];
  const server = await serve((request, response, asked) => {
    since.push(request.headers["last-event-id"]?.toString());
    if (asked === 1) {
      stream(response, fact(0) + fact(1));
      setTimeout(() => response.destroy(), 20); // in the middle of nothing
    } else if (asked === 2) response.destroy();
    else if (asked === 3)
      stream(response, fact(1) + fact(2) + fact(4)); // one again, and then a gap
    else stream(response, `${fact(3)}event: live\ndata: {}\n\n`);
  });
  const { events, connections } = await follow(server, ({ events }) => events.at(-1)?.kind === "live");
  expect(events.flatMap((event) => (event.kind === "fact" ? [event.n] : []))).toEqual([0, 1, 2, 3]);
  expect(since).toEqual([undefined, "1", "1", "2"]);
  expect(connections.map(({ kind }) => kind)).toEqual([
    ...["connecting", "open", "lost", "lost", "open", "lost", "open"],
  ]);
  const [first, second] = connections.filter((one) => one.kind === "lost");
  expect(second?.since).toBe(first?.since);
});

test("another program that took the port, and answers everything with its own page, is not taken for the run", async () => {
  const server = await serve((_, response, asked) => {
    if (asked < 3) response.writeHead(200, { "Content-Type": "text/html" }).end("<p>mine</p>");
    else stream(response, fact(0));
  });
  const { connections } = await follow(server, ({ events }) => events.length > 0);
  expect(connections.map(({ kind }) => kind)).toEqual(["connecting", "lost", "lost", "open"]);
});

test("a server that says nothing any more is taken for gone", async () => {
  const server = await serve((_, response) => stream(response, fact(0)));
  const { connections } = await follow(server, ({ connections }) => connections.at(-1)?.kind === "lost", {
    silenceMs: 200,
  });
  expect(connections.map(({ kind }) => kind)).toEqual(["connecting", "open", "lost"]);
  const { since, retryAt } = connections.at(-1) as Extract<Connection, { kind: "lost" }>;
  expect(retryAt - since).toBeGreaterThanOrEqual(200); // since it was heard, not since it was missed
});

test("a server that takes a question and does not answer it is asked again", async () => {
  const server = await serve((_, response, asked) => {
    if (asked > 2) stream(response, fact(0));
  });
  const { connections } = await follow(server, ({ events }) => events.length > 0, { answerMs: 300 });
  expect(connections.map(({ kind }) => kind)).toEqual(["connecting", "lost", "lost", "open"]);
});

test("who wakes from sleep does not wait for a timer that slept as well", async () => {
  const { now } = Date;
  let sleptMs = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + sleptMs);
  onTestFinished(() => clock.mockRestore());
  const server = await serve((_, response) => {
    stream(response, fact(0));
    setTimeout(() => {
      sleptMs = 1_800_000;
    }, 100);
  });
  const { connections } = await follow(server, ({ connections }) => connections.at(-1)?.kind === "lost", {
    silenceMs: 40_000,
  });
  const { since, retryAt } = connections.at(-1) as Extract<Connection, { kind: "lost" }>;
  expect(retryAt - since).toBeGreaterThanOrEqual(1_800_000);
});

test("a server that does not know the page, or the run, is not asked again, and the page is told what to do", async () => {
  let count = 0;
  const server = await serve((_, response) => {
    count += 1;
    response.writeHead(401).end(JSON.stringify({ message: "not known", hint: "open the link" }));
  });
  const { connections } = await follow(server, ({ connections }) => connections.at(-1)?.kind === "refused");
  expect(connections.at(-1)).toEqual({ kind: "refused", message: "Not known. Open the link." });
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(count).toBe(1);
});

test("the token goes with every request, in a header and nowhere else, and what is refused is a sentence", async () => {
  const asked: { url: string | undefined; token: string | undefined; body: string }[] = [];
  const server = await serve((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => {
      body += piece;
    });
    request.on("end", () => {
      asked.push({ url: request.url, token: request.headers.authorization, body });
      const status = request.url?.endsWith("/actions") === true ? 409 : 404;
      response.writeHead(status).end(JSON.stringify({ ok: false, message: "no", hint: "do" }));
    });
  });
  const source = sourceAt(server);
  const run = "r1" as RunId;
  const attempt = { run, task: "tax" as never, n: 2 };
  await expect(source.diff(attempt, "tax/1" as never)).rejects.toMatchObject({ message: "no", hint: "do" });
  await expect(source.transcript(attempt, "9.ab")).rejects.toMatchObject({ message: "no" });
  expect(await source.act(run, { kind: "pause" })).toEqual({ ok: false, message: "no", hint: "do" });
  const token = `Bearer ${server.token}`;
  expect(asked).toEqual([
    { url: "/api/runs/r1/tasks/tax/attempts/2/diff?against=1", token, body: "" },
    { url: "/api/runs/r1/tasks/tax/attempts/2/transcript?from=9.ab", token, body: "" },
    { url: "/api/runs/r1/actions", token, body: '{"kind":"pause"}' },
  ]);
});

test("a server that is gone is told in words, also where something was asked of a run", async () => {
  const source = sourceAt({ origin: "http://127.0.0.1:1", token: null });
  await expect(source.session()).rejects.toMatchObject({ message: "plait is not responding." });
  expect(await source.act("r1" as RunId, { kind: "pause" })).toMatchObject({ ok: false });
});

test("the token of a link leaves the address at once and stays for this window", () => {
  const kept = new Map<string, string>();
  const shown: string[] = [];
  const places = (hash: string) => ({
    location: { hash, pathname: "/" },
    history: { replaceState: (_: null, __: string, url: string) => void shown.push(url) },
    sessionStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    },
  });
  expect(takeToken(places("#/run/checkout-k7f2/graph"))).toBeNull();
  const token = "A-_9".repeat(10);
  expect(takeToken(places(`#token=${token}`))).toBe(token);
  expect(shown).toEqual(["/"]);
  expect(takeToken(places("#/run/checkout-k7f2/graph"))).toBe(token); // loaded again
});

test("where the browser keeps nothing for sites, the link works all the same, until the page is loaded again", () => {
  const places = (hash: string) => ({
    location: { hash, pathname: "/" },
    history: { replaceState: () => undefined },
    get sessionStorage(): Storage {
      throw new Error("access is denied");
    },
  });
  const token = "A-_9".repeat(10);
  expect(takeToken(places(`#token=${token}`))).toBe(token);
  expect(takeToken(places(""))).toBeNull();
});
