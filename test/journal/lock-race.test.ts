import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acquireLock } from "../../src/journal/lock.ts";
import { buildProgram, namesIn, type Program, start, tempFolder } from "./support.ts";

type Answer = { readonly won: boolean; readonly reason?: string; readonly names?: readonly number[] };

let built: string;
let contender: string;
let lab: string;

beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), "plait-programs-"));
  contender = await buildProgram("contender", built);
  lab = await buildProgram("lock-lab", built);
});
afterAll(() => rm(built, { recursive: true, force: true }));

/** A lock whose holder was killed. */
async function leaveStale(path: string): Promise<void> {
  const holder = start(contender, []);
  holder.say(`take ${path}`);
  await holder.next();
  await holder.kill("SIGKILL");
}

/** Programs that have started, and wait to be told. */
async function contenders(count: number): Promise<Program[]> {
  const all = Array.from({ length: count }, () => start(contender, []));
  for (const one of all) one.say("release");
  await Promise.all(all.map((one) => one.next()));
  return all;
}

async function take(one: Program, path: string): Promise<Answer & { pid: number }> {
  one.say(`take ${path}`);
  return { pid: one.pid, ...(JSON.parse(await one.next()) as Answer) };
}

test("of 50 processes that race for the lock of a killed one exactly one gets it, and the others are told of it (I6)", async () => {
  const folder = await tempFolder();
  const all = await contenders(50);
  try {
    for (let round = 0; round < 4; round += 1) {
      const path = join(folder, `${round}`, "driver.lock");
      await leaveStale(path);
      const stale = JSON.parse(await readFile(path, "utf8")).pid as number;
      const answers = await Promise.all(all.map((one) => take(one, path)));
      const winners = answers.filter((answer) => answer.won);
      expect(winners).toHaveLength(1);
      const pids = new Set(all.map((one) => one.pid));
      for (const { reason, names } of answers.filter((answer) => !answer.won)) {
        expect(["held", "being-broken"]).toContain(reason);
        if (reason === "held") expect(names).toEqual([winners[0]?.pid]);
        // Whoever holds the right to break may be one that came late and is about to find the winner there.
        else expect([names?.[0] === stale, pids.has(names?.[1] ?? 0)]).toEqual([true, true]);
      }
      expect(await namesIn(join(folder, `${round}`))).toEqual(["driver.lock"]);
      expect(JSON.parse(await readFile(path, "utf8")).pid).toBe(winners[0]?.pid);
    }
  } finally {
    await Promise.all(all.map((one) => one.kill("SIGKILL")));
  }
});

test("with contenders killed at random moments there is never a second holder, and the lock stays takeable (I6, I8)", async () => {
  for (let round = 0; round < 2; round += 1) {
    const folder = await tempFolder();
    const path = join(folder, "driver.lock");
    await leaveStale(path);
    const all = await contenders(14);
    const doomed = new Set(all.slice(0, 9));
    const killed = [...doomed].map(async (one) => {
      one.say(`take ${path}`);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 25));
      await one.kill("SIGKILL");
    });
    const answers = await Promise.all(all.slice(9).map((one) => take(one, path)));
    await Promise.all(killed);
    try {
      const winners = answers.filter((answer) => answer.won);
      expect(winners.length).toBeLessThanOrEqual(1);
      const last = await acquireLock(path, { command: "last" });
      expect(last.ok).toBe(winners.length === 0);
      if (last.ok) {
        expect(await namesIn(folder)).toEqual(["driver.lock"]);
        await last.lock.release();
      } else {
        expect(last.refusal).toMatchObject({ reason: "held", holder: { pid: winners[0]?.pid } });
      }
    } finally {
      await Promise.all(all.map((one) => one.kill("SIGKILL")));
    }
  }
});

test("in every scheduled order of file operations and deaths one holds it at most, and nothing is left (I6, I8)", async () => {
  const run = start(lab, ["1", "200"]);
  const tally = JSON.parse(await run.next());
  expect(tally.broken).toEqual([]);
  expect(tally).toMatchObject({ schedules: 200 });
  expect(tally.kills).toBeGreaterThan(100);
  expect(tally.wins).toBeGreaterThan(50);
  await run.rest();
});
