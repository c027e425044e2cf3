// The table of layers, read from the page that people read, so that the two cannot differ.

/** For each folder what it may import: a folder whole, or only the named modules of it ("types": any type). */
export type LayerTable = ReadonlyMap<string, ReadonlyMap<string, "all" | readonly string[]>>;

/** Reads the Markdown table between `<!-- layers -->` and `<!-- /layers -->`; anything it cannot read is an error. */
export function parseTable(markdown: string): LayerTable {
  const section = /<!-- layers -->([\s\S]*?)<!-- \/layers -->/.exec(markdown)?.[1];
  if (section === undefined)
    throw new Error("There is no table between <!-- layers --> and <!-- /layers -->.");
  const rows = section
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .slice(2); // the heading and the line under it
  const table = new Map(rows.map(parseRow));
  if (table.size === 0) throw new Error("The table of layers has no row.");
  if (table.size < rows.length) throw new Error("A folder has two rows in the table of layers.");
  for (const [folder, allowed] of table) {
    for (const name of allowed.keys()) {
      if (!table.has(name)) throw new Error(`The row of ${folder} names ${name}, which has no row.`);
    }
  }
  return table;
}

function parseRow(line: string): [string, Map<string, "all" | string[]>] {
  const [, folder, cell] = /^\|\s*([a-z]+)\s*\|\s*(.+?)\s*\|$/.exec(line) ?? [];
  if (folder === undefined || cell === undefined)
    throw new Error(`This is no row of the table of layers: ${line}`);
  if (cell === "nothing") return [folder, new Map()];
  // Commas inside brackets belong to the entry before them.
  return [folder, new Map(cell.split(/,\s*(?![^(]*\))/).map((entry) => parseEntry(entry, line)))];
}

function parseEntry(entry: string, line: string): [string, "all" | string[]] {
  const [, name, parts] = /^([a-z]+)(?:\s*\(([a-z, -]+)\))?$/.exec(entry) ?? [];
  if (name === undefined) throw new Error(`Cannot read "${entry}" in the table of layers: ${line}`);
  return [name, parts === undefined ? "all" : parts.split(/,\s*/)];
}
