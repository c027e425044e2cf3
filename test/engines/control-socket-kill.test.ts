// Drivers and clients as processes of their own, and what is left when they are killed.

import { lstat, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Fact } from "../../src/core/facts.ts";
import { connectToRun } from "../../src/engines/local/connect-to-run.ts";
import { readControlFile } from "../../src/engines/local/control-path.ts";
import { deferred } from "../../src/util/deferred.ts";
import { namesIn, type Program, start, tempFolder } from "../journal/support.ts";

/** A driver: `n` makes facts happen, "end" closes the door. Its facts begin where its argument says. */
const driverText = `
import { createInterface } from "node:readline";
import { openControlSocket } from "./control-socket.mjs";
const [runDir, had] = process.argv.slice(2);
const facts = [];
const listeners = new Set();
const happen = () => {
  const fact = { v: 1, at: facts.length, type: "effect.failed", key: "k", detail: "x".repeat(200) };
  const n = facts.push(fact) - 1;
  for (const one of listeners) one.fact(n, fact);
};
for (let i = 0; i < Number(had); i += 1) happen();
const opened = await openControlSocket({ path: runDir + "/s", runDir, handlers: {
  ask: async () => ({ ok: true, facts: [] }),
  factsSince: async (n) => facts.slice(n, n + 50),
  subscribe: (one) => (listeners.add(one), () => listeners.delete(one)),
  describe: () => ({ run: "r1", pid: process.pid, version: "1", facts: facts.length }),
}});
console.log(opened.ok ? "ready" : opened.problem);
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "end") break;
  for (let i = 0; i < Number(line); i += 1) happen();
  console.log(facts.length);
}
await opened.socket.close();
console.log("closed");
`;

/** A client that follows for ever, and says when the past was told. */
const clientText = `
import { connectToRun } from "./connect-to-run.mjs";
const knocked = await connectToRun(process.argv[2]);
const answer = await knocked.connection.follow(0, { onFact: () => undefined, onEnd: () => console.log("end") });
console.log(answer.ok ? "following" : answer.problem);
`;

let built: string;

beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), "plait-door-"));
  for (const name of ["control-socket", "connect-to-run"]) {
    const entry = fileURLToPath(new URL(`../../src/engines/local/${name}.ts`, import.meta.url));
    const output = { entryFileNames: `${name}.mjs` };
    await build({
      configFile: false,
      logLevel: "error",
      build: { ssr: entry, outDir: built, emptyOutDir: false, target: "node20", rollupOptions: { output } },
    });
  }
  await writeFile(join(built, "driver.mjs"), driverText);
  await writeFile(join(built, "client.mjs"), clientText);
});
afterAll(() => rm(built, { recursive: true, force: true }));

async function drive(runDir: string, had: number): Promise<Program> {
  const driver = start(join(built, "driver.mjs"), [runDir, String(had)]);
  onTestFinished(() => driver.kill("SIGKILL"));
  expect(await driver.next()).toBe("ready");
  return driver;
}

async function happen(driver: Program, count: number): Promise<number> {
  driver.say(String(count));
  return Number(await driver.next());
}

test("a follower of a driver that is killed is told once; the next driver takes its place, and no fact is lost or doubled", async () => {
  const runDir = await tempFolder();
  const seen: Fact[] = [];
  let total = 40;
  for (let life = 0; life < 4; life += 1) {
    const driver = await drive(runDir, total); // the socket of the killed one lies there
    const path = await readControlFile(runDir);
    const knocked = await connectToRun(path ?? "");
    if (!knocked.ok) throw new Error(knocked.problem);
    expect(knocked.driver).toEqual({ run: "r1", pid: driver.pid, version: "1", facts: total });
    let ends = 0;
    const ended = deferred<void>();
    const onEnd = () => {
      ends += 1;
      ended.resolve();
    };
    await knocked.connection.follow(seen.length, { onFact: (fact) => seen.push(fact), onEnd });
    total = await happen(driver, 200);
    await driver.kill("SIGKILL");
    await ended.promise;
    expect(await knocked.connection.ask({ kind: "pause" })).toMatchObject({ ok: false, reason: "lost" });
    knocked.connection.close();
    expect(ends).toBe(1);
    expect(seen.map(({ at }) => at)).toEqual(seen.map((_, i) => i));
    expect((await lstat(join(runDir, "s"))).isSocket()).toBe(true);
    expect(await connectToRun(path ?? "")).toMatchObject({ ok: false, reason: "nobody" });
  }
  const last = await drive(runDir, total);
  const knocked = await connectToRun(join(runDir, "s"));
  if (!knocked.ok) throw new Error(knocked.problem);
  await knocked.connection.follow(seen.length, { onFact: (fact) => seen.push(fact) });
  expect(seen.map(({ at }) => at)).toEqual(Array.from({ length: total }, (_, i) => i));
  last.say("end");
  expect(await last.next()).toBe("closed");
  expect(await namesIn(runDir)).toEqual([]);
});

test("clients that are killed or stopped while they follow do not keep the driver from its work", async () => {
  const runDir = await tempFolder();
  const driver = await drive(runDir, 500);
  const clients = Array.from({ length: 6 }, () => start(join(built, "client.mjs"), [join(runDir, "s")]));
  onTestFinished(async () => void (await Promise.all(clients.map((one) => one.kill("SIGKILL")))));
  for (const client of clients) expect(await client.next()).toBe("following");
  const [killed, stopped, well] = [clients.slice(0, 2), clients.slice(2, 4), clients.slice(4)];
  for (const { pid } of stopped) process.kill(pid, "SIGSTOP");
  const gone = killed.map((one) => one.kill("SIGKILL"));
  expect(await happen(driver, 20_000)).toBe(20_500); // 5 MB: more than a system keeps for one that does not read
  await Promise.all(gone);
  expect(await happen(driver, 1)).toBe(20_501);
  driver.say("end");
  expect(await driver.next()).toBe("closed");
  for (const client of well) expect(await client.next()).toBe("end");
  for (const { pid } of stopped) process.kill(pid, "SIGCONT");
  for (const client of stopped) expect(await client.next()).toBe("end");
});
