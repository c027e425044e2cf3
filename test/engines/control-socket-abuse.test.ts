// Clients that misbehave. The driver must not notice.

import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { RunCommand } from "../../src/core/decide.ts";
import type { Fact } from "../../src/core/facts.ts";
import type { AttemptId, RunId } from "../../src/core/ids.ts";
import { connectToRun } from "../../src/engines/local/connect-to-run.ts";
import type { ControlListener, QueueLimits } from "../../src/engines/local/control-client.ts";
import { type ControlSocket, openControlSocket } from "../../src/engines/local/control-socket.ts";
import { tempFolder } from "../journal/support.ts";

type Bench = {
  readonly door: ControlSocket;
  readonly facts: Fact[];
  readonly asked: RunCommand[];
  readonly happen: (detail: string) => void;
  readonly act: (action: string) => void;
};

async function setUp(queue?: QueueLimits): Promise<Bench> {
  const folder = await tempFolder();
  const facts: Fact[] = [];
  const asked: RunCommand[] = [];
  let listener: ControlListener | undefined;
  const opened = await openControlSocket({
    path: join(folder, "s"),
    runDir: folder,
    closeMs: 50,
    ...(queue === undefined ? {} : { queue }),
    handlers: {
      ask: async (command) => {
        asked.push(command);
        return { ok: true, facts: [] };
      },
      factsSince: async (n) => facts.slice(n),
      subscribe: (one) => {
        listener = one;
        return () => undefined;
      },
      describe: () => ({ run: "r1" as RunId, pid: 1, version: "1", facts: facts.length }),
    },
  });
  if (!opened.ok) throw new Error(opened.problem);
  onTestFinished(() => opened.socket.close());
  const usage = { costUsd: null, inputTokens: null, outputTokens: null };
  return {
    door: opened.socket,
    facts,
    asked,
    happen: (detail) => {
      const fact: Fact = { v: 1, at: facts.length, type: "effect.failed", key: "k", detail };
      listener?.fact(facts.push(fact) - 1, fact);
    },
    act: (action) => listener?.activity({ attempt: "a/1" as AttemptId, at: 1, action, usage }),
  };
}

/** A raw connection. Errors are what these tests expect of it. */
async function connect({
  path,
}: ControlSocket): Promise<{ socket: Socket; lines: () => Promise<unknown[]> }> {
  const socket = createConnection({ path });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  const lines = async () => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.resume();
    await new Promise((resolve) => socket.once("close", resolve));
    return text
      .split("\n")
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line));
  };
  return { socket, lines };
}

async function expectWell({ door }: Bench): Promise<void> {
  const knocked = await connectToRun(door.path);
  expect(knocked).toMatchObject({ ok: true, driver: { run: "r1" } });
  if (!knocked.ok) return;
  expect(await knocked.connection.ask({ kind: "pause" })).toMatchObject({ ok: true });
  knocked.connection.close();
}

test.each([
  ["text", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["bytes", Buffer.from([0, 255, 10, 254, 10])],
  ["an empty line", "\n"],
  ["no object", "[1,2]\n"],
  ["an id that is none", '{"v":1,"id":"7","ping":true}\n'],
  ["deep nesting", `${"[".repeat(500_000)}\n`],
])("whoever sends %s is told and sent away", async (_what, bytes) => {
  const bench = await setUp();
  const { socket, lines } = await connect(bench.door);
  const heard = lines();
  socket.write(bytes);
  expect(await heard).toEqual([{ id: null, problem: expect.stringMatching(/request must/) }]);
  await expectWell(bench);
});

test("a request that is wrong is answered by its id, and the next one is served", async () => {
  const bench = await setUp();
  const { socket, lines } = await connect(bench.door);
  const heard = lines();
  socket.end(
    [
      '{"v":2,"id":1,"ping":true}',
      '{"v":1,"id":2}',
      '{"v":1,"id":3,"ping":true,"follow":{"since":0}}',
      '{"v":1,"id":4,"follow":{"since":-1}}',
      '{"v":1,"id":5,"ask":{"command":{"kind":"explode"}}}',
      '{"v":1,"id":6,"ask":{"command":{"kind":"pause"},"as":"root"}}',
      '{"v":1,"id":7,"constructor":true}',
      '{"v":1,"id":8,"ask":{"command":{"kind":"pause"}}}',
      "",
    ].join("\n"),
  );
  const answers = (await heard) as { id: number; problem?: string; decision?: unknown }[];
  expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(answers.slice(0, 7).every(({ problem }) => typeof problem === "string")).toBe(true);
  expect(answers[0]?.problem).toContain("version 1");
  expect(answers[4]?.problem).toContain('unknown command "explode"; known: stop, pause');
  expect(answers[7]?.decision).toEqual({ ok: true, facts: [] });
  expect(bench.asked).toEqual([{ kind: "pause" }]);
});

test("a line without an end is cut off at its limit: answered, closed, not read", async () => {
  const bench = await setUp();
  const { socket, lines } = await connect(bench.door);
  const heard = lines();
  const piece = Buffer.alloc(1024 * 1024, "x");
  let taken = 0;
  const onTaken = (error?: Error | null) => {
    if (!error) taken += 1;
  };
  for (let i = 0; i < 100; i += 1) socket.write(piece, onTaken);
  expect(await heard).toEqual([{ id: null, problem: "a request has at most 1048576 bytes" }]);
  expect(taken).toBeLessThan(10);
  await expectWell(bench);
});

test("a line that is too long but ends is refused as well, after the requests before it", async () => {
  const bench = await setUp();
  const { socket, lines } = await connect(bench.door);
  const heard = lines();
  socket.write(`{"v":1,"id":1,"ping":true}\n"${"x".repeat(1024 * 1024)}"\n{"v":1,"id":2,"ping":true}\n`);
  expect(await heard).toMatchObject([{ id: 1 }, { id: null, problem: expect.any(String) }]);
  await expectWell(bench);
});

test("clients that die in the middle of a line, a past or an answer leave nothing behind", async () => {
  const bench = await setUp();
  for (let i = 0; i < 2000; i += 1) bench.happen("x".repeat(1000));
  for (const text of [
    '{"v":1,"id":1,"as',
    '{"v":1,"id":1,"follow":{"since":0}}\n',
    '{"v":1,"id":1,"ping":true}\n',
  ]) {
    for (let i = 0; i < 60; i += 1) {
      const { socket } = await connect(bench.door);
      socket.write(text, () => socket.destroy());
      await once(socket, "close");
    }
  }
  bench.happen("still");
  // More than may be there at once: those that went have been let go.
  await expectWell(bench);
});

const follow = '{"v":1,"id":1,"follow":{"since":0}}\n';

/** A client that follows, is known to, and reads no more. */
async function lag({ door }: Bench): Promise<Awaited<ReturnType<typeof connect>>> {
  const slow = await connect(door);
  slow.socket.write(follow);
  await once(slow.socket, "data");
  slow.socket.pause();
  return slow;
}

test("a follower that does not read loses activity, but no fact and not its connection", async () => {
  const bench = await setUp();
  const slow = await lag(bench);
  for (let i = 0; i < 5000; i += 1) {
    bench.act("x".repeat(1000));
    if (i % 100 === 0) await turn();
  }
  bench.happen("after");
  const heard = slow.lines();
  slow.socket.on("data", (chunk) => {
    if (chunk.includes('"after"')) slow.socket.end();
  });
  const got = (await heard) as { fact?: unknown; activity?: unknown }[];
  expect(got.at(-1)).toEqual({ n: 0, fact: bench.facts[0] });
  expect(got.length).toBeLessThan(5000);
});

test("a follower that lets facts pile up is sent away and can come back; others get all, the driver waits for none", async () => {
  const bench = await setUp({ activityBytes: 1000, factBytes: 100_000 });
  const slow = await lag(bench);
  const good = await connectToRun(bench.door.path);
  if (!good.ok) throw new Error(good.problem);
  let seen = 0;
  const onFact = () => {
    seen += 1;
  };
  await good.connection.follow(0, { onFact });
  for (let round = 0; round < 100; round += 1) {
    for (let i = 0; i < 20; i += 1) bench.happen("x".repeat(1000));
    while (seen < bench.facts.length) await turn(); // the good one keeps up
  }
  const heard = (await slow.lines()) as { n?: number }[];
  const got = heard.map(({ n }) => n);
  expect(got.length).toBeGreaterThan(0);
  expect(got.length).toBeLessThan(2000);
  expect(got).toEqual(got.map((_, i) => i));
  expect(seen).toBe(2000);

  const again = await connectToRun(bench.door.path);
  if (!again.ok) throw new Error(again.problem);
  const rest: number[] = [];
  await again.connection.follow(got.length, { onFact: (_, n) => rest.push(n) });
  expect([...got, ...rest]).toEqual(bench.facts.map((_, i) => i));
  again.connection.close();
  good.connection.close();
});

test("a client that asks and never reads stops being read, and does not keep the door from closing", async () => {
  const bench = await setUp();
  const { socket } = await connect(bench.door);
  socket.pause();
  let taken = 0;
  const requests = '{"v":1,"id":1,"ping":true}\n'.repeat(40_000);
  const onTaken = (error?: Error | null) => {
    if (!error) taken += 1;
  };
  for (let i = 0; i < 20; i += 1) socket.write(requests, onTaken);
  await expectWell(bench);
  for (let i = 0; i < 5000; i += 1) await turn(); // time enough to be read, if it were
  await bench.door.close();
  expect(taken).toBeLessThan(3);
});

test("with more clients than it takes the door stays a door for those it has", async () => {
  const bench = await setUp();
  const first = await connectToRun(bench.door.path);
  if (!first.ok) throw new Error(first.problem);
  const all = await Promise.all(Array.from({ length: 200 }, () => connectToRun(bench.door.path)));
  expect(all.filter(({ ok }) => ok)).toHaveLength(127);
  expect(await first.connection.ping()).toMatchObject({ ok: true });
  for (const one of all) if (one.ok) one.connection.close();
  first.connection.close();
});

test("a client believes nothing: what is no driver is called strange, a gap in the facts ends it", async () => {
  const folder = await tempFolder();
  const driver = { id: 1, driver: { run: "r", pid: 1, version: "1", facts: 0 } };
  const fact = { v: 1, at: 1, type: "run.paused" };
  const says = { "not-json": "hello\n", "no-driver": '{"id":1,"decision":{"ok":true,"facts":[]}}\n' };
  for (const [name, text] of Object.entries(says)) {
    const path = join(folder, name);
    const server = createServer((socket) => void socket.end(text)).listen(path);
    await once(server, "listening");
    expect(await connectToRun(path)).toMatchObject({ ok: false, reason: "strange" });
    server.close();
  }
  const path = join(folder, "gap");
  const server = createServer((socket) => {
    socket.write(`${JSON.stringify(driver)}\n`);
    socket.on("data", (chunk) => {
      if (!chunk.includes("follow")) return;
      socket.write(`${JSON.stringify({ id: 2, n: 0, facts: [fact], more: false })}\n`);
      socket.write(`${JSON.stringify({ n: 2, fact })}\n`);
    });
  }).listen(path);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const knocked = await connectToRun(path);
  if (!knocked.ok) throw new Error(knocked.problem);
  const ends: string[] = [];
  const seen: number[] = [];
  const ended = new Promise<void>((resolve) => {
    const onEnd = (problem: string) => resolve(void ends.push(problem));
    void knocked.connection.follow(0, { onFact: (_, n) => seen.push(n), onEnd });
  });
  await ended;
  expect([seen, ends]).toEqual([[0], ["fact 2 came where fact 1 was expected"]]);
});
