import type { Doc } from "../../formats/cpo/fields.ts";
import { type Entry, find, type Tree } from "../../formats/yaml/tree.ts";
import type { PackageLists, SpecDependencies } from "../spec-contents.ts";
import { ecosystems, type ListName, listNames } from "./wish.ts";

type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** The manifest with these dependencies. All else stays as it is, byte by byte, and so do lists that say the same. */
export function withDependencies({ index, tree }: Doc, dependencies: SpecDependencies): string {
  const { text } = index;
  const edits = ecosystems.flatMap((ecosystem) =>
    editsOf(text, find(tree, ["dependencies", ecosystem]), dependencies[ecosystem] ?? {}),
  );
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (edited, { start, end, text: fresh }) => edited.slice(0, start) + fresh + edited.slice(end),
      text,
    );
}

function editsOf(text: string, map: Tree | null, wanted: PackageLists): Edit[] {
  if (map?.kind !== "map") return [];
  const edits = listNames.flatMap((list): Edit[] => {
    const entry = map.entries.get(list);
    return entry === undefined ? [] : editsOfList(text, entry.value, wanted[list] ?? []);
  });
  const [first] = map.entries.values();
  const fresh = listNames.filter((list) => !map.entries.has(list) && (wanted[list] ?? []).length > 0);
  return first === undefined ? edits : [...edits, ...added(text, { first, fresh, wanted })];
}

/** Item by item where as many are left, else the whole list, laid out as it was. A text that stands alone is a list of one. */
function editsOfList(text: string, list: Tree, wanted: readonly string[]): Edit[] {
  const items =
    list.kind === "list" ? list.items : list.kind === "scalar" && list.value !== null ? [list] : [];
  const isSame = (spec: string, i: number) => {
    const item = items[i];
    return item?.kind === "scalar" && item.value === spec;
  };
  const replace = ({ start, end }: Tree, fresh: string): Edit => ({ start, end, text: fresh });
  if (items.length === wanted.length)
    return wanted.flatMap((spec, i) =>
      isSame(spec, i) ? [] : [replace(items[i] as Tree, JSON.stringify(spec))],
    );
  return [replace(list, listText(text.slice(list.start, list.end), wanted))];
}

/** In front of the first key, after the same blanks as that has. */
function added(
  text: string,
  { first, fresh, wanted }: { first: Entry; fresh: readonly ListName[]; wanted: PackageLists },
): Edit[] {
  const blanks = blanksAtEnd(text.slice(0, first.keyStart));
  const colon = text.slice(first.keyEnd, first.value.start);
  const like = text.slice(first.value.start, first.value.end);
  const lines = fresh.map(
    (list) => `${JSON.stringify(list)}${colon}${listText(like, wanted[list] ?? [])},${blanks}`,
  );
  return lines.length === 0 ? [] : [{ start: first.keyStart, end: first.keyStart, text: lines.join("") }];
}

/** `like` is a list of the file: over several lines, or on one. */
function listText(like: string, specs: readonly string[]): string {
  const texts = specs.map((spec) => JSON.stringify(spec));
  const inner = /^\[(\s*\n\s*)/.exec(like)?.[1];
  if (inner === undefined || texts.length === 0) return `[${texts.join(", ")}]`;
  const close = blanksAtEnd(like.slice(0, like.lastIndexOf("]")));
  return `[${inner}${texts.join(`,${inner}`)}${close}]`;
}

/** A pattern that is looked for from the front would start anew at every blank. */
function blanksAtEnd(text: string): string {
  return text.slice(text.trimEnd().length);
}
