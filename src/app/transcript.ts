// What an agent said and did, as the run folder keeps it: one JSON object a line, of at most a few megabytes. While the attempt
// is under way the file grows, and when it is full its middle goes.

import { readFile, stat } from "node:fs/promises";
import type { EpochMs } from "../core/facts.ts";
import type { AttemptId } from "../core/ids.ts";
import type { TranscriptEntry } from "../report/page/wire.ts";
import { errnoOf } from "../util/errno.ts";
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
    const text = (await textOf(path)) ?? "";
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
export function entriesOf(text: string): TranscriptEntry[] {
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
async function stampOf(path: string): Promise<string> {
  const found = await stat(path).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  });
  return found === null ? "" : `${found.size} ${found.mtimeMs}`;
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}
