import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { postMessage } from "../../src/engines/local/webhook.ts";
import { type Clock, systemClock } from "../../src/util/clock.ts";

/** Pauses between tries take no time here; an answer has as long as it always has. */
const clock: Clock = {
  ...systemClock,
  setTimer: (ms, fire) => systemClock.setTimer(ms < 10_000 ? 0 : ms, fire),
};
/** A limit that is over at once. */
const hurried: Clock = { ...systemClock, setTimer: (_ms, fire) => systemClock.setTimer(0, fire) };

const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function sink(answer: (response: ServerResponse, n: number) => void) {
  const seen: (Pick<IncomingMessage, "method" | "url" | "headers"> & { body: string })[] = [];
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const one = { method, url, headers, body: "" };
    seen.push(one);
    request.setEncoding("utf8").on("data", (text: string) => (one.body += text));
    request.on("end", () => answer(response, seen.length));
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { seen, port, url: `http://127.0.0.1:${port}/hook?token=very-secret-token` };
}

describe("a message to a webhook", () => {
  test("where none of the addresses of a name answers, it says so", async () => {
    const both = [
      { address: "::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ];
    const lookup = ((_host, _options, done) => done(null, both)) as LookupFunction;
    // Nobody listens at port 1.
    const { text: said } = await postMessage("http://localhost:1/hook", {}, { clock, lookup });
    expect(said).toMatch(/^connect E\w+ .*\(localhost\)$/);
  });

  test("it is one POST of JSON", async () => {
    const there = await sink((response) => response.writeHead(204).end());
    const body = { event: "complete", manifest: "Läger", total: 2, succeeded: 1, failed: 1, skipped: 0 };
    expect((await postMessage(there.url, { ...body, duration_sec: 2.6 }, { clock })).text).toMatch(
      /^answered 204/,
    );
    expect(there.seen).toMatchObject([
      {
        method: "POST",
        url: "/hook?token=very-secret-token",
        headers: { "content-type": "application/json" },
      },
    ]);
    expect(JSON.parse(there.seen[0]?.body ?? "")).toEqual({ ...body, duration_sec: 2.6 });
  });

  test("it is tried three times where that may help, and once where it does not", async () => {
    const busy = await sink((response, n) => response.writeHead(n < 3 ? 503 : 204).end());
    expect((await postMessage(busy.url, {}, { clock })).text).toBe("answered 204 (127.0.0.1)");
    expect(busy.seen).toHaveLength(3);
    const down = await sink((response) => response.writeHead(500).end());
    expect((await postMessage(down.url, {}, { clock })).text).toBe("answered 500 (127.0.0.1)");
    expect(down.seen).toHaveLength(3);
    const gone = await sink((response) => response.writeHead(410).end());
    expect((await postMessage(gone.url, {}, { clock })).text).toBe("answered 410 (127.0.0.1)");
    expect(gone.seen).toHaveLength(1);
  });

  test("no redirect is followed, and nobody is waited for longer than ten seconds", async () => {
    const inside = await sink((response) => response.writeHead(204).end());
    const moved = await sink((response) => response.writeHead(307, { location: inside.url }).end());
    expect((await postMessage(moved.url, {}, { clock })).text).toMatch(/^answered 307; redirects are not/);
    expect(inside.seen).toEqual([]);
    const silent = await sink(() => undefined);
    expect((await postMessage(silent.url, {}, { clock: hurried })).text).toMatch(
      /^no response within 10 seconds/,
    );
  });

  test.each(["169.254.169.254", "10.0.0.7", "127.0.0.1", "::1", "fd00::1", "fe80::1", "::ffff:192.168.1.1"])(
    "a name that stands for %s is not connected to",
    async (address) => {
      const asked: string[] = [];
      const lookup = ((host, _options, done) => {
        asked.push(host);
        done(null, [{ address, family: address.includes(":") ? 6 : 4 }], 0);
      }) as LookupFunction;
      const { text: said } = await postMessage("https://hooks.example.com/x", {}, { clock, lookup });
      expect(said).toMatch(/are not allowed/);
      expect(asked).toEqual(["hooks.example.com"]);
    },
  );

  test.each([
    "https://169.254.169.254/latest",
    "https://[fd00::1]/",
    "https://0x0a000001/",
    "https://[::ffff:a00:1]/",
  ])("nor is the number itself: %s", async (url) =>
    expect((await postMessage(url, {}, { clock })).text).toMatch(/are not allowed/),
  );

  test("what is not encrypted goes to this machine only", async () => {
    expect((await postMessage("http://hooks.example.com/", {}, { clock })).text).toMatch(
      /^https is required/,
    );
  });

  test("one that a plan asks for reaches other machines only, by https", async () => {
    const here = await sink((response) => response.writeHead(204).end());
    const options = { clock, only: "outside" } as const;
    expect((await postMessage(here.url, {}, options)).text).toMatch(/^https is required/);
    for (const host of [`127.0.0.1:${here.port}`, "localhost", "[::1]", "a.localhost"]) {
      expect((await postMessage(`https://${host}/`, {}, options)).text).toMatch(/are not allowed/);
    }
    expect(here.seen).toEqual([]);
  });
});
