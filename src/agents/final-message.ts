import { type JsonObject, parseObject, textAt } from "./json.ts";

/** The parts of an agent's final message: what it says itself, its result for programs, its summary for people. */

export type FoundResult = {
  readonly object: JsonObject;
  /** The message without the object, and without the word before it. */
  readonly rest: string;
};

/**
 * The last object that begins a line, or stands behind a word and a colon, ends near the end of the text and is one of those meant.
 * Malformed ones are none.
 */
export function findResult(text: string, isMeant: (object: JsonObject) => boolean): FoundResult | null {
  const close = text.lastIndexOf("}");
  const after = text.slice(close + 1);
  if (close === -1 || listSaidLines(after).length > LINES_AFTER_OBJECT) return null;
  const before = text.slice(0, close + 1);
  // A few openings are enough: an inner object of a result begins a line too, but does not parse up to the last brace.
  for (const opening of [...before.matchAll(OPENING)].slice(-MAX_OPENINGS).reverse()) {
    const object = parseObject(before.slice(opening.index + opening[0].length - 1));
    if (object !== null && isMeant(object))
      return { object, rest: `${before.slice(0, opening.index)}${after}` };
  }
  return null;
}

/** After a result object: the end of its fence and one remark. */
const LINES_AFTER_OBJECT = 2;
const MAX_OPENINGS = 20;
const OPENING = /^[ \t]*(?:[*_#-]{0,4} ?[A-Za-z][\w ]{0,40}:[*_]{0,2}[ \t]*)?\{/gm;
const MAX_LINE = 1_000;

/** Lines with words in them that the agent says itself: no fences, no quotations. */
export function listSaidLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.slice(0, MAX_LINE));
  return lines.filter((line) => /\w/.test(line) && !isQuoted(line));
}

const isQuoted = (line: string): boolean => /^\s*(?:>|\||```|~~~)/.test(line);

/** What the agent reports as its summary: `summary` of its result object, else what follows `Summary:`. Null where it reports none. */
export function findSummary(message: string): string | null {
  const end = message.slice(-MAX_END);
  const result = findResult(end, (object) => Object.hasOwn(object, "summary"));
  const text = result === null ? findSummaryLines(end) : (textAt(result.object, "summary") ?? "");
  return text.trim() === "" ? null : text.trim();
}

/** A message for people and other agents: of a result object what is said in sentences. */
export function formatReport(message: string): string {
  const result = findResult(message, (object) => Object.hasOwn(object, "summary"));
  if (result === null) return message;
  const texts = ["summary", "full_log", "error_message"].map((key) => textAt(result.object, key) ?? "");
  return [result.rest.replace(FENCED, "").trim(), ...texts].filter((text) => text.trim() !== "").join("\n\n");
}

const MAX_END = 262_144;
const LABEL = /^[\s*_#-]*summary[\s*_]*:[\s*_]*/i;
/** A status block goes on with its next key. */
const NEXT_KEY = /^[\s*_#-]*[A-Z][\w ]{0,30}[*_]{0,2}:(?:[\s*_]|$)/;

/** The rest of the line and of its paragraph; the next paragraph where the label stands alone. */
function findSummaryLines(message: string): string {
  const lines = message.replace(FENCED, "").split("\n");
  const label = lines.findLastIndex((line) => LABEL.test(line));
  if (label === -1) return "";
  const first = (lines[label] ?? "").replace(LABEL, "");
  const rest = lines.slice(label + 1);
  const start = first.trim() === "" ? rest.findIndex((line) => line.trim() !== "") : 0;
  const from = start === -1 ? [] : rest.slice(start);
  const end = from.findIndex((line) => line.trim() === "" || isQuoted(line) || NEXT_KEY.test(line));
  return [first, ...(end === -1 ? from : from.slice(0, end))].join("\n");
}

/** Examples and output are not what the agent says. One that has no end goes to the end of the message. */
export const FENCED = /^[ \t]*(```+|~~~+)[^\n]*\n[\s\S]*?(?:^[ \t]*\1[ \t]*$|(?![\s\S]))/gm;
