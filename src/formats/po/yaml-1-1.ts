import type { TextIndex } from "../text-index.ts";
import { find, plain, type Tree } from "../yaml/tree.ts";

/** Words that are true or false to PyYAML, and texts to everybody who reads YAML 1.2. */
const words: ReadonlyMap<string, boolean> = new Map([
  ...["yes", "Yes", "YES", "on", "On", "ON"].map((word) => [word, true] as const),
  ...["no", "No", "NO", "off", "Off", "OFF"].map((word) => [word, false] as const),
]);

/** Plain data of a manifest, with the booleans that its author saw in it: only `read_only` is one. */
export function plainAsWritten(index: TextIndex, tree: Tree): unknown {
  const value = plain(tree);
  const tasks = find(tree, ["tasks"]);
  if (tasks?.kind !== "list") return value;
  const fields = (value as { tasks: unknown[] }).tasks;
  for (const [i, task] of tasks.items.entries()) {
    const written = find(task, ["read_only"]);
    if (written?.kind !== "scalar" || written.isGuess || isQuoted(index, written.start)) continue;
    const meant = words.get(String(written.value));
    if (meant !== undefined) (fields[i] as { read_only: unknown }).read_only = meant;
  }
  return value;
}

function isQuoted({ text }: TextIndex, start: number): boolean {
  return /["'|>]/.test(text.charAt(start));
}
