import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CastPlace, castDbPath, literal, openCastDb } from "../../src/app/cast/database.ts";
import { batchNumber, eventRow, statusOf } from "../../src/app/cast/rows.ts";
import { folderWith } from "../cli/plait.ts";

/** Rows in a real database, as CAST's own tools make it. */

const hasShell = spawnSync("sqlite3", ["--version"]).status === 0;
const { PATH = "" } = process.env;

const EVENTS =
  "CREATE TABLE routing_events(id INTEGER PRIMARY KEY, session_id TEXT, timestamp TEXT, prompt_preview TEXT, action TEXT, matched_route TEXT, match_type TEXT, pattern TEXT, confidence TEXT, project TEXT, event_type TEXT, data TEXT);";
const STATUS = "'DONE','DONE_WITH_CONCERNS','BLOCKED','NEEDS_CONTEXT','running','failed'";
const RUNS = `CREATE TABLE sessions(id TEXT PRIMARY KEY); CREATE TABLE agent_runs(id INTEGER PRIMARY KEY, session_id TEXT REFERENCES sessions(id), agent TEXT NOT NULL, model TEXT, started_at TEXT, ended_at TEXT, status TEXT CHECK(status IN (${STATUS})), input_tokens INTEGER, output_tokens INTEGER, cost_usd REAL, task_summary TEXT, project TEXT, agent_id TEXT, batch_id INTEGER);`;

const sql = (path: string, text: string): string =>
  execFileSync("sqlite3", [path, text], { encoding: "utf8" }).trim();

function placeWith(schema: string | null): CastPlace & { readonly path: string } {
  const home = folderWith({ ".claude/x": "" });
  const path = join(home, ".claude", "cast.db");
  if (schema !== null) sql(path, `PRAGMA journal_mode=WAL; ${schema}`);
  return { dbUrl: null, dbPath: null, home, cwd: home, env: { PATH }, path };
}

const event = (message = "Plan: p, split at batch 1") =>
  eventRow({ event: "parallel_start", message, at: 0, run: "p-abcd", project: "shop", data: { split: 1 } });
const attempt = (status: string) => ({
  table: "agent_runs" as const,
  values: { session_id: null, agent: "stream-a", status, cost_usd: 0.25, batch_id: 1, response: "x" },
});

describe("the place of the database", () => {
  const at = { dbUrl: null, dbPath: null, home: "/home/u", cwd: "/work" };

  it.each([
    [{}, "/home/u/.claude/cast.db"],
    [{ dbPath: "/db/c.db" }, "/db/c.db"],
    [{ dbPath: "/db/c.db", dbUrl: "sqlite:////url/c.db" }, "/url/c.db"],
    [{ dbUrl: "sqlite:///near.db" }, "/work/near.db"],
    [{ dbUrl: "postgres://x/y", dbPath: "/db/c.db" }, "/db/c.db"],
    [{ home: null }, null],
  ])("with %j is %s", (said, expected) => expect(castDbPath({ ...at, ...said })).toBe(expected));
});

it.each([
  ["it's", "'it''s'"],
  ["a\0b", "'ab'"],
  [null, "NULL"],
  [0.5, "0.5"],
  [Number.NaN, "NULL"],
])("%j is written as %s", (value, expected) => expect(literal(value)).toBe(expected));

it.each([
  ["1", 1],
  ["2,3", 2],
  ["b", null],
  ["", null],
])("the batches %j are counted as %s", (batches, expected) => expect(batchNumber(batches)).toBe(expected));

it("the status is one that the column takes", () => {
  expect(statusOf(null, [])).toBe("DONE");
  expect(statusOf(null, ["Bash"])).toBe("DONE_WITH_CONCERNS");
  expect(statusOf({ reason: "agent-said-no", detail: "" }, [])).toBe("BLOCKED");
  expect(statusOf({ reason: "crash", detail: "" }, [])).toBe("failed");
});

describe.skipIf(!hasShell && !isBuiltin("node:sqlite"))("rows (skipped where there is no sqlite)", () => {
  it("go into an existing database, in order, with nothing in them that could be a command", async () => {
    const place = placeWith(EVENTS + RUNS);
    const db = await openCastDb(place);
    db.write(event("it's\n.shell touch pwned\n'; DROP TABLE routing_events; --"));
    db.write(attempt("DONE"));
    expect(await db.settled()).toBeNull();
    expect(
      sql(
        place.path,
        "SELECT session_id, timestamp, action, event_type, project, json_extract(data, '$.split') FROM routing_events",
      ),
    ).toBe("p-abcd|1970-01-01T00:00:00Z|parallel_start|parallel_start|shop|1");
    expect(sql(place.path, "SELECT prompt_preview FROM routing_events")).toContain("'; DROP TABLE");
    expect(
      sql(place.path, "SELECT session_id IS NULL, agent, status, cost_usd, batch_id FROM agent_runs"),
    ).toBe("1|stream-a|DONE|0.25|1");
    expect(existsSync(join(place.cwd, "pwned"))).toBe(false);
  });

  it("a database of an older form gets what it has room for, silently", async () => {
    const place = placeWith("CREATE TABLE routing_events(action TEXT, extra TEXT);");
    const db = await openCastDb(place);
    db.write(event());
    db.write(attempt("DONE"));
    expect(await db.settled()).toBeNull();
    expect(sql(place.path, "SELECT action FROM routing_events")).toBe("parallel_start");
  });

  it("a database with none of the tables is told of in one sentence", async () => {
    const place = placeWith("CREATE TABLE other(x);");
    const db = await openCastDb(place);
    db.write(event());
    db.write(attempt("DONE"));
    expect(await db.settled()).toBe(
      `no rows were written to ${place.path}: missing tables routing_events and agent_runs`,
    );
  });

  it("a row that a check refuses is told of in one sentence, and the others are written", async () => {
    const place = placeWith(EVENTS + RUNS);
    const db = await openCastDb(place);
    db.write(attempt("strange"));
    db.write(event());
    expect(await db.settled()).toMatch(/^no rows were written to .*cast\.db: .*CHECK constraint failed/);
    expect(sql(place.path, "SELECT count(*) FROM routing_events")).toBe("1");
  });

  it("are left out where the database is locked for good, and nobody waits long for that", async () => {
    const place = placeWith(EVENTS);
    sql(place.path, "PRAGMA journal_mode=DELETE;");
    const holder = spawn("sqlite3", [place.path], { stdio: ["pipe", "pipe", "ignore"] });
    holder.stdin.write("BEGIN EXCLUSIVE; SELECT 'held';\n");
    await new Promise((resolve) => holder.stdout.once("data", resolve));
    const begun = performance.now();
    try {
      const db = await openCastDb(place);
      db.write(event());
      expect(await db.settled()).toMatch(/no rows were written to .*locked/);
    } finally {
      holder.stdin.end();
    }
    expect(performance.now() - begun).toBeLessThan(6_000);
  }, 20_000);
});

it("a database that is not there is not made, and nothing is said", async () => {
  const place = placeWith(null);
  const db = await openCastDb(place);
  db.write(event());
  expect(await db.settled()).toBeNull();
  expect(existsSync(place.path)).toBe(false);
  expect(existsSync(join(place.cwd, ".claude", "routing-log.jsonl"))).toBe(false);
});

it("the routing log gets events where it is, without a database", async () => {
  const place = placeWith(null);
  const log = join(place.cwd, ".claude", "routing-log.jsonl");
  writeFileSync(log, '{"old":1}\n');
  const db = await openCastDb(place);
  db.write(event());
  db.write(attempt("DONE"));
  expect(await db.settled()).toBeNull();
  const lines = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([{ old: 1 }, expect.objectContaining({ event_type: "parallel_start" })]);
});

it("without any sqlite the rows are left out with one sentence", async () => {
  const place = placeWith(null);
  writeFileSync(place.path, "");
  const db = await openCastDb(place, [() => ["no-such-sqlite"]]);
  db.write(event());
  expect(await db.settled()).toBe(
    `no rows were written to ${place.path}: node:sqlite and sqlite3 are both missing`,
  );
});
