import type { JSX } from "preact";
import { type AnsiLine, type Span, type Ink, type Look, PLAIN } from "../../parts/ansi.ts";
import { cutAt, type Part } from "../diff/code-lines.ts";

type AnsiTextProps = { readonly line: AnsiLine; readonly marks?: readonly Part[] };

/** One line with its colors; `marks` are what was searched for. */
export function AnsiText({ line, marks = [] }: AnsiTextProps) {
  if (marks.length === 0) return <>{line.map(findPiece)}</>;
  return (
    <>
      {cutAt(line, marks).map((piece, n) =>
        piece.isIn ? <mark key={n}>{piece.text}</mark> : findPiece(piece, n),
      )}
    </>
  );
}

function findPiece({ text, look }: Span, n: number): JSX.Element | string {
  if (look === PLAIN) return text;
  return (
    <span key={n} class={formatClass(look)} style={formatInks(look)}>
      {text}
    </span>
  );
}

/** The colors of the page for the eight of a terminal; its eight bright ones are the same. */
const INKS = ["fg3", "you", "done", "clock", "agent", "plait", "cyan", "fg"].map((name) => `var(--${name})`);
const TINTS = ["you", "done", "clock", "agent", "plait", "done"].map((name) => `var(--${name}-tint)`);
const PAPERS = ["var(--raised)", ...TINTS, "var(--raised)"];

function formatClass({ fg, bg, traits }: Look): string {
  const named = (ink: Ink | null, what: string): string[] =>
    ink === null ? [] : [typeof ink === "number" ? `named-${what}` : what];
  return [...named(fg, "fg"), ...named(bg, "bg"), ...traits].map((name) => `task-ansi-${name}`).join(" ");
}

/** A color of the program's own is made readable by the style sheet. */
function formatInks({ fg, bg }: Look): { readonly [property: string]: string } {
  const isHue = typeof fg === "number" && fg % 8 !== 0 && fg % 8 !== 7;
  const ink = typeof fg === "number" ? INKS[fg % 8] : fg;
  const paper = typeof bg === "number" ? PAPERS[bg % 8] : bg;
  return {
    ...(ink && { "--ink": ink, ...(isHue && { "--inverse": ink }) }),
    ...(paper && { "--paper": paper }),
  };
}
