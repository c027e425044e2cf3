// A transcript in pages, for who asks again and again for what is new. The file grows, and once it is full its middle goes; so a
// place in it is told by the offset and by the line before it, which is looked for where the offset does not hold any more.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { TranscriptPage } from "../../report/page/wire.ts";
import { errnoOf } from "../../util/errno.ts";
import { entriesOf } from "../transcript.ts";

/** What one page may hold; the rest comes with the next. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

export async function transcriptPage(path: string, from: string | null): Promise<TranscriptPage> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return ""; // nothing was said yet
    throw error;
  });
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
