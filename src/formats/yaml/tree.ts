import type { SourceRange } from "../../core/source.ts";
import type { TextIndex } from "../text-index.ts";

/**
 * A parsed YAML or JSON text as plain data with places, free of the parser's own classes.
 * `start` and `end` are offsets in the whole file. What an alias refers to appears as the same tree again.
 */
export type Tree =
  | {
      readonly kind: "map";
      readonly start: number;
      readonly end: number;
      readonly entries: Entries;
      /** It was meant to hold more, which was refused and reported: nothing can be said about what it lacks. */
      readonly isPartial: boolean;
    }
  | { readonly kind: "list"; readonly start: number; readonly end: number; readonly items: readonly Tree[] }
  | {
      readonly kind: "scalar";
      readonly start: number;
      readonly end: number;
      readonly value: string | number | boolean | null;
      /** As written, which tells 1.10 from 1.1. */
      readonly source: string;
      /** The value is a guess, since what stands there was refused and reported: nothing more is said about it. */
      readonly isGuess: boolean;
    };

export type Entry = {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: Tree;
};

/** By key, in the order of the file. */
export type Entries = ReadonlyMap<string, Entry>;

export type Path = readonly PropertyKey[];

/** What a path leads to; null where the file says nothing. */
export function find(tree: Tree, path: Path): Tree | null {
  let node: Tree | undefined = tree;
  for (const step of path) node = node && child(node, step);
  return node ?? null;
}

function findEntry(tree: Tree, path: Path): Entry | null {
  const parent = find(tree, path.slice(0, -1));
  return (parent && entryOf(parent, path.at(-1))) ?? null;
}

/**
 * The best place to show for a path: the value; the key when the value is empty; else the nearest thing above.
 * Maps and lists are shown by their first line.
 */
export function rangeAt(index: TextIndex, tree: Tree, path: Path): SourceRange {
  for (let length = path.length; length > 0; length -= 1) {
    const entry = findEntry(tree, path.slice(0, length));
    const node = entry?.value ?? find(tree, path.slice(0, length));
    if (entry?.value.kind === "scalar" && entry.value.start === entry.value.end)
      return index.range(entry.keyStart, entry.keyEnd);
    if (node) return rangeOf(index, node);
  }
  return rangeOf(index, tree);
}

/** The key that a path ends with, or where it should have been. */
export function keyRangeAt(index: TextIndex, tree: Tree, path: Path): SourceRange {
  const entry = findEntry(tree, path);
  return entry ? index.range(entry.keyStart, entry.keyEnd) : rangeAt(index, tree, path.slice(0, -1));
}

function rangeOf(index: TextIndex, node: Tree): SourceRange {
  return node.kind === "scalar" ? index.range(node.start, node.end) : index.lineRange(node.start, node.end);
}

/** Plain data for the schema. Records have no prototype, so no key of a plan can mean more than itself. */
export function plain(tree: Tree): unknown {
  if (tree.kind === "scalar") return tree.value;
  if (tree.kind === "list") return tree.items.map(plain);
  const record: Record<string, unknown> = Object.create(null);
  for (const [key, { value }] of tree.entries) record[key] = plain(value);
  return record;
}

function child(tree: Tree, step: PropertyKey): Tree | undefined {
  if (tree.kind === "list") return typeof step === "number" ? tree.items[step] : undefined;
  return entryOf(tree, step)?.value;
}

function entryOf(tree: Tree, key: PropertyKey | undefined): Entry | undefined {
  return tree.kind === "map" && typeof key === "string" ? tree.entries.get(key) : undefined;
}
