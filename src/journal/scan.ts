// One pass over a journal, from a place that is known to be good to the end of the file. It decides what every reader
// must agree on:
//
//   a good line        its facts, and the place moves on
//   the last line bad  a torn tail: a writer died (or still is) in the middle of it, before anybody was told that it is
//                      durable. It is left out, and the pass says so
//   any other line bad damage: facts that somebody relied on are gone. Never skipped, always an error with the place
//
// "Bad" is: no newline, not a record, wrong checksum (a power cut can leave that with a newline). Two things are damage
// wherever they stand: a good record with the wrong n, since lines were lost or doubled; and a whole line over the
// limit, since it may be a good record of a writer that allowed more, and a torn tail gets cut.

import type { FileHandle } from "node:fs/promises";
import { corrupt, io, JournalError, notAJournal, unknownFact } from "./failure.ts";
import { canBeTornHeader, decodeRecord, type Header, parseHeader, type RawRecord } from "./record.ts";
import { requireKnown, type Upgrade, upgradeFact } from "./upgrade.ts";

/** How records become facts: `parse` checks what was read and throws if it is not a fact. */
export type Reading<R> = {
  readonly path: string;
  readonly parse: (value: unknown) => R;
  readonly upgrades: readonly Upgrade[];
  readonly maxRecordBytes: number;
};

/** A place in a journal: everything before `atByte` is whole, and `nextN` is the number of the record to come. */
export type Place = { readonly atByte: number; readonly nextN: number; readonly header: Header | undefined };

/** A fact with the number of its record; several facts share one after an upgrade that split it. */
export type Entry<R> = { readonly n: number; readonly fact: R };

/** How a journal ends: with a whole record, or with `bytes` from `atByte` on that are not one. */
export type Tail =
  | { readonly kind: "clean" }
  | { readonly kind: "torn"; readonly atByte: number; readonly bytes: number };

/** One step of a pass: facts, the place after them, and how the file would end here. */
export type Scanned<R> = {
  readonly entries: readonly Entry<R>[];
  readonly place: Place;
  readonly tail: Tail;
};

export const startOfJournal: Place = { atByte: 0, nextN: 0, header: undefined };

const clean: Tail = { kind: "clean" };

export async function* scan<R>(
  file: ReadableFile,
  from: Place,
  reading: Reading<R>,
): AsyncGenerator<Scanned<R>> {
  let place = from;
  let bad: { readonly line: Line; readonly wrong: string } | undefined;
  const entries: Entry<R>[] = [];

  const takeIn = (line: Line): void => {
    if (bad) throw damaged(reading.path, place, bad.wrong);
    const record = recordIn(line, place, reading);
    if ("wrong" in record) {
      if (!place.header) refuseForeign(reading.path, line);
      if (holdsRecord(line, place.nextN + 1)) throw damaged(reading.path, place, "its newline is missing");
      bad = { line, wrong: record.wrong };
      return;
    }
    const { facts, header } = understand(record, place, reading);
    for (const fact of facts) entries.push({ n: record.n, fact });
    place = { atByte: line.atByte + line.length, nextN: record.n + 1, header };
  };
  const soFar = (): Scanned<R> => ({ entries: entries.splice(0), place, tail: bad ? torn(bad.line) : clean });

  for await (const lines of linesOf(file, from.atByte, reading)) {
    try {
      for (const line of lines) takeIn(line);
    } catch (error) {
      yield soFar(); // what stands before the damage is good
      throw error;
    }
    yield soFar();
  }
}

/**
 * A pass over a journal that another process may be writing. A new writer may cut a torn tail and write on while we are in
 * the middle of that tail; what we then put together from old and new bytes looks like damage. Real damage is still there
 * at a second look.
 */
export async function* scanLive<R>(
  file: ReadableFile,
  from: Place,
  reading: Reading<R>,
): AsyncGenerator<Scanned<R>> {
  let place = from;
  try {
    for await (const step of scan(file, from, reading)) {
      place = step.place;
      yield step;
    }
    return;
  } catch (error) {
    if (!(error instanceof JournalError) || error.code !== "corrupt") throw error;
  }
  yield* scan(file, place, reading);
}

/** What a good record says: its facts, and the header that holds from here on. */
function understand<R>(record: RawRecord, place: Place, reading: Reading<R>): { facts: R[]; header: Header } {
  const { path, upgrades, parse } = reading;
  if (record.n !== place.nextN) {
    throw damaged(path, place, `expected record ${place.nextN}, found record ${record.n}`);
  }
  if (record.key === "header") {
    const header = parseHeader(record.value);
    if (!header && !place.header) throw notAJournal(path, "its first line names another format");
    if (!header) throw damaged(path, place, "its header names another format");
    requireKnown(path, header.version, upgrades);
    return { facts: [], header };
  }
  if (!place.header) throw notAJournal(path, "it has no header");
  try {
    const facts = upgradeFact(record.value, place.header.version, upgrades).map(parse);
    return { facts, header: place.header };
  } catch (error) {
    throw unknownFact(path, where(place).line, error);
  }
}

function recordIn(
  line: Line,
  place: Place,
  reading: Reading<unknown>,
): RawRecord | { readonly wrong: string } {
  if (!line.whole) return { wrong: "it has no end" };
  if (line.bytes) return decodeRecord(line.bytes);
  if (!place.header) throw notAJournal(reading.path, "its first line is not a header");
  throw damaged(reading.path, place, `it is longer than ${reading.maxRecordBytes} bytes`);
}

/** Whether a bad line runs on into a good record: then it is not the last one, it has only lost its newline. */
function holdsRecord(line: Line, n: number): boolean {
  const at = line.bytes?.lastIndexOf(`{"n":${n},"crc":"`) ?? -1;
  return at > 0 && line.bytes !== undefined && "n" in decodeRecord(line.bytes.subarray(at));
}

/** Before a header was seen, only the beginning of one is ours: a writer must not cut somebody else's file. */
function refuseForeign(path: string, line: Line): void {
  if (!line.bytes || !canBeTornHeader(line.bytes)) throw notAJournal(path, "its first line is not a header");
}

async function* linesOf(file: ReadableFile, fromByte: number, reading: Reading<unknown>) {
  try {
    yield* readLines(file, fromByte, reading.maxRecordBytes);
  } catch (error) {
    throw io(reading.path, "read", error);
  }
}

function torn(line: Line): Tail {
  return { kind: "torn", atByte: line.atByte, bytes: line.length };
}

function damaged(path: string, place: Place, what: string): JournalError {
  return corrupt(path, where(place), what);
}

/** Lines count from 1, records from 0, and every line before this place is a record. */
function where(place: Place): { line: number; atByte: number } {
  return { line: place.nextN + 1, atByte: place.atByte };
}

/** The little that reading needs of an open file. */
export type ReadableFile = Pick<FileHandle, "read">;

/** A line of a file: `whole` if its newline is there, `bytes` (without the newline) unless it is over the limit. */
type Line = {
  readonly atByte: number;
  /** Its length in the file, with the newline. */
  readonly length: number;
  readonly whole: boolean;
  readonly bytes: Buffer | undefined;
};

const newline = 0x0a;
const chunkBytes = 64 * 1024;

/**
 * In bounded memory: a line over the limit is measured but not kept (I10). The lines from a byte offset to the end of
 * the file as it is now, one batch a read.
 */
async function* readLines(
  file: ReadableFile,
  fromByte: number,
  maxLineBytes: number,
): AsyncGenerator<readonly Line[]> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let atByte = fromByte; // where the current line starts
  let length = 0; // of the current line, so far
  let parts: Buffer[] = []; // what is kept of it

  const take = (piece: Buffer, whole: boolean): Line => {
    const total = length + piece.length + (whole ? 1 : 0);
    const bytes = total > maxLineBytes ? undefined : Buffer.concat([...parts, piece]);
    const line: Line = { atByte, length: total, whole, bytes };
    atByte += total;
    length = 0;
    parts = [];
    return line;
  };

  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, atByte + length);
    if (bytesRead === 0) break;
    const batch: Line[] = [];
    let start = 0;
    for (let end = indexOfNewline(chunk, start, bytesRead); end >= 0; ) {
      batch.push(take(chunk.subarray(start, end), true));
      start = end + 1;
      end = indexOfNewline(chunk, start, bytesRead);
    }
    length += bytesRead - start;
    if (length > maxLineBytes) parts = [];
    else if (start < bytesRead) parts.push(Buffer.from(chunk.subarray(start, bytesRead)));
    if (batch.length > 0) yield batch;
  }
  if (length > 0) yield [take(Buffer.alloc(0), false)];
}

function indexOfNewline(chunk: Buffer, from: number, to: number): number {
  const at = chunk.indexOf(newline, from);
  return at < to ? at : -1;
}
