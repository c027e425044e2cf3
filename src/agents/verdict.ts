import { type JsonObject, parseObject, textAt } from "./json.ts";
import { oneLine, withReason } from "./text.ts";

/**
 * What an agent says about its own work at the end of its text, in the forms that people already ask agents for: a status
 * line (`Status: BLOCKED`), a line or an object with `status` (`{"status":"FAILED","reason":…}`), a result object
 * (`task_completed`, `validation_passed`). It is believed when it says no; a yes proves nothing, git and the gates do.
 *
 * A false no fails a good task for good. So only the very end counts, only as something said (not quoted), and the last
 * word on each subject decides.
 */
export function verdictIn(text: string): string | null {
  const end = text.slice(-MAX_END).trimEnd();
  return refusalInObject(end) ?? refusalInLines(end);
}

const MAX_END = 262_144;
const MAX_SENTENCE = 300;
const MAX_LINE = 1_000;
/** A status line is followed by a summary, a reason and a few recommendations. */
const STATUS_LINES = 12;
/** After a result object: the end of its fence and one remark. */
const LINES_AFTER_OBJECT = 2;

const FLAGS = ["task_completed", "validation_passed"];
const KEYS = ["status", ...FLAGS];
const NO_STATUS = /^(?:BLOCKED|NEEDS_CONTEXT|FAILED)$/i;

/** Lines that give the reason, the most telling first. */
const REASONS = ["blocker", "missing", "reason", "error_message", "concerns", "summary"];

function refusalInObject(end: string): string | null {
  const object = objectAtEnd(end);
  if (object === null) return null;
  const no = refusedKey(object);
  if (no === null) return null;
  const reasons = REASONS.map((key) => textAt(object, key)?.trim() ?? "");
  return sentence(no, reasons.find((reason) => reason !== "") ?? "");
}

function refusedKey(object: JsonObject): string | null {
  const status = textAt(object, "status");
  if (status !== null && NO_STATUS.test(status)) return status.toUpperCase();
  return FLAGS.find((key) => object[key] === false) ?? null;
}

/** The last object that begins a line, or stands behind a word and a colon, and ends near the end of the text. Malformed ones are none. */
function objectAtEnd(end: string): JsonObject | null {
  const close = end.lastIndexOf("}");
  if (close === -1 || saidLines(end.slice(close + 1)).length > LINES_AFTER_OBJECT) return null;
  const text = end.slice(0, close + 1);
  // A few openings are enough: an inner object of a result begins a line too, but does not parse up to the last brace.
  const openings = [...text.matchAll(OPENING)].slice(-MAX_OPENINGS).reverse();
  for (const opening of openings) {
    const object = parseObject(text.slice(opening.index + opening[0].length - 1));
    if (object !== null && KEYS.some((key) => Object.hasOwn(object, key))) return object;
  }
  return null;
}

const MAX_OPENINGS = 20;
const OPENING = /^[ \t]*(?:[*_#-]{0,4} ?[A-Za-z][\w ]{0,40}:[*_]{0,2}[ \t]*)?\{/gm;

function refusalInLines(end: string): string | null {
  const lines = saidLines(end).slice(-STATUS_LINES);
  for (const key of KEYS) {
    const at = lines.findLastIndex((line) => valueFor(line, key) !== null);
    const value = at === -1 ? null : valueFor(lines[at] ?? "", key);
    const no = value === null ? null : refusedLine(key, value);
    if (no !== null) return sentence(no.word, no.reason || reasonAfter(lines.slice(at + 1)));
  }
  return null;
}

/** `BLOCKED`, or `BLOCKED - no key`; a sentence that begins with the word says something else. */
function refusedLine(key: string, value: string): { word: string; reason: string } | null {
  if (key !== "status") return /^false\b/i.test(value) ? { word: key, reason: "" } : null;
  const [, word = "", reason = ""] = /^([A-Za-z_]+)[^\w]*?(?:\s*[-–—:(,;.]\s*(.*))?$/.exec(value) ?? [];
  const isShouted = word === word.toUpperCase();
  return NO_STATUS.test(word) && (isShouted || reason === "") ? { word: word.toUpperCase(), reason } : null;
}

/** What follows `Blocker:` and the like, on its line or on the next. */
function reasonAfter(lines: readonly string[]): string {
  for (const key of REASONS) {
    const at = lines.findIndex((line) => valueFor(line, key) !== null);
    const reason = at === -1 ? "" : valueFor(lines[at] ?? "", key) || (lines[at + 1] ?? "");
    if (reason !== "") return reason.replace(/^[-*\s]+/, "");
  }
  return "";
}

/** Bold, headings, list marks and pictures around a `key: value` are decoration. Keys in quotes are JSON's business. */
function valueFor(line: string, key: string): string | null {
  const bare = line.replace(/[*`]+/g, "").replace(/^[^\w"']+/, "");
  const colon = bare.indexOf(":");
  if (colon === -1 || bare.slice(0, colon).trim().toLowerCase() !== key) return null;
  return bare
    .slice(colon + 1)
    .replace(/^[^\w"']+/, "")
    .trim();
}

/** Lines with words in them that the agent says itself: no fences, no quotations. */
function saidLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.slice(0, MAX_LINE));
  return lines.filter((line) => /\w/.test(line) && !/^\s*(?:>|\||```|~~~)/.test(line));
}

function sentence(word: string, reason: string): string {
  const says = FLAGS.includes(word) ? `${word}: false` : word;
  return oneLine(withReason(`agent reported ${says}`, reason), MAX_SENTENCE);
}
