import type { Ranges } from "./ranges.ts";
import { rangesIn, tagsIn, type Wanted } from "./wanted.ts";

/** How a manifest names a package at one version. */
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

/** All that is asked for, in one text. */
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
