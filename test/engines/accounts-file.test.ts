import { mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type AccountKey, accountKey } from "../../src/core/ids.ts";
import { type Accounts, openAccounts, type ReportedLimit } from "../../src/engines/local/accounts-file.ts";
import { acquireLock } from "../../src/journal/lock.ts";
import { systemClock } from "../../src/util/clock.ts";
import { namesIn, tempFolder } from "../journal/support.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";

const HOUR = 3_600_000;
const key = (name: string): AccountKey => accountKey({ vendor: "v", account: name, model: "m" });

type Bench = {
  readonly path: string;
  readonly folder: string;
  readonly clock: ManualClock;
  readonly problems: string[];
  readonly open: () => Accounts;
  readonly limit: (name: string, durationMs: number) => ReportedLimit;
};

async function setUp(): Promise<Bench> {
  const folder = await tempFolder();
  const path = join(folder, "state", "accounts.json");
  const clock = createManualClock();
  const problems: string[] = [];
  return {
    path,
    folder,
    clock,
    problems,
    open: () => openAccounts(path, { clock, onProblem: (problem) => problems.push(problem) }),
    limit: (name, durationMs) => ({
      account: key(name),
      until: clock.now() + durationMs,
      durationMs,
      why: "rate-limit",
    }),
  };
}

const names = async (accounts: Accounts): Promise<string[]> =>
  [...(await accounts.limits()).keys()].map((account) => JSON.parse(account)[1]).sort();

test("what one run reports another run knows, until it has passed", async () => {
  const { path, clock, open, limit } = await setUp();
  const [one, other] = [open(), open()];
  expect(await other.limits()).toEqual(new Map());
  const [a, b] = [limit("a", HOUR), limit("b", 2 * HOUR)];
  await Promise.all([one.report(a), one.report(b)]);
  const known = [...(await other.limits())].map(([account, rest]) => ({ account, ...rest }));
  expect(known).toEqual([b, a]);
  clock.advance(HOUR);
  expect(await names(other)).toEqual(["b"]);
  await other.report(limit("c", HOUR));
  expect(await readFile(path, "utf8")).not.toContain('\\"a\\"');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await namesIn(join(path, ".."))).toEqual(["accounts.json"]);
});

test("of two reports about one account the later end wins, with its reason", async () => {
  const { open, limit } = await setUp();
  const [one, other] = [open(), open()];
  await one.report({ ...limit("a", 2 * HOUR), why: "usage-limit" });
  await other.report(limit("a", HOUR));
  expect((await other.limits()).get(key("a"))).toMatchObject({ durationMs: 2 * HOUR, why: "usage-limit" });
  await other.report({ ...limit("a", 3 * HOUR), why: "billing" });
  expect((await one.limits()).get(key("a"))).toMatchObject({ durationMs: 3 * HOUR, why: "billing" });
});

test("a wait that was written before the clock was set back lasts its own length, and is told once", async () => {
  const { clock, open, limit } = await setUp();
  const one = open();
  await one.report({ ...limit("a", HOUR), until: clock.now() + 1000 * HOUR });
  expect((await one.limits()).get(key("a"))?.until).toBe(clock.now() + HOUR);
  const told: ReportedLimit[] = [];
  onTestFinished(open().watch({ limited: (limit) => told.push(limit), removed: () => undefined }));
  while (clock.pending() === 0) await turn();
  clock.advance(1000);
  while (clock.pending() === 0) await turn();
  expect(told).toHaveLength(1);
});

test.each([
  ["half a text", (path: string) => writeFile(path, '{"version":1,"limits":[{"acc')],
  ["nothing", (path: string) => writeFile(path, "")],
  ["another version", (path: string) => writeFile(path, '{"version":99,"limits":{}}')],
  ["no object", (path: string) => writeFile(path, "null")],
  ["too much", (path: string) => writeFile(path, Buffer.alloc(1024 * 1024 + 1, " "))],
  ["a link to nowhere", (path: string) => symlink("/nowhere/x", path)],
])("a file that holds %s counts as empty and is replaced", async (_what, spoil) => {
  const { path, open, limit, problems } = await setUp();
  await mkdir(join(path, ".."));
  await spoil(path);
  const accounts = open();
  expect(await names(accounts)).toEqual([]);
  await accounts.report(limit("a", HOUR));
  expect(await names(accounts)).toEqual(["a"]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(problems).toEqual([]);
});

test("of a file with wrong entries the right ones are taken", async () => {
  const { path, clock, open } = await setUp();
  await mkdir(join(path, ".."));
  const good = { account: key("a"), until: clock.now() + 5, durationMs: 5, why: "auth" };
  const wrong: unknown[] = [
    null,
    7,
    { ...good, account: "" },
    { ...good, account: 7 },
    { ...good, account: "x".repeat(2000) },
    { ...good, account: key("b"), until: "soon" },
    { ...good, account: key("c"), durationMs: -1 },
    { ...good, account: key("d"), durationMs: 1e15 },
    { ...good, account: key("e"), why: "toString" },
    { ...good, account: key("f"), until: null },
  ];
  await writeFile(path, JSON.stringify({ version: 1, limits: [...wrong, good] }));
  expect(await names(open())).toEqual(["a"]);
});

test("a file that cannot be written fails nobody: it is told, and goes with the next report", async () => {
  const { path, open, limit, problems, folder } = await setUp();
  const accounts = open();
  await writeFile(join(folder, "state"), "in the way");
  await accounts.report(limit("a", HOUR));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/cannot share usage limits/);
  expect(await accounts.limits()).toEqual(new Map());
  await rm(join(path, ".."));
  await accounts.report(limit("b", HOUR));
  expect(await names(accounts)).toEqual(["a", "b"]);
  await accounts.report({ ...limit("c", HOUR), durationMs: Number.NaN });
  expect([problems.length, await names(accounts)]).toEqual([2, ["a", "b"]]);
});

test("a lock that its holder keeps does not block a run", async () => {
  const { path, limit, problems, clock } = await setUp();
  const held = await acquireLock(`${path}.lock`, { command: "hangs" });
  if (!held.ok) throw new Error(held.refusal.message);
  const accounts = openAccounts(path, {
    clock: { now: clock.now, setTimer: systemClock.setTimer },
    patienceMs: 50,
    onProblem: (problem) => problems.push(problem),
  });
  await accounts.report(limit("a", HOUR));
  expect(problems[0]).toMatch(/is held by process \d+/);
  await held.lock.release();
  await accounts.report(limit("b", HOUR));
  expect(await names(accounts)).toEqual(["a", "b"]);
});

test("a lock that goes from hand to hand is waited for, however long it takes", async () => {
  const { path, limit, problems, clock } = await setUp();
  const take = () => acquireLock(`${path}.lock`, { command: "busy" });
  let held = await take();
  let hands = 0;
  const nextHand = async () => {
    hands += 1;
    if (held.ok) await held.lock.release();
    if (hands < 30) held = await take();
  };
  const setTimer = (_ms: number, fire: () => void) => {
    void nextHand().then(fire);
    return { cancel: () => undefined };
  };
  const onProblem = (problem: string) => problems.push(problem);
  const accounts = openAccounts(path, { clock: { now: clock.now, setTimer }, patienceMs: 50, onProblem });
  await accounts.report(limit("a", HOUR));
  expect([await names(accounts), problems, hands]).toEqual([["a"], [], 30]);
});

test("the file does not grow without end: those that end first go", async () => {
  const { path, open, limit } = await setUp();
  const accounts = open();
  await Promise.all(Array.from({ length: 300 }, (_, i) => accounts.report(limit(`n${i}`, HOUR + i))));
  const kept = await names(accounts);
  expect(kept).toHaveLength(128);
  expect(kept).toContain("n299");
  expect(kept).not.toContain("n171");
  expect((await stat(path)).size).toBeLessThan(1024 * 1024);
});

test("a watcher is given what is there, then what others report, each once, and nothing of its own", async () => {
  const { clock, open, limit, path } = await setUp();
  const [mine, theirs] = [open(), open()];
  await theirs.report(limit("before", HOUR));
  await mine.report(limit("own", HOUR));
  const told: string[] = [];
  const off = mine.watch({
    limited: ({ account, durationMs }) => told.push(`${JSON.parse(account)[1]} ${durationMs}`),
    removed: (account) => told.push(`${JSON.parse(account)[1]} removed`),
  });
  const look = async () => {
    clock.advance(1000);
    while (clock.pending() === 0) await turn();
  };
  while (clock.pending() === 0) await turn();
  expect(told).toEqual([`before ${HOUR}`]);
  await theirs.report(limit("new", HOUR));
  await theirs.report({ ...limit("before", 10), why: "overloaded" });
  await look();
  await look();
  expect(told.slice(1)).toEqual([`new ${HOUR}`]);
  await theirs.report(limit("own", 2 * HOUR));
  await look();
  expect(told.slice(2)).toEqual([`own ${2 * HOUR}`]);
  // Another run saw that the account works, or a person removed the file.
  await theirs.release(key("new"));
  await look();
  expect(told.slice(3)).toEqual(["new removed"]);
  await theirs.report(limit("new", HOUR));
  await look();
  expect(told.slice(4)).toEqual([`new ${HOUR}`]);
  await rm(path);
  await look();
  expect(told.slice(5).sort()).toEqual(["before removed", "new removed", "own removed"]);
  off();
  expect(clock.pending()).toBe(0);
  await theirs.report(limit("late", HOUR));
  expect(told).toHaveLength(8);
});
