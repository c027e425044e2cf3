import { findResult, listSaidLines } from "./final-message.ts";
import { type JsonObject, textAt } from "./json.ts";
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
/** A status line is followed by a summary, a reason and a few recommendations. */
const STATUS_LINES = 12;

const FLAGS = ["task_completed", "validation_passed"];
const KEYS = ["status", ...FLAGS];
const NO_STATUS = /^(?:BLOCKED|NEEDS_CONTEXT|FAILED)$/i;

/** Lines that give the reason, the most telling first. */
const REASONS = ["blocker", "missing", "reason", "error_message", "concerns", "summary"];

function refusalInObject(end: string): string | null {
  const object = findResult(end, (one) => KEYS.some((key) => Object.hasOwn(one, key)))?.object ?? null;
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

function refusalInLines(end: string): string | null {
  const lines = listSaidLines(end).slice(-STATUS_LINES);
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

function sentence(word: string, reason: string): string {
  const says = FLAGS.includes(word) ? `${word}: false` : word;
  return oneLine(withReason(`agent reported ${says}`, reason), MAX_SENTENCE);
}
