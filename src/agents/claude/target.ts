import { relative } from "node:path";
import { type JsonObject, textAt } from "../json.ts";

/** Of a tool's input the one thing that people want to see, the most telling first. */
const PATHS = ["file_path", "notebook_path", "path"];
const OTHERS = ["command", "pattern", "url", "query", "description"];

export function targetOf(input: JsonObject | null, cwd: string | null): string | null {
  if (input === null) return null;
  const path = firstText(input, PATHS);
  // A search has a pattern and perhaps a path: the pattern says more.
  if (path === null || textAt(input, "pattern") !== null) return firstText(input, OTHERS) ?? path;
  return insideOf(path, cwd);
}

function firstText(input: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = textAt(input, key);
    if (text !== null && text !== "") return text;
  }
  return null;
}

/** Claude names files by absolute paths; people know them by their place in the repository. */
function insideOf(path: string, cwd: string | null): string {
  if (cwd === null || !path.startsWith(`${cwd}/`)) return path;
  return relative(cwd, path);
}
