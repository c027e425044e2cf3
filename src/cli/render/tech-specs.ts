import type { KnownSpec } from "../../app/spec/tech-specs.ts";
import { type Command, plait } from "../../core/text/command.ts";
import { type SpecStatus, statusWord, stepsFrom } from "../../spec/tech-spec/lifecycle.ts";
import { techSpecId } from "../../spec/tech-spec/names.ts";
import type { TechSpec } from "../../spec/tech-spec/tech-spec.ts";
import { nextCommand } from "./diagnostics.ts";
import { bold, dim, type Line, type Span, styled } from "./line.ts";
import type { Look } from "./run/look.ts";
import { shown } from "./visible.ts";
import { cells, cutEnd, pad } from "./width.ts";

const NARROW = 60;
const LEAST_TITLE = 16;
const LONGEST_TITLE = 60;

/** One a line, by number; what is wrong with one is said elsewhere, with its place. */
export function techSpecTable(specs: readonly KnownSpec[], { width, glyphs }: Look): Line[] {
  const rows = specs.map((spec) => rowOf(spec, glyphs));
  const wide = (column: keyof Row, head: string) =>
    rows.reduce((most, row) => Math.max(most, cells(row[column])), cells(head)) + 2;
  const [id, status, updated] = [wide("id", "id"), wide("status", "status"), wide("updated", "updated")];
  if (width < NARROW)
    return rows.map((row) => [
      bold(pad(row.id, id)),
      coloured(row, status),
      cutEnd(row.title, Math.max(6, width - id - status), glyphs.cut),
    ]);
  const room = width - id - status - updated;
  const file = wide("file", "file") - 2;
  const title = Math.min(wide("title", "title"), LONGEST_TITLE, Math.max(LEAST_TITLE, room - file));
  const head = `${pad("id", id)}${pad("status", status)}${pad("title", title)}${pad("updated", updated)}file`;
  return [
    [dim(head)],
    ...rows.map((row): Line => {
      const cut = pad(cutEnd(row.title, title - 2, glyphs.cut), title);
      // Whole, also where it takes a second line: it is what people and programs copy.
      return [
        bold(pad(row.id, id)),
        coloured(row, status),
        `${cut}${pad(row.updated, updated)}`,
        dim(row.file),
      ];
    }),
  ];
}

type Row = { readonly [Column in "id" | "status" | "title" | "updated" | "file"]: string };

function rowOf({ spec, number, said, file }: KnownSpec, glyphs: Look["glyphs"]): Row {
  return {
    id: spec?.id ?? (number === null ? "?" : techSpecId(number)),
    status: spec === null ? BROKEN : spec.status,
    title: shown(spec?.title ?? said.title ?? "-", glyphs),
    updated: shown(spec?.lastUpdated ?? "-", glyphs),
    file: shown(file, glyphs),
  };
}

const BROKEN = "broken";

function coloured({ status }: Row, width: number): Span {
  const text = pad(status, width);
  if (status === BROKEN) return styled("red", text);
  return status === "draft"
    ? styled("yellow", text)
    : status === "archived"
      ? dim(text)
      : styled("green", text);
}

/** One tech spec, what became of it where it was moved, and where it may go. */
export function techSpecLines(
  { spec, file, before }: TechSpecView,
  { glyphs }: Pick<Look, "glyphs">,
): Line[] {
  const { id, title, status } = spec;
  const rows: (readonly [string, string | null])[] = [
    ["file", file],
    ["author", spec.author],
    ["created", spec.created],
    ["updated", spec.lastUpdated],
    ["decision", spec.decisionRef],
    ["prd", spec.relatedPrd],
  ];
  const steps = stepsFrom(status);
  return [
    [bold(id), "  ", changeText(status, before), "  ", shown(title, glyphs)],
    ...rows.flatMap(([name, value]): Line[] =>
      value === null ? [] : [[dim(pad(name, LABEL)), shown(value, glyphs)]],
    ),
    ...(before === null || before.file === file
      ? []
      : [[dim(pad("was", LABEL)), shown(before.file, glyphs)]]),
    ...(steps.length === 0 ? [] : [[dim(pad("may go to", LABEL)), steps.join(", ")]]),
    nextCommand(chooseNext(spec, file)),
  ];
}

export type TechSpecView = {
  readonly spec: TechSpec;
  readonly file: string;
  readonly before: { readonly file: string; readonly status: SpecStatus } | null;
};

const LABEL = 11;

function changeText(status: SpecStatus, before: TechSpecView["before"]): string {
  if (before === null) return statusWord(status);
  if (before.status !== status) return `${statusWord(before.status)} → ${statusWord(status)}`;
  return `${statusWord(status)}, as before`;
}

/** What is usual now: a draft is agreed on, an approved one is built. */
function chooseNext({ id, status }: TechSpec, file: string): Command {
  if (status === "approved") return plait("spec decompose", file);
  return status === "draft" ? plait("spec status", id, { set: "approved" }) : plait("spec list");
}

/** A tech spec for other programs; what a broken one does not say is null. */
export function specDocument({ spec, said, file }: KnownSpec) {
  return {
    id: spec?.id ?? said.id?.value ?? null,
    status: spec?.status ?? null,
    title: spec?.title ?? said.title,
    file,
    ok: spec !== null,
    author: spec?.author ?? null,
    created: spec?.created ?? null,
    lastUpdated: spec?.lastUpdated ?? null,
    decisionRef: spec?.decisionRef ?? null,
    relatedPrd: spec?.relatedPrd ?? null,
    /** Where it may go from here. */
    next: spec === null ? [] : stepsFrom(spec.status),
  };
}
