import { readFile, stat } from "node:fs/promises";
import { createConnection } from "node:net";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { Activity } from "../../src/core/activity.ts";
import type { Decision, RunCommand } from "../../src/core/decide.ts";
import type { Fact } from "../../src/core/facts.ts";
import type { AttemptId, RunId } from "../../src/core/ids.ts";
import { plait } from "../../src/core/text/command.ts";
import { fix, path, sentence } from "../../src/core/text/sentence.ts";
import { connectToRun } from "../../src/engines/local/connect-to-run.ts";
import type { ControlHandlers, ControlListener } from "../../src/engines/local/control-client.ts";
import type { ControlConnection } from "../../src/engines/local/control-connection.ts";
import { readControlFile } from "../../src/engines/local/control-path.ts";
import { type ControlSocket, openControlSocket } from "../../src/engines/local/control-socket.ts";
import { deferred } from "../../src/util/deferred.ts";
import { namesIn, tempFolder } from "../journal/support.ts";
import { taskId } from "../support/plans.ts";

const fact = (i: number, detail = ""): Fact => ({ v: 1, at: i, type: "effect.failed", key: `k${i}`, detail });

/** A driver without a run: facts happen when the test says so. */
class Bench {
  readonly facts: Fact[] = [];
  readonly asked: RunCommand[] = [];
  readonly listeners = new Set<ControlListener>();
  decide: () => Promise<Decision> = async () => ({ ok: true, facts: [] });
  /** How many facts one reading of the journal gives. */
  page = 100;
  readonly handlers: ControlHandlers = {
    ask: (command) => {
      this.asked.push(command);
      return this.decide();
    },
    factsSince: async (n) => {
      await turn();
      return this.facts.slice(n, n + this.page);
    },
    subscribe: (listener) => {
      this.listeners.add(listener);
      return () => void this.listeners.delete(listener);
    },
    describe: () => ({ run: "r1" as RunId, pid: process.pid, version: "1.2.3", facts: this.announced }),
    doing: () => this.doing,
  };
  doing: Activity[] = [];
  private announced = 0;

  /** Facts that are on the disk, and not yet folded. */
  write(count: number, detail?: string): Fact[] {
    const facts = Array.from({ length: count }, (_, i) => fact(this.facts.length + i, detail));
    this.facts.push(...facts);
    return facts;
  }

  announce(): void {
    for (; this.announced < this.facts.length; this.announced += 1) {
      for (const { fact } of this.listeners) fact(this.announced, this.facts[this.announced]!);
    }
  }

  happen(count: number, detail?: string): void {
    this.write(count, detail);
    this.announce();
  }

  act(action: string): void {
    const usage = { costUsd: null, inputTokens: 7, outputTokens: null };
    for (const { activity } of this.listeners)
      activity({ attempt: "a/1" as AttemptId, at: 5, action, usage });
  }

  async open(folder: string, closeMs = 5000): Promise<ControlSocket> {
    const opened = await openControlSocket({
      path: join(folder, "s"),
      runDir: folder,
      handlers: this.handlers,
      closeMs,
    });
    if (!opened.ok) throw new Error(opened.problem);
    onTestFinished(() => opened.socket.close());
    return opened.socket;
  }
}

async function setUp(closeMs?: number): Promise<{ bench: Bench; door: ControlSocket; folder: string }> {
  const folder = await tempFolder();
  const bench = new Bench();
  return { bench, folder, door: await bench.open(folder, closeMs) };
}

async function visit(path: string): Promise<ControlConnection> {
  const knocked = await connectToRun(path);
  if (!knocked.ok) throw new Error(`${knocked.reason}: ${knocked.problem}`);
  onTestFinished(() => knocked.connection.close());
  return knocked.connection;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

test("a client learns who drives the run, and its command is decided there", async () => {
  const { bench, door } = await setUp();
  bench.happen(3);
  const knocked = await connectToRun(door.path);
  expect(knocked).toMatchObject({
    ok: true,
    driver: { run: "r1", pid: process.pid, version: "1.2.3", facts: 3 },
  });
  const client = await visit(door.path);
  bench.decide = async () => ({ ok: true, facts: [fact(3)] });
  const command = { kind: "hold", task: taskId("a"), why: 'say "no"\nplease' } as const;
  expect(await client.ask(command)).toEqual({ ok: true, value: { ok: true, facts: [fact(3)] } });
  expect(bench.asked).toEqual([command]);
  const refusal = { message: "no", hint: fix("resume it", plait("resume", "r1")) };
  bench.decide = async () => ({ ok: false, refusal });
  expect(await client.ask({ kind: "pause" })).toMatchObject({ value: { refusal } });
  if (knocked.ok) knocked.connection.close();
});

test("a driver whose journal is broken says so to the one who asks, and lives", async () => {
  const { bench, door } = await setUp();
  const client = await visit(door.path);
  bench.decide = () => Promise.reject(new Error("no space left"));
  const answer = await client.ask({ kind: "pause" });
  expect(answer).toEqual({ ok: false, reason: "refused", problem: "no space left" });
  expect(await client.ping()).toMatchObject({ ok: true });
});

test("socket and door file are for their user only, and gone when the door is closed (I8)", async () => {
  const old = process.umask(0);
  onTestFinished(() => void process.umask(old));
  const { door, folder } = await setUp();
  for (const name of ["s", "door"]) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(folder, "door"), "utf8")).toBe(`${door.path}\n`);
  expect(await readControlFile(folder)).toBe(door.path);
  await Promise.all([door.close(), door.close()]);
  expect(await namesIn(folder)).toEqual([]);
  expect(await readControlFile(folder)).toBeNull();
  expect(await connectToRun(door.path)).toMatchObject({ ok: false, reason: "nobody" });
});

test("a follower gets the past in order, then what happens, with activity beside it", async () => {
  const { bench, door } = await setUp();
  bench.page = 7;
  bench.happen(20);
  const client = await visit(door.path);
  const seen: (number | string | null)[] = [];
  const answer = await client.follow(5, {
    onFact: (one, n) => seen.push(one.at === n ? n : "wrong"),
    onActivity: ({ action, usage }) => seen.push(`${action} ${usage.inputTokens}`),
  });
  expect(answer).toEqual({ ok: true, value: 20 });
  bench.act("Edit a.ts");
  bench.happen(2);
  await until(() => seen.length === 18);
  expect(seen).toEqual([...Array.from({ length: 15 }, (_, i) => i + 5), "Edit a.ts 7", 20, 21]);
  const again = await client.follow(0, { onFact: () => undefined });
  expect(again).toMatchObject({ ok: false, reason: "refused" });
});

test("a follower that comes late knows what is being done as soon as it knows the past", async () => {
  const { bench, door } = await setUp();
  bench.happen(3);
  const action = sentence`Edit ${path("src/a.ts")}`;
  const usage = { inputTokens: 7, outputTokens: null, costUsd: null };
  bench.doing = [{ attempt: "a/1" as AttemptId, at: 5, action, usage }];
  const seen: unknown[] = [];
  const client = await visit(door.path);
  await client.follow(0, { onFact: () => undefined, onActivity: ({ action }) => seen.push(action) });
  expect(seen).toEqual([action]);
});

test("facts that happen while the past is told come once, in order, whatever the moment", async () => {
  const bench = new Bench();
  bench.page = 3;
  bench.happen(50);
  let left = 40;
  const factsSince: ControlHandlers["factsSince"] = async (n) => {
    left -= 1;
    if (left > 20) bench.happen(1); // before the reading: it sees it
    const facts = bench.facts.slice(n, n + bench.page);
    if (left > 0) bench.happen(1); // after it: it does not, also when it saw the end
    if (n > 60 && left > 0) {
      left = 0;
      return [...bench.facts.slice(n), ...bench.write(2)]; // durable, and not yet told to anybody
    }
    return facts;
  };
  const folder = await tempFolder();
  const handlers = { ...bench.handlers, factsSince };
  const opened = await openControlSocket({ path: join(folder, "s"), runDir: folder, handlers });
  if (!opened.ok) throw new Error(opened.problem);
  onTestFinished(() => opened.socket.close());
  const seen: number[] = [];
  const client = await visit(opened.socket.path);
  await client.follow(0, { onFact: (_, n) => seen.push(n) });
  bench.announce();
  bench.happen(5);
  await until(() => seen.length >= bench.facts.length);
  expect(seen).toEqual(bench.facts.map((_, i) => i));
});

test("a fact that happens while the end of the past is read is not forgotten", async () => {
  const bench = new Bench();
  let left = 3;
  const factsSince: ControlHandlers["factsSince"] = async (n) => {
    const facts = bench.facts.slice(n);
    left -= 1;
    if (facts.length === 0 && left > 0) bench.happen(1);
    return facts;
  };
  const folder = await tempFolder();
  const handlers = { ...bench.handlers, factsSince };
  const opened = await openControlSocket({ path: join(folder, "s"), runDir: folder, handlers });
  if (!opened.ok) throw new Error(opened.problem);
  onTestFinished(() => opened.socket.close());
  const client = await visit(opened.socket.path);
  const seen: number[] = [];
  expect(await client.follow(0, { onFact: (_, n) => seen.push(n) })).toEqual({ ok: true, value: 1 });
  expect(seen).toEqual([0]);
});

test("a follower that comes back with the number of facts it has misses none and gets none twice", async () => {
  const { bench, door } = await setUp();
  const seen: Fact[] = [];
  for (let round = 0; round < 20; round += 1) {
    bench.happen(13);
    const client = await visit(door.path);
    const goal = seen.length + 10;
    const enough = deferred<void>();
    const onFact = (one: Fact) => {
      seen.push(one);
      if (seen.length !== goal) return;
      client.close(); // in the middle of what is on its way
      enough.resolve();
    };
    const following = client.follow(seen.length, { onFact });
    bench.happen(4);
    await enough.promise;
    expect(seen).toHaveLength(goal);
    await following;
  }
  const client = await visit(door.path);
  await client.follow(seen.length, { onFact: (one) => seen.push(one) });
  expect(seen).toEqual(bench.facts);
});

test("a fact of many megabytes reaches a follower whole, in the past and as it happens", async () => {
  const { bench, door } = await setUp();
  const large = "ü".repeat(6 * 1024 * 1024);
  bench.happen(1, large);
  const client = await visit(door.path);
  const seen: Fact[] = [];
  await client.follow(0, { onFact: (one) => seen.push(one) });
  bench.happen(1, large);
  await until(() => seen.length === 2);
  expect(seen).toEqual(bench.facts);
});

test("50 clients follow and ask at once, and each gets everything", async () => {
  const { bench, door } = await setUp();
  bench.happen(500);
  const clients = await Promise.all(Array.from({ length: 50 }, () => visit(door.path)));
  const seen = clients.map((): number[] => []);
  const answers = clients.map(async (client, i) => {
    const followed = client.follow(0, { onFact: (_, n) => seen[i]?.push(n) });
    const asked = await client.ask({ kind: "resize", slots: i + 1 });
    bench.happen(1);
    return [await followed, asked].every(({ ok }) => ok);
  });
  expect(new Set(await Promise.all(answers))).toEqual(new Set([true]));
  await until(() => seen.every((list) => list.length === 550));
  for (const list of seen) expect(list).toEqual(Array.from({ length: 550 }, (_, i) => i));
  const slots = bench.asked.map((command) => (command.kind === "resize" ? command.slots : 0));
  expect(slots.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
});

test("closing the door lets what was asked be answered and the last fact arrive, then followers are told once", async () => {
  const { bench, door, folder } = await setUp();
  const client = await visit(door.path);
  const ends: string[] = [];
  const seen: number[] = [];
  await client.follow(0, { onFact: (_, n) => seen.push(n), onEnd: (problem) => ends.push(problem) });
  const decided = deferred<Decision>();
  bench.decide = () => decided.promise;
  const answer = client.ask({ kind: "stop", mode: "drain" });
  await until(() => bench.asked.length === 1);
  bench.happen(100);
  const closed = door.close();
  while ((await readControlFile(folder)) !== null) await turn();
  for (let i = 0; i < 50; i += 1) await turn(); // it is being closed by now, and waits
  decided.resolve({ ok: true, facts: [fact(1)] });
  expect(await answer).toMatchObject({ ok: true, value: { ok: true } });
  await closed;
  await until(() => ends.length > 0);
  client.close();
  expect([seen.length, ends.length, bench.listeners.size]).toEqual([100, 1, 0]);
  expect(await client.ask({ kind: "pause" })).toMatchObject({ ok: false, reason: "lost" });
});

test("closing does not wait for ever for an answer that does not come, and the client hears that it is lost", async () => {
  const { bench, door } = await setUp(20);
  const client = await visit(door.path);
  bench.decide = () => new Promise(() => undefined);
  const answer = client.ask({ kind: "pause" });
  await until(() => bench.asked.length === 1);
  await door.close();
  expect(await answer).toMatchObject({ ok: false, reason: "lost" });
});

test("a one-line script is answered, also when it ends its side at once", async () => {
  const { door } = await setUp();
  const socket = createConnection({ path: door.path, allowHalfOpen: true });
  socket.end('{"v":1,"id":4,"ping":true}\n');
  let text = "";
  for await (const chunk of socket) text += chunk;
  expect(JSON.parse(text)).toMatchObject({ id: 4, driver: { run: "r1" } });
});
