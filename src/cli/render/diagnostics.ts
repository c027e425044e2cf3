import type { Diagnostic, Severity, SourceRange } from "../../core/source.ts";
import { type Command, formatCommand } from "../../core/text/command.ts";
import { count, formatPosition } from "../../core/text/figures.ts";
import { formatMessage } from "../../core/text/finding.ts";
import type { Glyphs } from "./glyphs.ts";
import { bold, dim, type Line, type Style, styled, typed } from "./line.ts";
import { shown, visible } from "./visible.ts";
import { cells, cutEnd, pad, padStart, wrapWords } from "./width.ts";

/** Findings as people read them: the place first, so that terminals and editors can jump there, then what and why. */
export type DiagnosticsView = {
  /** File name → text, as it was when it was read. */
  readonly sources: ReadonlyMap<string, string>;
  readonly glyphs: Glyphs;
  readonly width: number;
};

const styles: { readonly [S in Severity]: Style } = { error: "red", warning: "yellow", note: "cyan" };
/** A cycle through a hundred tasks has a hundred places; nobody reads them all. */
const RELATED_SHOWN = 8;

export function renderDiagnostics(diagnostics: readonly Diagnostic[], view: DiagnosticsView): Line[] {
  const lines = new Map([...view.sources].map(([file, text]) => [file, text.split("\n")]));
  return inOrderOfPlace(diagnostics).flatMap((diagnostic) => [
    ...renderOne(diagnostic, { ...view, lines }),
    [],
  ]);
}

/** "2 errors, 1 warning in plan.yaml". */
export function summary(diagnostics: readonly Diagnostic[], file: string, glyphs: Glyphs): Line {
  const found = (["error", "warning", "note"] as const)
    .map((severity) => ({ severity, n: diagnostics.filter((one) => one.severity === severity).length }))
    .filter(({ n }) => n > 0);
  const parts = found.flatMap(({ severity, n }, index): Line => {
    return [index === 0 ? "" : ", ", styled(styles[severity], count(n, severity))];
  });
  return [...parts, ` in ${shown(file, glyphs)}`];
}

/** The last line of an answer: what to type now, on one line however narrow the terminal, so that it can be copied. */
export function nextCommand(command: Command, look: { readonly ascii?: boolean } = {}): Line {
  return [dim("next"), "  ", typed(visible(formatCommand(command, look)))];
}

type FrameView = DiagnosticsView & { readonly lines: ReadonlyMap<string, readonly string[]> };

function renderOne(diagnostic: Diagnostic, view: FrameView): Line[] {
  const style = styles[diagnostic.severity];
  const place = diagnostic.at === null ? [] : [bold(`${placeText(diagnostic.at, view.glyphs)}:`), " "];
  const label = styled(style, `${diagnostic.severity}[${visible(diagnostic.code)}]`);
  return [
    [...place, label, ": ", bold(shown(formatMessage(diagnostic), view.glyphs))],
    ...frame(diagnostic.at, view, { style, before: 2, after: 1 }),
    ...related(diagnostic, view),
    ...help(diagnostic.hint, view),
  ];
}

function related({ related: places }: Diagnostic, view: FrameView): Line[] {
  const listed = places
    .slice(0, RELATED_SHOWN)
    .flatMap(({ at, ...text }): Line[] => [
      ["  ", dim(`${placeText(at, view.glyphs)}:`), " ", shown(formatMessage(text), view.glyphs)],
      ...frame(at, view, { style: "cyan", before: 0, after: 0 }).map((line): Line => ["  ", ...line]),
    ]);
  const more = places.length - RELATED_SHOWN;
  return more > 0 ? [...listed, ["  ", dim(`and ${count(more, "more place")}`)]] : listed;
}

function frame(
  at: SourceRange | null,
  view: FrameView,
  look: { readonly style: Style; readonly before: number; readonly after: number },
): Line[] {
  const lines = at === null ? undefined : view.lines.get(at.file);
  if (at === null || lines === undefined) return [];
  return codeFrame(lines, at, { glyphs: view.glyphs, width: view.width, ...look });
}

/** What ends a command, and how to go on. */
export function errorLines(message: string, hint: string | null, view: HelpLook): Line[] {
  return [[styled("red", "error:"), ` ${shown(message, view.glyphs)}`], ...help(hint, view)];
}

type HelpLook = Pick<DiagnosticsView, "width" | "glyphs">;

/** A hint may have lines of its own, such as an example. */
function help(hint: string | null, { width, glyphs }: HelpLook): Line[] {
  if (hint === null) return [];
  const lines = hint
    .split("\n")
    .flatMap((line) => wrapWords(shown(line, glyphs), Math.max(20, width - HELP.length)));
  return lines.map(
    (line, index): Line =>
      index === 0 ? ["  ", styled("cyan", "help:"), ` ${line}`] : [`${" ".repeat(HELP.length)}${line}`],
  );
}

const HELP = "  help: ";

const placeText = (at: SourceRange, glyphs: Glyphs): string => shown(formatPosition(at), glyphs);

/** By file as they first appear, then by place. Findings without a place concern the whole and come first. */
function inOrderOfPlace(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const files = [...new Set(diagnostics.map(({ at }) => at?.file))];
  const keyOf = ({ at }: Diagnostic) =>
    at === null ? [-1, 0, 0] : [files.indexOf(at.file), at.start.line, at.start.col];
  return diagnostics
    .map((diagnostic) => ({ diagnostic, key: keyOf(diagnostic) }))
    .sort((a, b) => a.key.reduce((order, value, i) => order || value - (b.key[i] as number), 0))
    .map(({ diagnostic }) => diagnostic);
}

/**
 * The place that a finding is about: its line with an underline, and what stands around it. The underline fits what is
 * shown, not what is written: tabs are widened, wide characters take two cells, hidden ones are spelled out, and of a
 * very long line only the part around the place is shown.
 */
export type FrameOptions = {
  readonly glyphs: Glyphs;
  /** Of the terminal, in cells. */
  readonly width: number;
  readonly style: Style;
  /** How many lines are shown before and after the place. */
  readonly before: number;
  readonly after: number;
};

const TAB = 4;
/** Of a place with more lines, the first ones and the last are shown. */
const LINES_AT_THE_START = 3;
const LEAST_ROOM = 20;

function codeFrame(source: readonly string[], range: SourceRange, options: FrameOptions): Line[] {
  const place = placeIn(source, range);
  const numbers = numbersShown(place, source.length, options);
  const digits = String(numbers.at(-1)).length;
  const room = Math.max(LEAST_ROOM, options.width - digits - 5);
  const from = firstColumnShown(place, { room, ...options });
  const rail = ` ${" ".repeat(digits + 1)} ${options.glyphs.rail}`;
  return numbers.flatMap((number, index): Line[] => {
    const isPlace = number >= place.first && number <= place.last;
    const gutter = `${isPlace ? ">" : " "} ${padStart(String(number), digits)} ${options.glyphs.rail}`;
    const text = shownPart(textOf(source, number), from, { room, ...options });
    const follows = index === 0 || numbers[index - 1] === number - 1;
    return [
      ...(follows ? [] : [[dim(`${rail} ${options.glyphs.cut}`)]]),
      [isPlace ? styled(options.style, gutter) : dim(gutter), text === "" ? "" : ` ${text}`],
      ...(number === place.first ? [[dim(rail), " ", ...underline(place, from, { room, ...options })]] : []),
    ];
  });
}

/** Where the place begins, in terms of lines that exist; columns count from 0 here. */
type Place = {
  readonly first: number;
  readonly last: number;
  readonly text: string;
  readonly from: number;
  readonly to: number;
};

/** A range may end at the start of the line below, or lie behind the end of the text. */
function placeIn(source: readonly string[], { start, end }: SourceRange): Place {
  const first = clamp(start.line, 1, Math.max(1, source.length));
  const endsBefore = end.line > start.line && end.col <= 1;
  const last = clamp(endsBefore ? end.line - 1 : end.line, first, Math.max(1, source.length));
  const text = textOf(source, first);
  const from = clamp(start.col - 1, 0, text.length);
  const to = last > first || end.line > first ? text.length : clamp(end.col - 1, from, text.length);
  return { first, last, text, from, to };
}

function numbersShown({ first, last }: Place, count: number, { before, after }: FrameOptions): number[] {
  const top = range(Math.max(1, first - before), first - 1);
  const below = range(last + 1, Math.min(count, last + after));
  const middle =
    last - first <= LINES_AT_THE_START
      ? range(first, last)
      : [...range(first, first + LINES_AT_THE_START - 1), last];
  return [...top, ...middle, ...below];
}

/** The start of the line is shown unless the place would be far to the right. */
function firstColumnShown({ text, from, to }: Place, { room, glyphs }: Window): number {
  if (to <= room && cells(asShown(text.slice(0, to), glyphs)) <= room - cells(glyphs.cut)) return 0;
  const isNear = from <= room && cells(asShown(text.slice(0, from), glyphs)) <= (room * 2) / 3;
  return isNear ? 0 : wholeCharacter(text, from - Math.floor(room / 3));
}

type Window = { readonly room: number; readonly glyphs: Glyphs };

function shownPart(text: string, from: number, { room, glyphs }: Window): string {
  // More than fits in any case, and never the whole of a line of a megabyte.
  const part = text.slice(from, wholeCharacter(text, from + 2 * room));
  const head = from > 0 && text !== "" ? glyphs.cut : "";
  return cutEnd(head + asShown(part, glyphs), room, glyphs.cut).trimEnd();
}

function underline({ text, from: start, to }: Place, from: number, options: Window & FrameOptions): Line {
  const head = from > 0 ? cells(options.glyphs.cut) : 0;
  const cellOf = (column: number) =>
    head + cells(asShown(text.slice(from, Math.min(column, from + 2 * options.room)), options.glyphs));
  const left = Math.min(cellOf(start), options.room - 1);
  const right = clamp(cellOf(to), left + 1, options.room);
  return [" ".repeat(left), styled(options.style, "~".repeat(right - left))];
}

/** As it appears on the terminal, cell by cell. */
function asShown(text: string, glyphs: Glyphs): string {
  const [first = "", ...rest] = text.split("\t").map((part) => shown(part, glyphs));
  return rest.reduce((line, part) => pad(line, nextStop(cells(line))) + part, first);
}

function textOf(source: readonly string[], number: number): string {
  return (source[number - 1] ?? "").replace(/\r$/, "");
}

/** Not between the two halves of one character. */
function wholeCharacter(text: string, column: number): number {
  const code = text.charCodeAt(column);
  return column > 0 && code >= 0xdc00 && code <= 0xdfff ? column - 1 : Math.max(0, column);
}

const nextStop = (cell: number): number => (Math.floor(cell / TAB) + 1) * TAB;

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
