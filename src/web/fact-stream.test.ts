import { createServer, get, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import type { RunFeed } from "../app/index.ts";
import type { Activity } from "../core/activity.ts";
import type { Fact } from "../core/facts.ts";
import type { AttemptId } from "../core/ids.ts";
import { streamFacts } from "./fact-stream.ts";

/** A run that the test makes happen. */
function bench() {
  const listeners = new Set<() => void>();
  const state = { isReported: true, isRunning: true, unreadable: null as ReturnType<RunFeed["unreadable"]> };
  const facts: Fact[] = [];
  const doing = new Map<AttemptId, Activity>();
  const feed: RunFeed = {
    facts,
    isPastTold: () => state.isReported,
    isRunning: () => state.isRunning,
    now: () => 7,
    activity: () => doing,
    unreadable: () => state.unreadable,
    subscribe: (changed) => {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
    close: () => undefined,
  };
  const happen = (count: number, detail = "") => {
    for (let i = 0; i < count; i += 1)
      facts.push({ v: 1, at: facts.length, type: "effect.failed", key: "k", detail });
    changed();
  };
  const changed = () => {
    for (const listener of listeners) listener();
  };
  return { feed, state, doing, happen, changed, listeners };
}

/** A server that streams a feed to whoever asks. */
async function serve(feed: RunFeed, since = 0) {
  const responses: ServerResponse[] = [];
  const server = createServer((_, response) => {
    responses.push(response);
    streamFacts(feed, response, { since, commentMs: 20 });
  });
  server.setTimeout(300, (socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { responses, port };
}

async function listen(feed: RunFeed, since = 0): Promise<{ text: () => string }> {
  const { port } = await serve(feed, since);
  let text = "";
  await new Promise<void>((resolve) => {
    get({ port, host: "127.0.0.1" }, (response) => {
      response.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      response.on("error", () => undefined);
      resolve();
    }).on("error", () => undefined);
  });
  return { text: () => text };
}

const kinds = (text: string): string[] =>
  [...text.matchAll(/(?:^id: (\d+)\n)?^event: (\w+)$/gm)].map(
    ([, id, kind]) => (id === undefined ? kind : id) ?? "",
  );

test("a page hears the past, whether it is driven, what is being done, and then what happens", async () => {
  const { feed, state, doing, happen, changed } = bench();
  state.isReported = false;
  happen(3);
  const attempt = "a/1" as AttemptId;
  doing.set(attempt, {
    attempt,
    at: 1,
    action: "Edit",
    usage: { costUsd: null, inputTokens: 1, outputTokens: 1 },
  });
  const heard = await listen(feed, 1);
  await vi.waitUntil(() => kinds(heard.text()).length === 2);
  state.isReported = true;
  changed();
  await vi.waitUntil(() => kinds(heard.text()).includes("live"));
  happen(1, "two\nlines");
  state.isRunning = false;
  changed();
  changed(); // what is known is not told again
  await vi.waitUntil(() => kinds(heard.text()).length === 7);
  expect(kinds(heard.text())).toEqual(["1", "2", "clock", "activity", "live", "3", "clock"]);
  expect(heard.text()).toContain('data: {"isRunning":false,"now":7}\n\n');
  expect(heard.text()).toContain("\n: here\n\n");
});

test("the end of what can be read is told once; also to a page that knows more than the journal", async () => {
  const { feed, state, happen, changed } = bench();
  happen(2);
  state.unreadable = { problem: "damaged", hint: "mend it" };
  const heard = await listen(feed);
  await vi.waitUntil(() => heard.text().includes("unreadable"));
  changed();
  expect(heard.text()).toContain('event: unreadable\ndata: {"n":2,"problem":"damaged","hint":"mend it"}');
  const ahead = await listen(feed, 9);
  await vi.waitUntil(() => ahead.text().includes("the journal is shorter"));
  expect(heard.text().match(/event: unreadable/g)).toHaveLength(1);
});

test("a page that does not read costs a few kilobytes, loses its connection, and nothing is left of it (I10)", async () => {
  const { feed, happen, listeners } = bench();
  happen(3_000, "x".repeat(10_000)); // far more than a system keeps for a connection
  const { responses, port } = await serve(feed);
  get({ port, host: "127.0.0.1" }, (response) => {
    response.pause();
    response.on("error", () => undefined);
  }).on("error", () => undefined);
  await vi.waitUntil(() => responses[0]?.writableNeedDrain === true);
  happen(3_000, "x".repeat(10_000));
  expect(responses[0]?.writableLength).toBeLessThan(300_000);
  await vi.waitUntil(() => responses[0]?.destroyed === true, { timeout: 5_000 });
  expect(listeners.size).toBe(0);
});
