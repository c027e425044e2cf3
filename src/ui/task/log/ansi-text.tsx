import type { JSX } from "preact";
import type { AnsiLine, Span } from "../../parts/ansi.ts";
import { type Ink, type Look, PLAIN } from "../../parts/ansi-look.ts";
import { cutAt, type Part } from "../diff/changed-part.ts";

/** One line with its colors; `marks` are what was searched for. */
export function AnsiText({
  line,
  marks = [],
}: {
  readonly line: AnsiLine;
  readonly marks?: readonly Part[];
}) {
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

function formatClass({ fg, bg, traits }: Look): string {
  const named = (ink: Ink | null, what: string): string[] =>
    ink === null ? [] : typeof ink === "number" ? [`task-ansi-${what}${ink % 8}`] : [`task-ansi-${what}`];
  return [...named(fg, "fg"), ...named(bg, "bg"), ...traits.map((trait) => `task-ansi-${trait}`)].join(" ");
}

/** A color of the program's own: the style sheet makes it readable on the page. */
function formatInks({ fg, bg }: Look): { readonly [property: string]: string } {
  return {
    ...(typeof fg === "string" ? { "--ink": fg } : {}),
    ...(typeof bg === "string" ? { "--paper": bg } : {}),
  };
}
