import type { Diagnostic, Severity, SourceRange } from "../../core/source.ts";
import { count } from "../../core/text/figures.ts";
import { codeFrame } from "./code-frame.ts";
import type { Glyphs } from "./glyphs.ts";
import { bold, dim, type Line, type Style, styled, typed } from "./line.ts";
import { shown, visible } from "./visible.ts";
import { wrapWords } from "./width.ts";

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
export function nextCommand(command: string): Line {
  return [dim("next"), "  ", typed(visible(command))];
}

type FrameView = DiagnosticsView & { readonly lines: ReadonlyMap<string, readonly string[]> };

function renderOne(diagnostic: Diagnostic, view: FrameView): Line[] {
  const style = styles[diagnostic.severity];
  const place = diagnostic.at === null ? [] : [bold(`${placeText(diagnostic.at, view.glyphs)}:`), " "];
  const label = styled(style, `${diagnostic.severity}[${visible(diagnostic.code)}]`);
  return [
    [...place, label, ": ", bold(shown(diagnostic.message, view.glyphs))],
    ...frame(diagnostic.at, view, { style, before: 2, after: 1 }),
    ...related(diagnostic, view),
    ...help(diagnostic.hint, view),
  ];
}

function related({ related: places }: Diagnostic, view: FrameView): Line[] {
  const listed = places
    .slice(0, RELATED_SHOWN)
    .flatMap(({ at, message }): Line[] => [
      ["  ", dim(`${placeText(at, view.glyphs)}:`), " ", shown(message, view.glyphs)],
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

function placeText({ file, start }: SourceRange, glyphs: Glyphs): string {
  return start.line === 0 ? shown(file, glyphs) : `${shown(file, glyphs)}:${start.line}:${start.col}`;
}

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
