/**
 * What is printed, before it is printed: a line is a list of spans, each with at most one style. Widths and cuts are
 * worked out on the plain text; escape codes are added last, and only where colours are wanted.
 */
export type Style = "bold" | "dim" | "red" | "yellow" | "green" | "cyan" | "magenta";

export type Span = string | { readonly text: string; readonly style: Style };

export type Line = readonly Span[];

const codes: { readonly [Name in Style]: readonly [on: number, off: number] } = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
};

export const styled = (style: Style, text: string): Span => ({ text, style });
export const bold = (text: string): Span => styled("bold", text);
export const dim = (text: string): Span => styled("dim", text);

/** The lines as text, each with its line break. */
export function paint(lines: readonly Line[], { colours }: { readonly colours: boolean }): string {
  return lines
    .map(
      (line) =>
        `${line
          .map((span) => paintSpan(span, colours))
          .join("")
          .trimEnd()}\n`,
    )
    .join("");
}

export function plainText(line: Line): string {
  return line.map((span) => (typeof span === "string" ? span : span.text)).join("");
}

function paintSpan(span: Span, colours: boolean): string {
  if (typeof span === "string") return span;
  if (!colours || span.text === "") return span.text;
  const [on, off] = codes[span.style];
  return `\u001b[${on}m${span.text}\u001b[${off}m`;
}
