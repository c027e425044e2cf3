import type { Caps } from "../../core/caps.ts";
import { type Diagnostic, diagnostic, type SourceRange } from "../../core/source.ts";
import type { FormatCode } from "../codes.ts";
import { indexText, type TextIndex } from "../text-index.ts";
import { parseYaml } from "../yaml/parse.ts";
import { find, rangeAt, type Tree } from "../yaml/tree.ts";

/**
 * What the split of a manifest into streams needs of it: which batches there are, and which of them need others. Nothing else is
 * looked at, because the agents of the streams read the plan themselves.
 */
export type BatchList = { readonly planId: string; readonly batches: readonly ListedBatch[] };

/** `needs` as `depends_on` says it; without that the batch comes after the one before it in the list. */
export type ListedBatch = {
  readonly id: string;
  readonly needs: readonly string[];
  readonly sequentialAfter: string | null;
};

export type BatchResult = {
  readonly list: BatchList | null;
  readonly diagnostics: readonly Diagnostic[];
};

export function readBatches(file: { path: string; text: string }, caps: Caps): BatchResult {
  const { index, tree, diagnostics } = readBlock(file, caps);
  if (tree === null) return { list: null, diagnostics };
  const found = itemsOf(find(tree, ["batches"]));
  if (found.length === 0) {
    const hint = 'it holds { "plan_id": …, "batches": [ … ] }';
    const at = rangeAt(index, tree, find(tree, ["batches"]) === null ? [] : ["batches"]);
    return {
      list: null,
      diagnostics: [...diagnostics, said("bad-value", "the manifest has no batches", { at, hint })],
    };
  }
  const ids = found.map((batch) => wordOf(find(batch, ["id"])));
  const nameless = ids.flatMap((id, i) => {
    if (id !== null) return [];
    const at = rangeAt(index, tree, ["batches", i]);
    return [said("missing-key", `batch ${i + 1} of the list has no id`, { at, hint: `add "id": ${i + 1}` })];
  });
  if (nameless.length > 0) return { list: null, diagnostics: [...diagnostics, ...nameless] };
  const batches = found.map((batch, i): ListedBatch => {
    const needs = find(batch, ["depends_on"]);
    const before = ids[i - 1] ?? null;
    const id = ids[i] as string;
    if (needs?.kind !== "list") return { id, needs: [], sequentialAfter: before };
    return { id, needs: itemsOf(needs).flatMap((need) => wordOf(need) ?? []), sequentialAfter: null };
  });
  return { list: { planId: wordOf(find(tree, ["plan_id"])) ?? "", batches }, diagnostics };
}

const FENCE = /^ {0,3}```json dispatch[ \t]*\r?\n([\s\S]*?)^ {0,3}```[ \t]*\r?$/gm;

type Parsed = {
  readonly index: TextIndex;
  readonly tree: Tree | null;
  readonly diagnostics: readonly Diagnostic[];
};

/** The JSON of the one dispatch block. It is read where it stands, with blanks for all before it, so that places are right. */
function readBlock({ path, text }: { path: string; text: string }, caps: Caps): Parsed {
  const whole = indexText(path, text);
  const [block, other] = [...text.matchAll(FENCE)];
  if (block === undefined) {
    const hint = "the manifest stands between a line ```json dispatch and a line ```";
    const none = said("bad-value", "there is no ```json dispatch block in this file", {
      at: whole.range(0, 0),
      hint,
    });
    return { index: whole, tree: null, diagnostics: [none] };
  }
  if (other !== undefined) {
    const at = whole.lineRange(other.index, text.length);
    const two = said("two-plans", "this is another dispatch block; a file holds one", { at, hint: null });
    return { index: whole, tree: null, diagnostics: [two] };
  }
  const start = block.index + block[0].indexOf("\n") + 1;
  const part = { start, end: start + (block[1] as string).length };
  const blank = text.slice(0, start).replaceAll(/[^\r\n]/g, " ");
  const index = indexText(path, blank + text.slice(start, part.end));
  return { index, ...parseYaml(index, { part, caps, json: true }) };
}

type Words = { readonly at: SourceRange; readonly hint: string | null };

function said(code: FormatCode, message: string, words: Words): Diagnostic {
  return diagnostic({ code, message, ...words });
}

function itemsOf(node: Tree | null): readonly Tree[] {
  return node?.kind === "list" ? node.items : [];
}

/** A scalar as a word: 1 and "1" name the same batch. */
function wordOf(node: Tree | null): string | null {
  if (node?.kind !== "scalar" || node.value === null) return null;
  return String(node.value).trim() || null;
}
