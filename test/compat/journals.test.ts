import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { replay } from "../../src/core/evolve.ts";
import { FACT_VERSION, type GateJudged } from "../../src/core/facts.ts";
import { refName, type TextHash } from "../../src/core/ids.ts";
import { outcomeOf } from "../../src/core/landing.ts";
import { FACT_TYPES, parseFact } from "../../src/core/parse-fact.ts";
import { overview } from "../../src/core/select/overview.ts";
import { progress } from "../../src/core/select/progress.ts";
import { timelineOf } from "../../src/core/select/timeline.ts";
import { entries } from "../../src/core/sorted-map.ts";
import { acquireLock } from "../../src/journal/lock.ts";
import { openJournal } from "../../src/journal/open.ts";
import { readJournal } from "../../src/journal/read.ts";
import { currentVersion, upgrades } from "../../src/journal/upgrade.ts";
import { ACCOUNT, gateOf, oidOf, planOf, taskId } from "../support/plans.ts";
import { Scenario } from "../support/scenario.ts";

/**
 * Journals written by released versions must replay to the same state for ever. Each release adds `<version>.ndjson` and
 * what it shows beside it, and those files never change. `unreleased.ndjson` is what the present code writes: with
 * UPDATE=1 it is written anew, which is right only until the first release that it would become part of.
 */
const folder = new URL("journals/", import.meta.url);
const { UPDATE } = process.env;
if (UPDATE === "1") await record("unreleased");
const names = (await readdir(folder)).filter((name) => name.endsWith(".ndjson"));

test("there is a journal to replay", () => {
  expect(names).toContain("unreleased.ndjson");
});

test.each(names)("%s replays to what it showed when it was written", async (name) => {
  const shown = JSON.parse(await readFile(new URL(name.replace(/ndjson$/, "json"), folder), "utf8"));
  expect(await show(new URL(name, folder).pathname)).toEqual(shown);
});

test("the present journal holds every type of fact, and its version is that of the facts", async () => {
  const { facts } = await readJournal(new URL("unreleased.ndjson", folder).pathname, { parse: parseFact });
  const seen = new Set(facts.map(({ type }) => type));
  expect(FACT_TYPES.filter((type) => !seen.has(type))).toEqual([]);
  expect(currentVersion(upgrades)).toBe(FACT_VERSION);
});

/** The state as plain data: everything that is not derived from the plan. */
async function show(path: string): Promise<unknown> {
  const { facts, tail } = await readJournal(path, { parse: parseFact });
  const state = replay(facts);
  if (state === null) throw new Error(`${path} holds no run`);
  const { index: _index, indices, tasks, greens, accounts, failing, selected, gone, ...rest } = state;
  const plain = {
    facts: facts.length,
    tail: tail.kind,
    ...rest,
    tasks: [...entries(tasks)],
    greens: [...entries(greens)].map(([key]) => key),
    accounts: [...entries(accounts)],
    failing: [...entries(failing)],
    selected: selected === null ? null : [...selected],
    gone: [...gone],
    phases: indices.phases,
    outcome: outcomeOf(state),
    progress: progress(state),
    timeline: timelineOf(facts, overview(state, state.clock)).rows.map(({ row, segments, ends }) => [
      row.task,
      ...segments.map(({ kind, from, to, result, attempt }) => `${attempt} ${kind} ${result} ${from} ${to}`),
      ...ends.map(({ kind, at, note }) => `${kind} ${at} ${note}`),
    ]),
  };
  return JSON.parse(JSON.stringify(plain));
}

/** A run that has seen everything that can happen, if not in an order that makes sense to anybody. */
async function record(name: string): Promise<void> {
  const unit = gateOf("npm test");
  const tasks = [
    { id: "api", fixRounds: 1 },
    { id: "page", race: 2 },
    { id: "wire", needs: ["api", "page"], approve: true },
    { id: "review", needs: ["wire"], access: "read-only" as const },
    { id: "extra", retries: 0 },
  ];
  const run = new Scenario(tasks, { plan: { gates: [unit] }, policy: { mergeAhead: 2 } });
  run.work("api/1").judge(unit, "work api/1", "red").work("api/2").judge(unit, "work api/2");
  run.start("page/1").start("page/2").end("page/1").save("page/1").judge(unit, "work page/1");
  run.end("page/2", { reason: "cancelled", because: "superseded", detail: "stopped" }).save("page/2");
  run.build().judge(unit, "merge api/2").advance().conflict(["src/routes.ts"]);
  run.ask({ kind: "pause" }).ask({ kind: "unpause" }).ask({ kind: "resize", slots: 3 });
  run.start("extra/1").end("extra/1", { reason: "auth", detail: "401" });
  run
    .fact({ type: "effect.failed", key: "save extra/1", detail: "no space left" })
    .later(5_000)
    .save("extra/1");
  run.later(60_000).fact({ type: "account.probed", account: run.want("probe").account, ok: true });
  run.start("page/3").end("page/3", { reason: "usage-limit", resetsAt: run.now + 9_000, detail: "limit" });
  run.fact({
    type: "account.limited",
    account: ACCOUNT,
    until: run.now + 9_500,
    durationMs: 9_500,
    why: "usage-limit",
  });
  run.fact({ type: "waits.skipped", accounts: [ACCOUNT], tasks: [taskId("page")], because: "person" });
  run.fact({ type: "accounts.changed", accounts: {} });
  run
    .save("page/3")
    .later(10_000)
    .work("page/4")
    .judge(unit, "work page/4")
    .build()
    .judge(unit, "merge page/4")
    .advance();
  run.later(3_600_000).fact({ type: "run.slept", from: run.now - 3_600_000 });
  run.ask({ kind: "cancel", task: taskId("extra") }).ask({ kind: "retry", task: taskId("extra") });
  const plan = planOf([...tasks.slice(0, 4), { id: "extra", retries: 0, title: "other words" }], {
    gates: [unit],
  });
  run.ask({ kind: "revise", plan, accounts: {}, redo: [], policy: run.state.policy });
  run.ask({ kind: "hold", task: taskId("extra"), why: "look first" });
  run
    .work("wire/1")
    .judge(unit, "work wire/1")
    .ask({ kind: "approve", task: taskId("wire") });
  run.build().judge(unit, "merge wire/1").advance();
  run.start("review/1").end("review/1", null, { costUsd: 0.2 }).save("review/1", { changed: false });
  run.fact({ type: "run.held", why: "somebody looked at it" }).ask({ kind: "stop", mode: "drain" }).finish();
  run.ask({ kind: "land" }).resume().ask({ kind: "land" });
  run
    .fact({ type: "landing.refused", tip: run.state.tip.commit, why: "dirty", detail: "2 files" })
    .resume()
    .ask({ kind: "land" });
  const joined = { commit: oidOf("joined"), tree: oidOf("joined tree") };
  const theirs = oidOf("theirs");
  const moved = { target: refName("refs/heads/main"), from: run.state.base.commit, to: theirs } as const;
  run.fact({ type: "target.moved", ...moved, isExplained: true });
  run.fact({ type: "landing.built", tip: run.state.tip.commit, onto: theirs, result: joined });
  run.fact({
    ...(run.facts.find((fact) => fact.type === "gate.judged" && fact.verdict === "green") as GateJudged),
    tree: joined.tree,
  });
  run.land().finish();
  run.ask({ kind: "open", task: taskId("extra") }).opened("extra/2", ["src/routes.ts"]);
  const published = { tip: run.state.tip.commit, commit: joined.commit, remote: "origin", branch: "main" };
  run.fact({ type: "publishing.refused", tip: run.state.tip.commit, detail: "no" });
  run.fact({ type: "run.published", ...published, url: null });
  run.ask({ kind: "undo" }).fact({ type: "undo.refused", tip: run.state.tip.commit, detail: "1 file" });
  run.ask({ kind: "undo" }).fact({
    ...{ type: "landing.undone", tip: run.state.tip.commit, target: refName("refs/heads/main") },
    ...{ notes: ["origin/main has it still"] },
    ...{ how: "moved-back", from: joined.commit, to: { commit: oidOf("theirs"), tree: oidOf("their tree") } },
  });
  run.finish();
  const onto = { commit: oidOf("edited"), tree: oidOf("edited tree") };
  run.ask({ kind: "redo", tasks: [{ task: taskId("api"), brief: "brief" as TextHash }], onto });
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
