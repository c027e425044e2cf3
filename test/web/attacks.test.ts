import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalRun } from "../../src/app/index.ts";
import { LIMITS } from "../../src/web/page-server.ts";
import { makePlace, type Place } from "../cli/place.ts";
import { begin } from "../cli/run-place.ts";
import { type Answer, act, ask, type Served, send, serve, serveHere } from "./served.ts";

/**
 * What another web page, another user of the machine, or whoever reaches the port could try. A run is driven meanwhile and waits:
 * nothing of this may move it. Each defence was taken out once, and its test was red.
 */
let place: Place;
let run: LocalRun;
let ended: Promise<unknown>;
let served: Served;

const PLAN = `plait: 1
name: prey
defaults: { agent: demo }
tasks:
  - id: slow
    prompt: |
      demo: run sleep 60
`;

beforeAll(async () => {
  place = makePlace();
  run = await begin(place, PLAN);
  ended = run.drive();
  served = await serve(place);
});

afterAll(async () => {
  await served.server.close();
  await run.ask({ kind: "stop", mode: "kill" });
  await ended;
});

const facts = (): string => `/api/runs/${run.view.run}/facts`;
const actions = (): string => `/api/runs/${run.view.run}/actions`;
const isMoved = (): boolean => run.view.state().paused || run.view.state().stopping !== null;
const statusOf = ({ status }: Answer): number => status;

describe("a page of another site", () => {
  it("cannot ask under a name of its own that leads here (DNS rebinding)", async () => {
    const { port } = served;
    const names = ["evil.example", `evil.example:${port}`, "127.0.0.1@evil.example", `127.0.0.1:${port}x`];
    for (const host of [
      ...names,
      `127.0.0.1.evil.example:${port}`,
      `localhost.:${port}`,
      `0.0.0.0:${port}`,
    ]) {
      expect(await ask(served, facts(), { headers: { host } }).then(statusOf)).toBe(421);
      expect(await ask(served, "/", { headers: { host } }).then(statusOf)).toBe(421);
    }
    const token = `Connection: close\r\nAuthorization: Bearer ${served.token}\r\n`;
    expect((await send(served, `GET ${facts()} HTTP/1.0\r\n${token}\r\n`)).text).toMatch(/^HTTP\/1.1 421 /);
    const two = `Host: 127.0.0.1:${port}\r\nHost: evil.example\r\n`;
    expect((await send(served, `GET ${facts()} HTTP/1.1\r\n${two}${token}\r\n`)).text).toMatch(/ 4(21|00) /);
    const absolute = `GET http://evil.example${facts()} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${token}\r\n`;
    expect((await send(served, absolute)).text).not.toMatch(/^HTTP\/1.1 200 /);
    expect(await ask(served, "/", { headers: { host: `LOCALHOST:${port}` } }).then(statusOf)).toBe(200);
  });

  it("is no page that came here through another port of this machine (ssh -L): that one asks under its own name", async () => {
    for (const host of ["127.0.0.1", "127.0.0.1:9000", "localhost:9000", "[::1]:9000"]) {
      const own = { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" };
      expect(await ask(served, "/api/session", { headers: own }).then(statusOf)).toBe(200);
      const other = { ...own, origin: `http://127.0.0.1:${served.port}` };
      expect(await ask(served, "/api/session", { headers: other }).then(statusOf)).toBe(403);
    }
  });

  it("cannot ask from its own origin, be it with the token (CSRF)", async () => {
    const { port } = served;
    const origins = [
      "https://evil.example",
      "null",
      `http://127.0.0.1:${port + 1}`,
      `https://127.0.0.1:${port}`,
    ];
    for (const origin of [...origins, `http://127.0.0.1:${port}.evil.example`, ""]) {
      expect(await act(served, run.view.run, { kind: "pause" }, { origin }).then(statusOf)).toBe(403);
      expect(await ask(served, facts(), { headers: { origin } }).then(statusOf)).toBe(403);
    }
    expect(isMoved()).toBe(false);
  });

  it("cannot ask where the browser says that another site does (Sec-Fetch-Site)", async () => {
    for (const site of ["cross-site", "same-site", "same-origin, cross-site"]) {
      const headers = { "sec-fetch-site": site };
      expect(await act(served, run.view.run, { kind: "pause" }, headers).then(statusOf)).toBe(403);
      expect(await ask(served, facts(), { headers }).then(statusOf)).toBe(403);
      // Nor load a part of the page, as a script or in a frame; to follow a link to it is allowed, and gives what is empty.
      expect(await ask(served, "/page.js", { headers, token: null }).then(statusOf)).toBe(403);
      const frame = { ...headers, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" };
      expect(await ask(served, "/", { headers: frame, token: null }).then(statusOf)).toBe(403);
      const visit = { ...headers, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
      expect(await ask(served, "/", { headers: visit, token: null }).then(statusOf)).toBe(200);
      expect(await ask(served, "/api/runs", { headers: visit }).then(statusOf)).toBe(403);
    }
    expect(isMoved()).toBe(false);
  });

  it("cannot send an action by a form: only JSON is one", async () => {
    const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];
    for (const type of [...types, "text/plain; application/json", "application/json, text/plain", ""]) {
      const answer = await act(served, run.view.run, { kind: "pause" }, { "content-type": type });
      expect(answer.status).toBe(415);
    }
    const packed = { "content-encoding": "gzip" };
    expect(await act(served, run.view.run, { kind: "pause" }, packed).then(statusOf)).toBe(415);
    expect(isMoved()).toBe(false);
  });

  it("cannot hear what happens, without the token or from elsewhere (hijacked stream)", async () => {
    const accept = { accept: "text/event-stream" };
    const bare = await ask(served, facts(), { token: null, headers: accept });
    expect(bare.status).toBe(401);
    expect(bare.text).not.toContain("run.started");
    const origin = "https://evil.example";
    expect(await ask(served, facts(), { headers: { ...accept, origin } }).then(statusOf)).toBe(403);
    const ours = await ask(served, facts(), { headers: accept });
    expect(ours.text).toContain("run.started");
  });

  it("is never told that it may read (CORS), and gets no answer that it could use", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
    const preflight = await ask(served, actions(), { method: "OPTIONS", headers, token: null });
    expect(preflight.status).toBe(405);
    for (const answer of [preflight, await ask(served, "/"), await ask(served, "/api/runs")]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(answer.headers["cross-origin-resource-policy"]).toBe("same-origin");
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      expect(answer.headers["referrer-policy"]).toBe("no-referrer");
      expect(answer.headers["cache-control"]).toBe("no-store");
    }
  });

  it("cannot put the page into a frame, or keep a hand on its window (clickjacking)", async () => {
    for (const path of ["/", "/page.js", "/api/session", "/nothing"]) {
      const { headers } = await ask(served, path);
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers["content-security-policy"]).not.toContain("unsafe");
      expect(headers["x-frame-options"]).toBe("DENY");
      expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
    }
  });
});

describe("whoever has no token", () => {
  it("learns nothing with a wrong one", async () => {
    const { token } = served;
    const other = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
    for (const wrong of ["", other, `${token}A`, token.slice(1), "x".repeat(5_000)]) {
      const { status, text } = await ask(served, "/api/runs", { token: wrong });
      expect(status).toBe(401);
      expect(text).not.toContain("prey");
    }
    for (const authorization of [`Basic ${token}`, token, `Bearer  ${token}`, `Bearer ${token} ${token}`])
      expect(await ask(served, "/api/runs", { token: null, headers: { authorization } }).then(statusOf)).toBe(
        401,
      );
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
  });

  it("is not helped by a token in the address or in a cookie, which browsers send by themselves", async () => {
    const { token } = served;
    for (const query of [`?token=${token}`, `?access_token=${token}`, `#token=${token}`])
      expect(await ask(served, `/api/runs${query}`, { token: null }).then(statusOf)).toBe(401);
    const headers = { cookie: `token=${token}; plait-token=${token}; authorization=Bearer ${token}` };
    expect(await ask(served, "/api/runs", { token: null, headers }).then(statusOf)).toBe(401);
    const page = await ask(served, "/", { token: null });
    expect({ status: page.status, cookie: page.headers["set-cookie"] }).toEqual({
      status: 200,
      cookie: undefined,
    });
    expect(page.text).not.toContain(token);
  });

  it("is not let in by another address of this machine", async () => {
    const refused = await new Promise((resolve) => {
      const socket = connect(served.port, "127.0.0.2", () => resolve(socket.destroy() && "let in"));
      socket.on("error", () => resolve("refused"));
    });
    expect(refused).toBe("refused");
  });
});

describe("an address", () => {
  it("leads nowhere but to what is in the table (traversal)", async () => {
    const secret = join(dirname(place.repo), "home", ".gitconfig");
    const up = [
      "../",
      "..%2f",
      "%2e%2e/",
      "%2e%2e%2f",
      "..%252f",
      "..\\",
      "..%5c",
      "....//",
      "..;/",
      "%c0%ae%c0%ae/",
    ];
    const from = ["/", "/api/runs/", `/api/runs/${run.view.run}/texts/`, `/api/runs/${run.view.run}/tasks/`];
    for (const start of from)
      for (const step of up) {
        const { status, text } = await ask(served, `${start}${step.repeat(8)}${secret.slice(1)}`);
        expect({ start, step, status }).toEqual({ start, step, status: 404 });
        expect(text).not.toContain(readFileSync(secret, "utf8").slice(0, 12));
      }
    for (const path of [
      "/page.js/",
      "//page.js",
      "/./page.js",
      "/index.html%00.js",
      "/package.json",
      "/api//runs",
    ])
      expect(await ask(served, path).then(statusOf)).toBe(404);
    const journal = `/api/runs/${run.view.run}/tasks/..%2f..%2fjournal/attempts/1/log`;
    expect(await ask(served, journal).then(statusOf)).toBe(404);
    expect(served.mistakes).toEqual([]);
  });
});

describe("a request", () => {
  it("about a task or an attempt that is not there is told so; what has begun and said nothing is empty", async () => {
    await expect.poll(() => run.view.state().indices.phases.active).toBe(1);
    const tasks = `/api/runs/${run.view.run}/tasks`;
    for (const what of ["log", "transcript", "prompt", "diff"]) {
      const told = await ask(served, `${tasks}/slwo/attempts/1/${what}`);
      expect([what, told.status, JSON.parse(told.text)]).toEqual([
        ...[what, 404],
        { message: `unknown task "slwo" in ${run.view.run}`, hint: "did you mean slow?" },
      ]);
      const late = await ask(served, `${tasks}/slow/attempts/2/${what}`);
      expect([what, late.status, JSON.parse(late.text)]).toEqual([
        ...[what, 404],
        {
          message: "`slow` has no attempt #2: it has only attempt #1",
          hint: expect.stringMatching(/^see the last one: plait logs slow --attempt 1 --run /),
        },
      ]);
      expect([what, (await ask(served, `${tasks}/slow/attempts/1/${what}`)).status]).toEqual([what, 200]);
    }
  });

  it("that only looks changes nothing", async () => {
    for (const method of ["GET", "HEAD"]) {
      const body = method === "GET" ? '{"kind":"stop","mode":"stop"}' : undefined;
      const headers = { "content-type": "application/json" };
      const answer = await ask(served, actions(), {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      expect(answer.status).toBe(405);
      expect(await ask(served, `${actions()}?kind=pause`, { method }).then(statusOf)).toBe(405);
    }
    expect(isMoved()).toBe(false);
  });

  it("by another method, or that claims another one, is not done", async () => {
    for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"]) {
      const answer = await ask(served, actions(), { method });
      expect({ method, status: answer.status, allow: answer.headers["allow"] }).toEqual({
        ...{ method, status: 405, allow: "GET, HEAD, POST" },
      });
    }
    const headers = { "x-http-method-override": "POST", "content-type": "application/json" };
    const body = '{"kind":"pause"}';
    expect(await ask(served, `${actions()}?_method=POST`, { headers, body }).then(statusOf)).toBe(405);
    expect(await ask(served, "/api/runs", { method: "POST", body }).then(statusOf)).toBe(405);
    expect(isMoved()).toBe(false);
  });

  it("with more than an action is, or with none, is refused in words", async () => {
    const long = { kind: "hold", task: "slow", why: "x".repeat(20_000) };
    expect(await act(served, run.view.run, long).then(statusOf)).toBe(413);
    const head = `POST ${actions()} HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nAuthorization: Bearer ${served.token}\r\n`;
    const endless = `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `4000\r\n${" ".repeat(0x4000)}\r\n`;
    const { text } = await send(served, endless, chunk, chunk, chunk);
    expect(text).toMatch(/^HTTP\/1.1 413 /);
    for (const wrong of [
      [],
      null,
      { kind: "revise" },
      { kind: "pause", x: 1 },
      { kind: "retry", task: "../x" },
      7,
    ])
      expect(await act(served, run.view.run, wrong).then(statusOf)).toBe(400);
    const proto = '{"__proto__":{"kind":"pause"}}';
    const json = { "content-type": "application/json" };
    expect(await ask(served, actions(), { method: "POST", headers: json, body: proto }).then(statusOf)).toBe(
      400,
    );
    expect(await ask(served, actions(), { method: "POST", headers: json, body: "{" }).then(statusOf)).toBe(
      400,
    );
    expect(isMoved()).toBe(false);
  });

  it("with headers that are too long is refused", async () => {
    const answer = await ask(served, "/", { headers: { "x-long": "x".repeat(9_000) } });
    expect(answer.status).toBe(431);
  });

  it("that never comes to its end is not waited for (slow headers, slow body)", async () => {
    const short = await serveHere(place, { limits: { headersMs: 200, requestMs: 200 } });
    const line = `POST ${actions()} HTTP/1.1\r\nHost: 127.0.0.1:${short.port}\r\n`;
    const rest = `Authorization: Bearer ${short.token}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`;
    const [headers, body] = await Promise.all([send(short, line), send(short, line, rest)]);
    expect(headers.text).toMatch(/^(HTTP\/1.1 408 |$)/);
    expect(body.text).toMatch(/^(HTTP\/1.1 4|$)/);
    // Both came to an end by these limits, which are a bit wider for people.
    expect(LIMITS).toMatchObject({ headersMs: 2_000, requestMs: 10_000 });
  });

  it("too many at once are not let in, and others are answered again when they are gone", async () => {
    const few = await serveHere(place, { limits: { connections: 2, headersMs: 200 } });
    const open = Array.from({ length: 12 }, () => send(few, "GET / HTTP/1.1\r\n"));
    await expect(ask(few, "/")).rejects.toThrow();
    await Promise.all(open);
    expect(await ask(few, "/").then(statusOf)).toBe(200);
  });

  it("that meets a mistake of plait is told so, without where in the code it is", async () => {
    const broken = await serveHere(place, {
      runs: { runs: () => Promise.reject(new Error("secret detail at /home/me")) },
    });
    const answer = await ask(broken, "/api/runs");
    expect(answer.status).toBe(500);
    expect(Object.keys(JSON.parse(answer.text))).toEqual(["message", "hint"]);
    expect(answer.text).not.toMatch(/secret|\bat \/|\.ts\b|\.js\b/);
    expect(broken.mistakes).toEqual(["secret detail at /home/me"]);
  });
});
