import type { Diagnostic } from "../../core/source.ts";
import { specDiagnostic } from "../../formats/cpo/dependencies.ts";
import { type Ecosystem, type PackageSpec, parsePackageSpec } from "../../formats/packages/spec.ts";
import { buildConflict } from "./findings.ts";
import type { Ranges } from "./ranges.ts";
import type { ListName, Wish } from "./wish.ts";

export type Wanted = {
  readonly ecosystem: Ecosystem;
  readonly key: string;
  readonly list: Exclude<ListName, "remove">;
  readonly parts: readonly WantedPart[];
};

export type WantedPart = { readonly wish: Wish; readonly spec: PackageSpec };

/** Wishes of one ecosystem by package. What cannot be read, or cannot be had together whatever the versions, is told. */
export function groupWishes(wishes: readonly Wish[], ecosystem: Ecosystem, ranges: Ranges) {
  const diagnostics: Diagnostic[] = [];
  const parts = wishes.flatMap((wish): WantedPart[] => {
    const parsed = parsePackageSpec(wish.spec.value, ecosystem);
    const problem = parsed.ok ? rangeProblem(parsed.spec, ranges) : parsed.problem;
    if (problem !== null) diagnostics.push(specDiagnostic(wish.spec, problem));
    return parsed.ok && problem === null ? [{ wish, spec: parsed.spec }] : [];
  });
  const removed = parts.filter(({ wish }) => wish.list === "remove");
  const byKey = new Map<string, WantedPart[]>();
  for (const part of parts) {
    if (part.wish.list === "remove") continue;
    // Two that are for different places are two, and may have two versions.
    const key = `${part.spec.key};${part.spec.marker ?? ""}`;
    byKey.set(key, [...(byKey.get(key) ?? []), part]);
  }
  const wanted: Wanted[] = [];
  for (const group of byKey.values()) {
    const clash = clashIn(group, removed);
    if (clash !== null) diagnostics.push(clash);
    const [first] = group;
    if (clash === null && first !== undefined)
      wanted.push({ ecosystem, key: first.spec.key, list: listOf(group), parts: group });
  }
  return { wanted, removed, diagnostics };
}

function rangeProblem({ source }: PackageSpec, { isRange }: Ranges): string | null {
  if (source.kind !== "range" || isRange(source.range)) return null;
  return `has ${JSON.stringify(source.range)} where a version or a range should be`;
}

/** What all need is not only for development, and what is to be upgraded is there. */
function listOf(parts: readonly WantedPart[]): Wanted["list"] {
  const lists = new Set(parts.map(({ wish }) => wish.list));
  return lists.has("upgrade") ? "upgrade" : lists.has("add") ? "add" : "add_dev";
}

/** One package from two places, or wanted and unwanted at once. */
function clashIn(parts: readonly WantedPart[], removed: readonly WantedPart[]): Diagnostic | null {
  const [first, ...others] = parts;
  if (first === undefined) return null;
  const gone = removed.find(({ spec }) => spec.key === first.spec.key);
  const { name } = first.spec;
  if (gone !== undefined) return buildConflict([gone, first], { kind: "removed", name });
  const other = others.find(({ spec }) => placeOf(spec) !== placeOf(first.spec));
  if (other === undefined) return null;
  const [one, two] = [first.wish.spec.value, other.wish.spec.value];
  return buildConflict([first, other], { kind: "sources", name, first: one, second: two });
}

/** Where it comes from: the registry, by which name, or an address. */
function placeOf({ source, aliasOf }: PackageSpec): string {
  return source.kind === "address" ? source.address : `npm:${aliasOf ?? ""}`;
}

export function rangesIn({ parts }: Wanted): string[] {
  return parts.flatMap(({ spec }) => (spec.source.kind === "range" ? [spec.source.range] : []));
}

export function tagsIn({ parts }: Wanted): string[] {
  return parts.flatMap(({ spec }) => (spec.source.kind === "tag" ? [spec.source.tag] : []));
}

/** The name that a registry knows it by. */
export function registryName({ parts: [first] }: Wanted): string {
  return first === undefined ? "" : (first.spec.aliasOf ?? first.spec.name);
}

export function askedBy({ parts }: Pick<Wanted, "parts">): string[] {
  return [...new Set(parts.map(({ wish }) => wish.by ?? "the manifest"))];
}

export function pinText(wanted: Wanted, version: string): string {
  return textOf(wanted, wanted.ecosystem === "python" ? `==${version}` : `@${version}`);
}

/** How a manifest names it where no version is chosen: the range that means what all want. */
export function rangeText(wanted: Wanted, ranges: Ranges): string {
  const [first] = wanted.parts;
  if (first === undefined) return "";
  // What one alone wants stays as it is written.
  const written = new Set(wanted.parts.map(({ wish }) => wish.spec.value.trim()));
  if (written.size === 1 || first.spec.source.kind === "address") return first.wish.spec.value.trim();
  const range = rangeOf(wanted, ranges);
  return textOf(wanted, wanted.ecosystem === "python" || range === "" ? range : `@${range}`);
}

export function rangeOf(wanted: Wanted, ranges: Ranges): string {
  const tags = tagsIn(wanted);
  const [first] = wanted.parts;
  if (first?.spec.source.kind === "address") return first.spec.source.address;
  const range = ranges.joined(rangesIn(wanted));
  return tags.length > 0 && range === "" ? [...new Set(tags)].join(", ") : range;
}

function textOf({ parts, ecosystem }: Wanted, version: string): string {
  const [first] = parts;
  if (first === undefined) return "";
  const { name, aliasOf, marker } = first.spec;
  if (ecosystem === "node") return aliasOf === null ? name + version : `${name}@npm:${aliasOf}${version}`;
  const extras = extrasOf(parts);
  const behind = marker === null ? "" : `; ${marker}`;
  return `${name}${extras.length === 0 ? "" : `[${extras.join(",")}]`}${version}${behind}`;
}

export function extrasOf(parts: Wanted["parts"]): string[] {
  return [...new Set(parts.flatMap(({ spec }) => spec.extras))];
}
