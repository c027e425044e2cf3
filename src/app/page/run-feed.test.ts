import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { story } from "../../../test/support/checkout.ts";
import type { Fact } from "../../core/facts.ts";
import { parseFact } from "../../core/parse-fact.ts";
import { runFolder } from "../../engines/local/run-folder.ts";
import { acquireLock } from "../../journal/lock.ts";
import { openJournal } from "../../journal/open.ts";
import { createFeeds, openRunFeed, type RunFeed } from "./run-feed.ts";

const SECRET = "hunter2-hunter2-hunter2";
const host = {
  ...{ cwd: "/", env: { API_TOKEN: SECRET }, version: "1", command: "" },
  ...{ allowRoot: false, allowNested: false },
};
const facts = story().facts;

async function place() {
  const path = await mkdtemp(join(tmpdir(), "plait-feed-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return runFolder(path);
}

/** A driver that opens no door; `leave` ends it. */
async function drive(folder: ReturnType<typeof runFolder>) {
  const taken = await acquireLock(folder.lock, { command: "test" });
  if (!taken.ok) throw new Error(taken.refusal.message);
  const journal = await openJournal<Fact>(folder.journal, { lock: taken.lock, parse: parseFact });
  const leave = async () => {
    await journal.close();
    await taken.lock.release();
  };
  return { write: (more: readonly Fact[]) => journal.append(more), leave };
}

function follow(folder: ReturnType<typeof runFolder>): RunFeed {
  const feed = openRunFeed(host, { repository: { workTree: null }, folder });
  onTestFinished(feed.close);
  return feed;
}

const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: 5_000, interval: 10 });

test("a run is told from its first fact on, then as it goes on, whether it is driven and by whom next; each fact once", async () => {
  const folder = await place();
  const first = await drive(folder);
  await first.write(facts.slice(0, 10));
  const feed = follow(folder);
  await until(feed.isPastTold);
  expect([feed.facts.length, feed.isRunning()]).toEqual([10, true]);
  await first.write(facts.slice(10, 20));
  await until(() => feed.facts.length === 20);
  await first.leave();
  await until(() => !feed.isRunning());
  expect(feed.now()).toBe(facts[19]?.at); // nobody's clock goes on
  const second = await drive(folder);
  await second.write(facts.slice(20, 30));
  await until(() => feed.isRunning() && feed.facts.length === 30);
  await second.leave();
  expect(feed.facts).toEqual(facts.slice(0, 30));
});

test("a secret in a fact is masked, also in what a plan says (I13)", async () => {
  const folder = await place();
  const driver = await drive(folder);
  const told = JSON.stringify(facts.slice(0, 3)).replaceAll("checkout-v2.yaml", SECRET);
  await driver.write(JSON.parse(told) as Fact[]);
  await driver.leave();
  const feed = follow(folder);
  await until(feed.isPastTold);
  expect(told).toContain(SECRET);
  expect(JSON.stringify(feed.facts)).not.toContain(SECRET);
  expect(feed.facts).toHaveLength(3);
});

test("a journal that is damaged is told up to the damage, with what to do; also where it comes to harm meanwhile", async () => {
  const folder = await place();
  const driver = await drive(folder);
  await driver.write(facts.slice(0, 10));
  await driver.leave();
  const text = await readFile(folder.journal, "utf8");
  const feed = follow(folder);
  await until(feed.isPastTold);
  await appendFile(folder.journal, "no fact\nno fact\n");
  await until(() => feed.unreadable() !== null);
  expect(feed.facts).toHaveLength(10);
  await writeFile(folder.journal, text.replace(/^(.*"n":7,.*)$/m, "x$1"));
  const again = follow(folder);
  await until(() => again.unreadable() !== null);
  expect(again.facts).toEqual(facts.slice(0, 6));
  expect(again.unreadable()?.problem).toMatch(/damaged at line 8/);
  expect(again.unreadable()?.hint).toContain("head -c");
});

test("of a run that is cleaned away while somebody looks, that is told, and not that it is damaged", async () => {
  const folder = await place();
  const driver = await drive(folder);
  await driver.write(facts.slice(0, 3));
  await driver.leave();
  const feed = follow(folder);
  await until(feed.isPastTold);
  await rm(folder.path, { recursive: true });
  await until(() => feed.unreadable() !== null);
  expect(feed.unreadable()).toEqual({
    problem: "this run was removed",
    hint: "list the runs: plait runs",
  });
  expect(feed.facts).toHaveLength(3);
});

test("all who look at a run share one following, which ends with the last; who comes after a damage gets a new one", () => {
  let [opened, closed, isDamaged] = [0, 0, false];
  const open = (): RunFeed => {
    opened += 1;
    const unreadable = () => (isDamaged ? { problem: "", hint: "" } : null);
    const close = () => {
      closed += 1;
    };
    return { unreadable, close } as unknown as RunFeed;
  };
  const feeds = createFeeds();
  const [a, b] = [feeds.look("r", open), feeds.look("r", open)];
  expect([a.feed === b.feed, opened]).toEqual([true, 1]);
  a.leave();
  a.leave();
  expect(closed).toBe(0);
  b.leave();
  expect(closed).toBe(1);
  const c = feeds.look("r", open);
  expect(opened).toBe(2);
  isDamaged = true;
  expect(feeds.look("r", open).feed).not.toBe(c.feed);
  feeds.close();
});
