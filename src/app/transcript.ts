// What an agent said and did, as the run folder keeps it: one JSON object a line, of at most a few megabytes. While the attempt
// is under way the file grows, and when it is full its middle goes.

import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import type { EpochMs } from "../core/facts.ts";
import type { AttemptId } from "../core/ids.ts";
import type { TranscriptEntry, TranscriptPage } from "../report/page/wire.ts";
import { ifMissing } from "../util/errno.ts";
import { terminalText } from "../util/terminal-text.ts";
import type { KnownRun } from "./runs.ts";

/** Gives what has been added since it was last asked; the first time everything. */
export type Tail<T> = () => Promise<T>;

export function tailTranscript(
  { folder }: Pick<KnownRun, "folder">,
  attempt: AttemptId,
): Tail<TranscriptEntry[]> {
  const more = tailFile(folder.transcript(attempt));
  let unfinished = "";
  return async () => {
    const text = unfinished + (await more());
    const end = text.lastIndexOf("\n") + 1;
    unfinished = text.slice(end);
    return entriesOf(text.slice(0, end));
  };
}

/** What the program printed, secrets masked. */
export function tailRawLog({ folder }: Pick<KnownRun, "folder">, attempt: AttemptId): Tail<string> {
  return tailFile(folder.log(attempt));
}

/** The file is read as a whole, because it may have been cut in the middle meanwhile; it is bounded. */
function tailFile(path: string): Tail<string> {
  let before = "";
  let seen = "";
  return async () => {
    const stamp = await stampOf(path);
    if (stamp === seen) return "";
    seen = stamp;
    const text = await readFile(path, "utf8").catch(ifMissing(""));
    const from = text.startsWith(before) ? before.length : afterCut(before, text);
    before = text;
    return text.slice(from);
  };
}

/** Where what was seen ends in the file as it is now: behind its last line, if that is still there. */
function afterCut(before: string, now: string): number {
  const start = before.lastIndexOf("\n", before.length - 2) + 1;
  const line = before.slice(start);
  const found = line === "" ? -1 : now.lastIndexOf(line);
  return found === -1 ? 0 : found + line.length;
}

/** What is no whole line of JSON is left out. */
function entriesOf(text: string): TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  for (const line of text.split("\n")) {
    const entry = entryOf(line, entries.at(-1)?.at ?? 0);
    if (entry !== null) entries.push(entry);
  }
  return entries;
}

const KINDS = new Set([
  ...["started", "text", "tool", "tool-ended", "retry", "limit", "usage", "denied", "note", "noise"],
]);

/** Null for what is not whole: the end of a file that is being written, or the line at which it was cut. */
function entryOf(line: string, before: EpochMs): TranscriptEntry | null {
  const value = parsed(line);
  if (value === null) return null;
  const { at, kind } = value;
  if (kind === "cut") return { at: before, kind, bytes: Number(value.bytes) };
  if (typeof at !== "number" || typeof kind !== "string" || !KINDS.has(kind)) return null;
  const clean = Object.entries(value).map(([key, one]) => [
    key,
    typeof one === "string" ? terminalText(one) : one,
  ]);
  return Object.fromEntries(clean) as TranscriptEntry; // written by plait itself (effects/listen.ts), a line at a time
}

type Parsed = { readonly at?: unknown; readonly kind?: unknown; readonly bytes?: unknown };

function parsed(line: string): Parsed | null {
  if (line.trim() === "") return null;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Parsed) : null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

/** Differs when the file does; a look at one that nobody writes costs nothing. */
export async function stampOf(path: string): Promise<string> {
  const found = await stat(path).catch(ifMissing(null));
  return found === null ? "" : `${found.size} ${found.mtimeMs}`;
}

/** What one page may hold; the rest comes with the next. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

/**
 * For who asks again and again for what is new. The file grows, and once it is full its middle goes; so a place in it is told by the
 * offset and by the line before it, which is looked for where the offset does not hold any more.
 */
export async function transcriptPage(path: string, from: string | null): Promise<TranscriptPage> {
  const text = await readFile(path, "utf8").catch(ifMissing("")); // nothing was said yet
  const start = from === null ? 0 : placeOf(text, from);
  const whole = text.lastIndexOf("\n") + 1; // what is behind it is being written
  const end = endOfPage(text, start, whole);
  return { entries: entriesOf(text.slice(start, end)), next: nextOf(text, end), hasMore: end < whole };
}

/** At most so much, and at least one line. */
function endOfPage(text: string, start: number, whole: number): number {
  if (whole - start <= MOST_CHARACTERS) return Math.max(start, whole);
  const end = text.lastIndexOf("\n", start + MOST_CHARACTERS) + 1;
  return end > start ? end : text.indexOf("\n", start) + 1;
}

/** `4711.2f9a…`: the offset, and the hash of the line that ends there. */
function nextOf(text: string, end: number): string {
  return end === 0 ? "0" : `${end}.${hashOf(lineBefore(text, end))}`;
}

function placeOf(text: string, from: string): number {
  const [, digits = "0", hash] = /^(\d{1,12})(?:\.([0-9a-f]{16}))?$/.exec(from) ?? [];
  const offset = Number(digits);
  if (hash === undefined) return 0;
  if (offset <= text.length && text[offset - 1] === "\n" && hashOf(lineBefore(text, offset)) === hash)
    return offset;
  for (let end = Math.min(offset, text.lastIndexOf("\n") + 1); end > 0; end -= lineBefore(text, end).length)
    if (hashOf(lineBefore(text, end)) === hash) return end;
  return cutIn(text);
}

/** What was seen last is gone with the middle: all that is new stands behind the cut. */
const cutIn = (text: string): number => Math.max(0, text.indexOf('\n{"kind":"cut"') + 1);

/** With its line break. */
function lineBefore(text: string, end: number): string {
  return text.slice(text.lastIndexOf("\n", end - 2) + 1, end);
}

const hashOf = (line: string): string => createHash("sha256").update(line).digest("hex").slice(0, 16);
