import { type Line, plainText, type Span } from "./line.ts";
import { cells } from "./width.ts";

/**
 * A line in as many lines as a terminal of this width needs for it, broken between words: left alone, the terminal breaks it in
 * the middle of one. What is typed or copied, and a word that is longer than a line, is left to the terminal: it knows that it is
 * one.
 */
export function wrapLine(line: Line, width: number): Line[] {
  if (cells(plainText(line)) <= width || line.some(isWhole)) return [line];
  const hang = hangOf(plainText(line), width);
  const lines: Span[][] = [[]];
  let used = 0;
  for (const word of joinCommands(wordsOf(line))) {
    const text = plainText(word);
    if (used > hang && used + cells(text.trimEnd()) > width) {
      lines.push([" ".repeat(hang)]);
      used = hang;
    }
    lines.at(-1)?.push(...word);
    used += cells(text);
  }
  return lines.map(joined);
}

const isWhole = (span: Span): boolean => typeof span !== "string" && span.isWhole === true;

/** A command behind a colon is one word: it is pasted. It ends with the line, or with a comma. */
function joinCommands(words: readonly Span[][]): Span[][] {
  const joinedWords: Span[][] = [];
  let [isCommand, before] = [false, ""];
  for (const word of words) {
    const text = plainText(word);
    if (isCommand) joinedWords.at(-1)?.push(...word);
    else joinedWords.push([...word]);
    isCommand = /[,;.] *$/.test(text)
      ? false
      : isCommand || (/: $/.test(before) && /^(?:plait|git|gh) $/.test(text));
    before = text;
  }
  return joinedWords;
}

/** Below what is said; where nothing is announced, two further in. */
function hangOf(text: string, width: number): number {
  const label = /^ *(?:error|warning|help): /.exec(text)?.[0].length;
  return Math.min(label ?? (text.match(/^ */)?.[0].length ?? 0) + 2, Math.floor(width / 2));
}

/** With the blanks behind them; a word may be of several spans. */
function wordsOf(line: Line): Span[][] {
  const words: Span[][] = [];
  let isOpen = false;
  for (const span of line) {
    for (const text of textOf(span).split(/(?<= )(?! )/)) {
      if (text === "") continue;
      const part = typeof span === "string" ? text : { ...span, text };
      if (isOpen || text.trim() === "") (words.at(-1) ?? words[words.push([]) - 1])?.push(part);
      else words.push([part]);
      isOpen = !text.endsWith(" ");
    }
  }
  return words;
}

/** Neighbours of one style in one span. A blank at the end may be one cell too many. */
function joined(spans: readonly Span[]): Line {
  const line: Span[] = [];
  for (const span of spans) {
    const last = line.at(-1);
    if (last !== undefined && styleOf(last) === styleOf(span))
      line[line.length - 1] =
        typeof last === "string" ? last + textOf(span) : { ...last, text: last.text + textOf(span) };
    else line.push(span);
  }
  const last = line.pop() ?? "";
  return [...line, typeof last === "string" ? last.trimEnd() : { ...last, text: last.text.trimEnd() }];
}

const textOf = (span: Span): string => (typeof span === "string" ? span : span.text);
const styleOf = (span: Span): string | undefined => (typeof span === "string" ? undefined : span.style);
