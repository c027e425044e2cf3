import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Holder, identify, type Liveness, type Verdict } from "../../src/journal/holder.ts";
import { acquireLock, type LockResult } from "../../src/journal/lock.ts";
import { buildProgram, lockOf, namesIn, start, tempFolder } from "./support.ts";

let built: string;
let contender: string;

beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), "plait-programs-"));
  contender = await buildProgram("contender", built);
});
afterAll(() => rm(built, { recursive: true, force: true }));

async function freePath() {
  const folder = await tempFolder();
  return { folder, path: join(folder, "driver.lock") };
}

/** A lock file as a holder like this one would have left it. */
async function leave(path: string, change: Partial<Holder>): Promise<Holder> {
  const holder = { ...(await identify("e".repeat(32), "plait run old.yaml")), ...change };
  await writeFile(path, JSON.stringify(holder));
  return holder;
}

test("one holder at a time; the second is refused and told who, since when and doing what (I6)", async () => {
  const { folder, path } = await freePath();
  const first = await lockOf(folder);
  const second = await acquireLock(path, { command: "second" });
  expect(second).toMatchObject({ ok: false, refusal: { reason: "held", path, holder: first.holder } });
  const message = `process ${process.pid} on ${hostname()} since ${first.holder.at} (test)`;
  expect(second).toMatchObject({ refusal: { message: expect.stringContaining(message) } });
  expect(second).toMatchObject({ refusal: { hint: expect.stringContaining(`kill ${process.pid}`) } });
  expect(await namesIn(folder)).toEqual(["driver.lock"]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await first.release();
  expect(await namesIn(folder)).toEqual([]);
  await (await lockOf(folder)).release();
});

test("kill -9 of the holder frees it, and nothing is left of either (I6, I8)", async () => {
  const { folder, path } = await freePath();
  const holder = start(contender, []);
  holder.say(`take ${path}`);
  expect(JSON.parse(await holder.next())).toEqual({ won: true });
  expect(await acquireLock(path, { command: "early" })).toMatchObject({
    refusal: { holder: { pid: holder.pid } },
  });
  await holder.kill("SIGKILL");
  const lock = await lockOf(folder);
  expect(await namesIn(folder)).toEqual(["driver.lock"]);
  expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ pid: process.pid, command: "test" });
  await lock.release();
  expect(await namesIn(folder)).toEqual([]);
});

test.runIf(process.platform === "linux")("a holder that is stopped, not dead, keeps it (I6)", async () => {
  const { path } = await freePath();
  const holder = start(contender, []);
  holder.say(`take ${path}`);
  await holder.next();
  process.kill(holder.pid, "SIGSTOP");
  expect(await acquireLock(path, { command: "eager" })).toMatchObject({ refusal: { reason: "held" } });
  await holder.kill("SIGKILL");
});

test.runIf(process.platform === "linux")(
  "a pid that came again, and another boot, do not hold it (I6)",
  async () => {
    for (const change of [{ startTime: "ticks:1" }, { bootId: "00000000-0000-4000-8000-000000000000" }]) {
      const { folder, path } = await freePath();
      await leave(path, change);
      await (await lockOf(folder)).release();
      expect(await namesIn(folder)).toEqual([]);
    }
  },
);

test("a holder on another host is taken to live, and the refusal names the file to remove (I6)", async () => {
  const { folder, path } = await freePath();
  const holder = await leave(path, { host: "elsewhere", pid: 4_000_000 });
  const taken = await acquireLock(path, { command: "test" });
  expect(taken).toMatchObject({
    ok: false,
    refusal: {
      reason: "unknown",
      holder,
      message: expect.stringContaining("another host, elsewhere"),
      hint: expect.stringContaining(`rm '${path}'`),
    },
  });
  expect(await namesIn(folder)).toEqual(["driver.lock"]);
});

test("a lock file that names nobody is held by somebody unknown, and stays", async () => {
  for (const content of [
    "",
    "{",
    "null",
    '{"pid":1}',
    JSON.stringify({ ...(await identify("../../x", "t")) }),
  ]) {
    const { folder, path } = await freePath();
    await writeFile(path, content);
    const taken = await acquireLock(path, { command: "test" });
    expect(taken).toMatchObject({
      ok: false,
      refusal: { reason: "unreadable", hint: expect.stringContaining("rm ") },
    });
    expect(await readFile(path, "utf8")).toBe(content);
    expect(await namesIn(folder)).toEqual(["driver.lock"]);
  }
});

test("a link or a folder in the lock's place is refused, not followed", async () => {
  const { folder, path } = await freePath();
  await symlink(join(folder, "nowhere"), path);
  expect(await acquireLock(path, { command: "test" })).toMatchObject({ refusal: { reason: "unreadable" } });
  expect(await namesIn(folder)).toEqual(["driver.lock"]);
  const other = await freePath();
  await mkdir(other.path);
  expect(await acquireLock(other.path, { command: "test" })).toMatchObject({
    refusal: { reason: "unreadable" },
  });
});

test("releasing a lock that is somebody else's by now does nothing; releasing twice neither (I6)", async () => {
  const { folder, path } = await freePath();
  const lock = await lockOf(folder);
  await writeFile(`${path}.new`, "");
  const other = await leave(path, { pid: 1 });
  await lock.release();
  expect(lock.held).toBe(false);
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual(other);
  await rm(path);
  const next = await lockOf(folder);
  await lock.release();
  expect(JSON.parse(await readFile(path, "utf8")).nonce).toBe(next.holder.nonce);
});

test("while one breaks a dead lock another is told so, and one who comes too late breaks nothing (I6)", async () => {
  const { folder, path } = await freePath();
  const dead = await leave(path, {});
  const isDead: Verdict = { kind: "dead", because: "the test says so" };
  const judge: Liveness = async (who) => (who.nonce === dead.nonce ? isDead : { kind: "alive" });

  // Late: has seen the dead holder, and gets on only after the lock was broken and taken by another.
  let goOn = () => {};
  let late: Promise<LockResult> | undefined;
  await new Promise<void>((reached) => {
    late = acquireLock(path, {
      command: "late",
      liveness: async (who) => {
        if (who.nonce === dead.nonce) {
          const paused = new Promise<void>((resolve) => {
            goOn = resolve;
          });
          reached();
          await paused;
        }
        return judge(who);
      },
    });
  });
  const winner = await acquireLock(path, { command: "winner", liveness: judge });
  expect(winner.ok).toBe(true);
  goOn();
  expect(await late).toMatchObject({ ok: false, refusal: { reason: "held", holder: { command: "winner" } } });
  expect(await namesIn(folder)).toEqual(["driver.lock"]);

  // Breaking: the right to break is taken, and its taker lives.
  const other = await freePath();
  const gone = await leave(other.path, {});
  await leave(`${other.path}.break-${gone.nonce}`, { nonce: "f".repeat(32), command: "breaker" });
  const refused = await acquireLock(other.path, { command: "second", liveness: judge });
  expect(refused).toMatchObject({
    refusal: { reason: "being-broken", holder: gone, breaker: { command: "breaker" } },
  });
  expect(await namesIn(other.folder)).toEqual(["driver.lock", `driver.lock.break-${gone.nonce}`]);
});

test("what the killed left beside a lock is swept up by the next holder; files of others stay (I8)", async () => {
  const { folder, path } = await freePath();
  await leave(path, { startTime: "ticks:1", bootId: "another boot" });
  for (const [i, name] of ["break-", "break-", ""].entries()) {
    const nonce = `${i}`.repeat(32);
    await leave(`${path}.${name}${nonce}${name ? "" : ".tmp"}`, { nonce, bootId: "another boot" });
  }
  await writeFile(`${path}.${"9".repeat(32)}.tmp`, ""); // killed before the first byte
  await leave(`${path}.${"8".repeat(32)}.tmp`, {}); // alive
  await writeFile(`${path}.notes`, "mine");
  const lock = await lockOf(folder);
  expect(await namesIn(folder)).toEqual([
    "driver.lock",
    `driver.lock.${"8".repeat(32)}.tmp`,
    "driver.lock.notes",
  ]);
  await lock.release();
});

test("a folder that cannot be written gives a typed error", async () => {
  const { folder } = await freePath();
  await writeFile(join(folder, "file"), "");
  const inFile = acquireLock(join(folder, "file", "driver.lock"), { command: "test" });
  await expect(inFile).rejects.toMatchObject({ code: "io", failure: { during: "lock" } });
});
