/**
 * What is printed, before it is printed: a line is a list of spans, each with at most one style. Widths and cuts are
 * worked out on the plain text; escape codes are added last, and only where colours are wanted.
 */
export type Style = "bold" | "dim" | "red" | "yellow" | "green" | "cyan" | "magenta";

export type Span =
  | string
  | {
      readonly text: string;
      readonly style?: Style;
      readonly isReverse?: true;
      /** It is typed or copied: its line is not broken. */
      readonly isWhole?: true;
    };

export type Line = readonly Span[];

/** Which colours: the sixteen of the terminal's own theme, or those of the page, for a dark or a light background. */
export type Hues = "basic" | "dark" | "light";

/** What a stream can show. */
export type Ink = {
  readonly colours: boolean;
  readonly hues?: Hues;
  /** Where nobody wants colours, but what stands out may be bold or reversed: a terminal. */
  readonly weights?: boolean;
};

const codes: { readonly [Name in Style]: readonly [on: number, off: number] } = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
};

type Hued = Exclude<Style, "bold">;

/** As on the page (ui/style/tokens.css): who has the ball. Bold is no colour. */
const hues: { readonly [H in "dark" | "light"]: { readonly [Name in Hued]: string } } = {
  dark: {
    dim: "135;145;160",
    red: "255;110;100",
    green: "63;214;162",
    yellow: "242;203;74",
    magenta: "215;149;224",
    cyan: "90;162;255",
  },
  light: {
    dim: "95;103;114",
    red: "168;18;58",
    green: "4;120;94",
    yellow: "143;94;0",
    magenta: "123;42;150",
    cyan: "11;87;204",
  },
};

export const styled = (style: Style, text: string): Span => ({ text, style });
export const bold = (text: string): Span => styled("bold", text);
export const dim = (text: string): Span => styled("dim", text);

/** A command to be typed. */
export const typed = (text: string): Span => ({ text, style: "bold", isWhole: true });

/** The line in reverse video, whatever its parts look like. */
export function reversed(line: Line): Line {
  return line.map((span) => (typeof span === "string" ? { text: span } : span)).map(asReverse);
}

const asReverse = (span: Exclude<Span, string>): Span => ({ ...span, isReverse: true });

/** The lines as text, each with its line break. */
export function paint(lines: readonly Line[], ink: Ink): string {
  return lines.map((line) => `${paintLine(line, ink)}\n`).join("");
}

/** Without blanks at its end, unless they are there to be seen. */
export function paintLine(line: Line, ink: Ink): string {
  let text = "";
  for (const span of line) text += paintSpan(span, ink);
  return text.trimEnd();
}

export function plainText(line: Line): string {
  return line.map((span) => (typeof span === "string" ? span : span.text)).join("");
}

function paintSpan(span: Span, ink: Ink): string {
  if (typeof span === "string") return span;
  if (span.text === "") return "";
  const text = paintStyle(span.text, span.style, ink);
  const isReverse = span.isReverse === true && (ink.colours || ink.weights === true);
  return isReverse ? `\u001b[7m${text}\u001b[27m` : text;
}

function paintStyle(text: string, style: Style | undefined, { colours, hues: chosen, weights }: Ink): string {
  if (style === undefined || !(colours || (weights === true && style === "bold"))) return text;
  const [on, off] = codes[style];
  if (style === "bold" || chosen === undefined || chosen === "basic")
    return `\u001b[${on}m${text}\u001b[${off}m`;
  return `\u001b[38;2;${hues[chosen][style]}m${text}\u001b[39m`;
}
