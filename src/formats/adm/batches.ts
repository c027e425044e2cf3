import type { Caps } from "../../core/caps.ts";
import type { Diagnostic, SourceRange } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import { find, type Path, rangeAt, type Tree } from "../yaml/tree.ts";
import { readBlock } from "./block.ts";
import { itemsOf, wordOf } from "./manifest.ts";
import { sameId, unknownNeed } from "./order.ts";

/**
 * What the split of a manifest into streams needs of it: which batches there are, and which of them need others. Nothing else is
 * looked at, because the agents of the streams read the plan themselves.
 */
export type BatchList = { readonly planId: string; readonly batches: readonly ListedBatch[] };

/** The order of the list alone is not a need: streams are for batches that are independent. */
export type ListedBatch = {
  readonly id: string;
  /** What the plan declares: `depends_on`, and a fan-out above, whose summary goes into the prompts of the next batch. */
  readonly needs: readonly string[];
  /** Other batches that its description or prompts name. */
  readonly mentions: readonly string[];
};

export type BatchResult = {
  readonly list: BatchList | null;
  readonly diagnostics: readonly Diagnostic[];
};

export function readBatches(file: { path: string; text: string }, caps: Caps): BatchResult {
  const { index, tree, diagnostics } = readBlock(file, caps);
  if (tree === null) return { list: null, diagnostics };
  const found = itemsOf(tree, "batches");
  if (found.length === 0) {
    const at = rangeAt(index, tree, find(tree, ["batches"]) === null ? [] : ["batches"]);
    const empty = buildFormatFinding("no-tasks", { line: '"batches": [ … ]' }, at);
    return { list: null, diagnostics: [...diagnostics, empty] };
  }
  const ids = found.map((batch) => wordOf(find(batch, ["id"])));
  const nameless = ids.flatMap((id, i) => {
    if (id !== null) return [];
    const at = rangeAt(index, tree, ["batches", i]);
    return [
      buildFormatFinding("missing-key", { key: "id", place: `batch ${i + 1}`, line: `"id": ${i + 1}` }, at),
    ];
  });
  if (nameless.length > 0) return { list: null, diagnostics: [...diagnostics, ...nameless] };
  const batches = found.map((batch, i): ListedBatch => {
    const id = ids[i] as string;
    const needs = declaredNeeds(batch, { batch: found[i - 1] ?? null, id: ids[i - 1] ?? null });
    const mentions = findMentions(batch).filter((one) => one !== id && !needs.includes(one));
    return { id, needs, mentions };
  });
  const at = (path: Path) => rangeAt(index, tree, ["batches", ...path]);
  const wrong = [...sameIds(batches, at), ...unknownNeeds(batches, found, at)];
  return {
    list: { planId: wordOf(find(tree, ["plan_id"])) ?? "", batches },
    diagnostics: [...diagnostics, ...wrong],
  };
}

type BatchAbove = { readonly batch: Tree | null; readonly id: string | null };

function declaredNeeds(batch: Tree, above: BatchAbove): string[] {
  if (find(batch, ["depends_on"])?.kind === "list")
    return itemsOf(batch, "depends_on").flatMap((need) => wordOf(need) ?? []);
  const isFanOut = above.batch !== null && wordOf(find(above.batch, ["type"])) === "fan-out";
  return isFanOut && above.id !== null ? [above.id] : [];
}

const BATCH_NAME = /\bbatch(?:es)?\s+#?([\w-]+)(?:\s*(?:,|and|&)\s*#?([\w-]+))?/gi;
/** "Independent of batch 1" and "do not touch batch 1" name one that is not needed. */
const NEGATION = /\b(?:not|no|nor|never|without|independent|independently|unlike)\b|n't\b/i;
const MAX_TEXT_CHARS = 100_000;

function findMentions(batch: Tree): string[] {
  const texts = [
    wordOf(find(batch, ["description"])),
    ...itemsOf(batch, "agents").map((agent) => wordOf(find(agent, ["prompt"]))),
  ];
  const sentences = texts.flatMap((text) => text?.slice(0, MAX_TEXT_CHARS).split(/[.!?](?=\s)|\n/) ?? []);
  const named = sentences
    .filter((sentence) => !NEGATION.test(sentence))
    .flatMap((sentence) => [...sentence.matchAll(BATCH_NAME)].flatMap(([, ...ids]) => ids));
  return [...new Set(named.filter((id) => id !== undefined))];
}

type At = (path: Path) => SourceRange;

/** A stream is told its batches by their ids. */
function sameIds(batches: readonly ListedBatch[], at: At): Diagnostic[] {
  const first = new Map<string, number>();
  return batches.flatMap(({ id }, i) => {
    const earlier = first.get(id);
    if (earlier !== undefined) return [sameId(id, at([i, "id"]), at([earlier, "id"]))];
    first.set(id, i);
    return [];
  });
}

function unknownNeeds(batches: readonly ListedBatch[], found: readonly Tree[], at: At): Diagnostic[] {
  const ids = [...new Set(batches.map(({ id }) => id))];
  const known = new Set(ids);
  return batches.flatMap(({ id }, i) =>
    itemsOf(found[i] as Tree, "depends_on").flatMap((need, n): Diagnostic[] => {
      const value = wordOf(need);
      if (value === null || known.has(value)) return [];
      return [unknownNeed(id, { value, at: at([i, "depends_on", n]) }, { ids, severity: "warning" })];
    }),
  );
}
