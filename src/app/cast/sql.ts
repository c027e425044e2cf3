import type { CastRow, CastTable } from "./rows.ts";

/** Which columns the tables of an installation have: its schema has versions, and people add to it. */
export type TableColumns = { readonly [Table in CastTable]: ReadonlySet<string> };

export const columnsQuery = `SELECT 'routing_events', name FROM pragma_table_info('routing_events') UNION ALL SELECT 'agent_runs', name FROM pragma_table_info('agent_runs');\n`;

/** A line a column: `routing_events|action`. */
export function parseColumns(printed: string): TableColumns {
  const rows = printed.split("\n").map((line) => line.trim().split("|"));
  const of = (table: CastTable) =>
    new Set(rows.filter(([name]) => name === table).map(([, column = ""]) => column));
  return { routing_events: of("routing_events"), agent_runs: of("agent_runs") };
}

/** Null where the table is not there, or has nothing of the row. */
export function insertOf({ table, values }: CastRow, columns: TableColumns): string | null {
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
