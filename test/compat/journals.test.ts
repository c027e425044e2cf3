import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { replay } from "../../src/core/evolve.ts";
import { parseFact } from "../../src/core/parse-fact.ts";
import { progress } from "../../src/core/select/progress.ts";
import { timeline } from "../../src/core/select/timeline.ts";
import { acquireLock } from "../../src/journal/lock.ts";
import { openJournal } from "../../src/journal/open.ts";
import { readJournal } from "../../src/journal/read.ts";
import { gateOf, taskId } from "../support/plans.ts";
import { Scenario } from "../support/scenario.ts";

/**
 * Journals written by released versions must replay to the same state for ever. Each release adds `<version>.ndjson` and
 * what it shows beside it, and those files never change. `unreleased.ndjson` is what the present code writes: with
 * UPDATE=1 it is written anew, which is right only until the first release that it would become part of.
 */
const folder = new URL("journals/", import.meta.url);
if (process.env["UPDATE"] === "1") await record("unreleased");
const names = (await readdir(folder)).filter((name) => name.endsWith(".ndjson"));

test("there is a journal to replay", () => {
  expect(names).toContain("unreleased.ndjson");
});

test.each(names)("%s replays to what it showed when it was written", async (name) => {
  const shown = JSON.parse(await readFile(new URL(name.replace(/ndjson$/, "json"), folder), "utf8"));
  expect(await show(new URL(name, folder).pathname)).toEqual(shown);
});

async function show(path: string): Promise<unknown> {
  const { facts, tail } = await readJournal(path, { parse: parseFact });
  const state = replay(facts);
  if (state === null) throw new Error(`${path} holds no run`);
  const plain = {
    facts: facts.length,
    tail: tail.kind,
    progress: progress(state),
    timeline: timeline(state),
  };
  return JSON.parse(JSON.stringify(plain));
}

/** A run that has seen most things: a retry, a fix round, a race, a usage limit, a held task, a conflict, a landing. */
async function record(name: string): Promise<void> {
  const unit = gateOf("npm test");
  const tasks = [
    { id: "api", fixRounds: 1 },
    { id: "page", race: 2 },
    { id: "wire", needs: ["api", "page"], approve: true },
    { id: "review", needs: ["wire"], access: "read-only" as const },
  ];
  const run = new Scenario(tasks, { plan: { gates: [unit] }, policy: { mergeAhead: 2 } });
  run.work("api/1").judge(unit, "work api/1", "red").work("api/2").judge(unit, "work api/2");
  run.start("page/1").start("page/2").end("page/1").save("page/1").judge(unit, "work page/1");
  run.end("page/2", { reason: "cancelled", because: "superseded", detail: "stopped" }).save("page/2");
  run.build().judge(unit, "merge api/2").advance().conflict(["src/routes.ts"]);
  run
    .later(60_000)
    .start("page/3")
    .end("page/3", { reason: "usage-limit", resetsAt: run.now + 9_000, detail: "limit" });
  run
    .save("page/3")
    .later(10_000)
    .work("page/4")
    .judge(unit, "work page/4")
    .build()
    .judge(unit, "merge page/4")
    .advance();
  run
    .work("wire/1")
    .judge(unit, "work wire/1")
    .ask({ kind: "approve", task: taskId("wire") });
  run.build().judge(unit, "merge wire/1").advance();
  run
    .start("review/1")
    .end("review/1", null, { costUsd: 0.2 })
    .save("review/1", { changed: false })
    .land()
    .finish();
  await write(name, run);
}

async function write(name: string, run: Scenario): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "plait-compat-"));
  const path = join(home, "journal.ndjson");
  const taken = await acquireLock(join(home, "lock"), { command: "record" });
  if (!taken.ok) throw new Error("the lock is taken");
  const journal = await openJournal(path, { lock: taken.lock, parse: parseFact, now: () => new Date(0) });
  await journal.append(run.facts);
  await journal.close();
  await taken.lock.release();
  await writeFile(new URL(`${name}.ndjson`, folder), await readFile(path));
  await writeFile(new URL(`${name}.json`, folder), `${JSON.stringify(await show(path), null, 2)}\n`);
  await rm(home, { recursive: true });
}
