/** One `key = value` of a TOML file, under the table that it stands in. The value is as written, over all of its lines. */
export type TomlEntry = { readonly table: string; readonly key: string; readonly value: string };

/**
 * Enough of TOML for lock files and the dependencies of a project: tables, keys, strings and lists of them. What it does not
 * understand it passes over, since the tools of the project judge the file.
 */
export function tomlEntries(text: string): TomlEntry[] {
  const entries: TomlEntry[] = [];
  let table = "";
  let packages = 0;
  let open: { readonly key: string; readonly lines: string[]; depth: number } | null = null;
  for (const raw of text.split("\n")) {
    const line = withoutComment(raw).trim();
    if (open !== null) {
      open.lines.push(line);
      open.depth += deeper(line);
      if (open.depth > 0) continue;
      entries.push({ table, key: open.key, value: open.lines.join(" ") });
      open = null;
      continue;
    }
    const header = /^\[\[?([^[\]]+)\]\]?$/.exec(line)?.[1];
    if (header !== undefined) {
      // Each element of an array of tables is one of its own.
      table = line.startsWith("[[") ? `${header.trim()}#${packages++}` : header.trim();
      continue;
    }
    const [, key = "", value = ""] = /^([\w."'-]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key === "") continue;
    const name = key.replaceAll(/["']/g, "");
    const depth = value.startsWith("[") ? deeper(value) : 0;
    if (depth > 0) open = { key: name, lines: [value], depth };
    else entries.push({ table, key: name, value });
  }
  return entries;
}

/** The strings of a value, outside of inline tables. */
export function tomlStrings(value: string): string[] {
  const found = value.replaceAll(/\{[^{}]*\}/g, "").matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g);
  return Array.from(found, ([, basic, literal]) => literal ?? (basic ?? "").replaceAll(/\\(["\\])/g, "$1"));
}

const STRING = /"(?:[^"\\]|\\.)*"|'[^']*'/g;

function withoutComment(line: string): string {
  if (!line.includes("#")) return line;
  const masked = line.replaceAll(STRING, (text) => "x".repeat(text.length));
  const at = masked.indexOf("#");
  return at === -1 ? line : line.slice(0, at);
}

/** How many more brackets a line opens than it closes. */
function deeper(line: string): number {
  const signs = line.replaceAll(STRING, "");
  return signs.split("[").length - signs.split("]").length;
}
