// The status and the date of a tech spec, changed in the text itself: everything else stays as somebody wrote it, byte by byte, with
// comments, quotes, order and line ends.

import { isDeepStrictEqual } from "node:util";
import type { Caps } from "../../core/caps.ts";
import { indexText } from "../../formats/text-index.ts";
import { plain, type Tree } from "../../formats/yaml/tree.ts";
import { type SpecStatus, statusWord } from "./lifecycle.ts";
import { readFrontMatter } from "./tech-spec.ts";

export type StatusChange = {
  readonly status: SpecStatus;
  /** `2026-01-15`. */
  readonly today: string;
};

/** Null where it is written in a way that cannot be changed in place. The text is one that could be read. */
export function withStatus(text: string, { status, today }: StatusChange, caps: Caps): string | null {
  const tree = treeOf(text, caps);
  if (tree === null) return null;
  const changes = [valueChange(text, tree, "status", statusWord(status))];
  changes.push(
    tree.entries.has("last_updated")
      ? valueChange(text, tree, "last_updated", today)
      : lineAfter(text, tree, "status", `last_updated: ${today}`),
  );
  const edited = applied(text, changes);
  const expected = { ...fieldsOf(tree), status: statusWord(status), last_updated: today };
  const after = treeOf(edited, caps);
  // What was written is read before anybody relies on it: an alias, a block or a flow map may mean something else now.
  return after !== null && isDeepStrictEqual(fieldsOf(after), expected) ? edited : null;
}

type Map = Extract<Tree, { kind: "map" }>;
type Change = { readonly start: number; readonly end: number; readonly text: string };

function treeOf(text: string, caps: Caps): Map | null {
  const { tree, diagnostics } = readFrontMatter(indexText("", text), caps);
  return diagnostics.some(({ severity }) => severity === "error") ? null : tree;
}

function fieldsOf(tree: Map): Record<string, unknown> {
  return { ...(plain(tree) as Record<string, unknown>) };
}

/** Quotes stay, and a key without a value gets one. */
function valueChange(text: string, tree: Map, key: string, value: string): Change | null {
  const entry = tree.entries.get(key);
  if (entry === undefined) return null;
  const { start, end } = entry.value;
  if (start === end) {
    const colon = text.indexOf(":", entry.keyEnd) + 1;
    return { start: colon, end: colon, text: ` ${value}` };
  }
  const quote = /^["']/.exec(text.slice(start, end))?.[0] ?? "";
  return { start, end, text: `${quote}${value}${quote}` };
}

function lineAfter(text: string, tree: Map, key: string, line: string): Change | null {
  const entry = tree.entries.get(key);
  if (entry === undefined) return null;
  const feed = text.indexOf("\n", entry.value.end);
  const isDos = text[feed - 1] === "\r";
  return { start: feed + 1, end: feed + 1, text: `${line}${isDos ? "\r\n" : "\n"}` };
}

/** From the last to the first, so that places stay true. */
function applied(text: string, changes: readonly (Change | null)[]): string {
  return changes
    .filter((change) => change !== null)
    .sort((a, b) => b.start - a.start)
    .reduce((done, change) => done.slice(0, change.start) + change.text + done.slice(change.end), text);
}
