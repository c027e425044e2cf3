import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { count } from "../../../core/text/figures.ts";
import { type AnsiLine, ansiLines, type Ink, type Look, PLAIN, type Span } from "../../parts/ansi.ts";
import { cutAt, type Part } from "../diff/code-lines.ts";
import { shortLine } from "./log-text.ts";
import "./ansi.css";

const MOST_LINES = 200;

/** What a command printed, in a box: its end, and all of it when asked. */
export function Output({ text, label = "Output" }: { readonly text: string; readonly label?: string }) {
  const lines = useMemo(() => ansiLines(text), [text]);
  const [isWhole, setWhole] = useState(false);
  const hidden = isWhole ? 0 : Math.max(0, lines.length - MOST_LINES);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who cannot point must be able to scroll it
    <section class="task-output" tabIndex={0} aria-label={label}>
      {hidden > 0 && (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          Show {count(hidden, "line")} before
        </button>
      )}
      <pre>
        {lines.slice(hidden).map((line, n) => {
          const { line: shown, hidden: rest } = shortLine(line);
          return (
            <span key={n}>
              <AnsiText line={shown} />
              {rest > 0 && <i>{` … ${rest.toLocaleString("en-US")} more characters`}</i>}
              {"\n"}
            </span>
          );
        })}
      </pre>
    </section>
  );
}

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
    ink === null ? [] : [typeof ink === "number" ? `${what}${ink % 8}` : what];
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
