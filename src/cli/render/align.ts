import type { AlignedPackage } from "../../spec/align/settle.ts";
import { dim, type Line } from "./line.ts";
import { NARROW, type Room } from "./table.ts";
import { shown } from "./visible.ts";
import { cells, cutEnd, pad } from "./width.ts";

const HEAD = ["package", "asked by", "range", "pinned", "from"] as const;
/** Of one cell beside others. */
const WIDEST = 28;

/** One row a package: who wants which range of it, and what became of that. */
export function alignTable(packages: readonly AlignedPackage[], { width, glyphs }: Room): Line[] {
  if (packages.length === 0) return [];
  const rows = packages.map((one) =>
    [one.name, one.askedBy.join(", "), one.range || "any", pinOf(one), fromOf(one)].map((text) =>
      cutEnd(shown(text, glyphs), WIDEST, glyphs.cut),
    ),
  );
  if (width < NARROW) return rows.map((row): Line => [[row[0], row[3], row[4]].filter(Boolean).join("  ")]);
  const widths = HEAD.map((head, i) => Math.max(cells(head), ...rows.map((row) => cells(row[i] ?? ""))) + 2);
  const line = (row: readonly string[]) =>
    row
      .map((text, i) => pad(text, widths[i] ?? 0))
      .join("")
      .trimEnd();
  return [[dim(line(HEAD))], ...rows.map((row): Line => [line(row)])];
}

function pinOf({ list, pin, from }: AlignedPackage): string {
  if (pin !== null) return pin;
  if (list === "remove") return "goes";
  return from === "written" ? "commit" : "-";
}

function fromOf({ list, from, source, installed }: AlignedPackage): string {
  const words =
    from === "written" ? "as written" : from === "lock" ? (source ?? "the project") : (source ?? "");
  return list === "upgrade" && installed !== null && from !== null
    ? `${words}, instead of ${installed}`
    : words;
}
