// Rows for CAST's database, where there is one. It belongs to others: it is never made or changed in its form, a row that does not
// fit is left out, and nobody waits for it. Each write is a small program of its own, so that a database that is locked, or lies
// on a disk that does not answer, holds up nothing.

import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join, resolve } from "node:path";
import type { Env } from "../../core/plan.ts";
import { createGitSpawn } from "../../process/git-spawn.ts";
import { systemClock } from "../../util/clock.ts";
import { errnoOf } from "../../util/errno.ts";
import type { CastRow, CastTable } from "./rows.ts";

export type CastPlace = {
  readonly dbUrl: string | null;
  readonly dbPath: string | null;
  readonly home: string | null;
  readonly cwd: string;
  readonly env: Env;
};

export type CastDb = {
  /** Goes its way in the background, in order. */
  readonly write: (row: CastRow) => void;
  /** Resolves when all is written, or soon. Gives why rows were left out, as one sentence; null where none was. */
  readonly settled: () => Promise<string | null>;
};

/** CAST_DB_URL, else CAST_DB_PATH, else the usual place. */
export function castDbPath({ dbUrl, dbPath, home, cwd }: Omit<CastPlace, "env">): string | null {
  const url = dbUrl?.startsWith(SQLITE) ? dbUrl.slice(SQLITE.length) : null;
  const path = url ?? dbPath ?? (home === null ? null : join(home, ".claude", "cast.db"));
  return path === null || path === "" ? null : resolve(cwd, path);
}

const SQLITE = "sqlite:///";
/** After the run is over: one that is locked for longer gets no more rows. */
const PATIENCE_MS = 3_000;

export async function openCastDb(place: CastPlace, programs = programsHere()): Promise<CastDb> {
  const path = castDbPath(place);
  const log = place.home === null ? null : join(place.home, ".claude", "routing-log.jsonl");
  const isThere = path !== null && (await isFile(path));
  const problems: string[] = [];
  const fail = (error: unknown): void =>
    void problems.push(String(error instanceof Error ? error.message : error));
  const database = isThere ? sqlite(path, place, programs) : null;
  const columns = database === null ? null : database(columnsQuery).then(knownColumns);
  let last: Promise<void> = columns === null ? Promise.resolve() : columns.then(() => undefined, fail);
  const put = async (row: CastRow): Promise<void> => {
    if (row.table === "routing_events" && log !== null) await appendLine(log, row);
    const known = await columns?.catch(() => null); // told once, when it failed
    const sql = known ? insertOf(row, known) : null;
    if (sql !== null) await database?.(sql);
  };
  return {
    write: (row) => {
      last = last.then(() => put(row)).catch(fail);
    },
    settled: async () => {
      const why = (await isLate(last)) ? "it is not responding" : (problems[0] ?? null);
      return why === null ? null : `no rows were written to ${path ?? log}: ${why}`;
    },
  };
}

/** One without either table is another's, or is broken: that is told, once. */
function knownColumns(printed: string): TableColumns {
  const columns = parseColumns(printed);
  if (columns.routing_events.size === 0 && columns.agent_runs.size === 0)
    throw new Error("missing tables routing_events and agent_runs");
  return columns;
}

type Ask = (sql: string) => Promise<string>;

/** The ways to write a database here, the best first: the arguments of each, by the file. */
export type SqlitePrograms = readonly ((path: string) => readonly string[])[];

/** Opens a file that is there; what is asked for by SELECT it prints, a row a line. */
const NODE_PROGRAM = `
const { DatabaseSync } = require("node:sqlite");
const sql = require("node:fs").readFileSync(0, "utf8");
const db = new DatabaseSync(process.argv[1]);
db.exec("PRAGMA busy_timeout = 500");
if (!sql.startsWith("SELECT")) db.exec(sql);
else for (const row of db.prepare(sql).all()) process.stdout.write(Object.values(row).join("|") + "\\n");
`;

function programsHere(): SqlitePrograms {
  const shell = (path: string): string[] => [
    ...["sqlite3", "-batch", "-bail", "-init", "/dev/null", "-noheader", "-list", "-cmd", ".timeout 500"],
    `file:${encodeURI(path).replaceAll("?", "%3f").replaceAll("#", "%23")}?mode=rw`,
  ];
  const node = (path: string): string[] => [
    ...[process.execPath, "--no-warnings", "-e", NODE_PROGRAM, "--", path],
  ];
  return isBuiltin("node:sqlite") ? [node, shell] : [shell];
}

const LIMIT_MS = 2_000;
const TRIES = 3;
const WAIT_MS = 100;

function sqlite(path: string, { cwd, env }: CastPlace, programs: SqlitePrograms): Ask {
  const spawn = createGitSpawn({ maxOutputBytes: 1024 * 1024 });
  let [program] = programs;
  return async (sql) => {
    for (let n = 1; ; n += 1) {
      if (program === undefined) throw new Error("node:sqlite and sqlite3 are both missing");
      const argv = program(path);
      const end = await spawn({ argv, cwd, env: { ...env }, stdin: sql, timeoutMs: LIMIT_MS }).catch(
        (error) => {
          if (errnoOf(error) !== "ENOENT") throw error;
          return null;
        },
      );
      if (end === null) {
        program = programs[programs.indexOf(program) + 1];
        continue;
      }
      if (end.code === 0) return end.stdout.toString();
      const said = end.stderr.toString().trim();
      if (n >= TRIES || !/\b(?:locked|busy)\b/.test(said)) throw new Error(reasonIn(said));
      await pause(WAIT_MS * n);
    }
  };
}

function reasonIn(said: string): string {
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  return (lines.find((line) => /error/i.test(line)) ?? lines[0] ?? "no output").trim().slice(0, 200);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void systemClock.setTimer(ms, resolve));

function isLate(done: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = systemClock.setTimer(PATIENCE_MS, () => resolve(true));
    void done.then(() => {
      timer.cancel();
      resolve(false);
    });
  });
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null); // absent, or not for us to see: no rows
  return found?.isFile() ?? false;
}

/** The log that CAST keeps beside its database: only where it is, and never waited for. */
async function appendLine(path: string, { values }: CastRow): Promise<void> {
  if (!(await isFile(path))) return;
  const file = await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK);
  try {
    await file.appendFile(`${JSON.stringify(values)}\n`);
  } finally {
    await file.close();
  }
}

/** Which columns the tables of an installation have: its schema has versions, and people add to it. */
type TableColumns = { readonly [Table in CastTable]: ReadonlySet<string> };

const columnsQuery = `SELECT 'routing_events', name FROM pragma_table_info('routing_events') UNION ALL SELECT 'agent_runs', name FROM pragma_table_info('agent_runs');\n`;

/** A line a column: `routing_events|action`. */
function parseColumns(printed: string): TableColumns {
  const rows = printed.split("\n").map((line) => line.trim().split("|"));
  const of = (table: CastTable) =>
    new Set(rows.filter(([name]) => name === table).map(([, column = ""]) => column));
  return { routing_events: of("routing_events"), agent_runs: of("agent_runs") };
}

/** Null where the table is not there, or has nothing of the row. */
function insertOf({ table, values }: CastRow, columns: TableColumns): string | null {
  const known = Object.entries(values).filter(
    ([column, value]) => value !== null && columns[table].has(column),
  );
  if (known.length === 0) return null;
  const names = known.map(([column]) => column).join(", ");
  return `INSERT INTO ${table} (${names}) VALUES (${known.map(([, value]) => literal(value)).join(", ")});\n`;
}

/** Texts end at a NUL in SQL; everything else between two quotes stands for itself. */
export function literal(value: string | number | null): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "NULL";
  return `'${value.replaceAll("\0", "").replaceAll("'", "''")}'`;
}
