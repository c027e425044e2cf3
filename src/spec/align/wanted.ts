import type { Diagnostic } from "../../core/source.ts";
import { quoted } from "../../core/text/figures.ts";
import { specDiagnostic } from "../../formats/cpo/dependencies.ts";
import { type Ecosystem, type PackageSpec, parsePackageSpec } from "../../formats/packages/spec.ts";
import { conflict } from "./findings.ts";
import type { Ranges } from "./ranges.ts";
import type { ListName, Wish } from "./wish.ts";

/** One package, and all who want it. */
export type Wanted = {
  readonly ecosystem: Ecosystem;
  readonly key: string;
  readonly list: Exclude<ListName, "remove">;
  readonly parts: readonly WantedPart[];
};

export type WantedPart = { readonly wish: Wish; readonly spec: PackageSpec };

export type Grouped = {
  readonly wanted: readonly Wanted[];
  readonly removed: readonly WantedPart[];
  readonly diagnostics: readonly Diagnostic[];
};

/** Wishes of one ecosystem by package. What cannot be read, or cannot be had together whatever the versions, is told. */
export function groupWishes(wishes: readonly Wish[], ecosystem: Ecosystem, ranges: Ranges): Grouped {
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
  if (gone !== undefined) {
    const message = `${quoted(first.spec.name)} is wanted and to be removed at once`;
    return conflict([gone, first], message, "take it out of one of the two lists");
  }
  const other = others.find(({ spec }) => placeOf(spec) !== placeOf(first.spec));
  if (other === undefined) return null;
  const message = `${quoted(first.spec.name)} is wanted from two places: ${quoted(first.wish.spec.value)} and ${quoted(other.wish.spec.value)}`;
  return conflict([first, other], message, "let both name the same");
}

/** Where it comes from: the registry, by which name, or an address. */
function placeOf({ source, aliasOf }: PackageSpec): string {
  return source.kind === "address" ? source.address : `npm:${aliasOf ?? ""}`;
}

/** Every range that a version must satisfy. */
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

/** Who wants it, each once. */
export function askedBy({ parts }: Pick<Wanted, "parts">): string[] {
  return [...new Set(parts.map(({ wish }) => wish.by ?? "the manifest"))];
}
