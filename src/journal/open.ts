// Opening a journal for writing: read it all, cut a torn tail, make sure that what was read is durable, go on with the
// next number. The caller shows the lock that it holds: there is one writer, so the tail cannot be somebody else's
// record in the making.

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { createPen, type JournalWriter, journalFile, writeAll } from "./append.ts";
import { io, JournalError } from "./failure.ts";
import { ensureFolder, syncFolder } from "./folder.ts";
import type { HeldLock } from "./lock.ts";
import { collect, openOr, type ReadOptions, readingOf } from "./read.ts";
import { encodeRecord, type Header, journalFormat } from "./record.ts";
import { type Place, type Reading, scan, startOfJournal, type Tail } from "./scan.ts";
import { currentVersion } from "./upgrade.ts";

/** A journal open for writing: what it held when it was opened, how that ended (a torn tail is cut by now), and the pen. */
export type Journal<R> = JournalWriter<R> & { readonly facts: readonly R[]; readonly tail: Tail };

/** `lock` must be held, and lie in the journal's own folder; `now` dates the header. */
export type OpenOptions<R> = ReadOptions<R> & { readonly lock: HeldLock; readonly now?: () => Date };

export async function openJournal<R>(path: string, options: OpenOptions<R>): Promise<Journal<R>> {
  const { lock, now = () => new Date(), ...readOptions } = options;
  const reading = readingOf(path, readOptions);
  if (!lock.held) throw new Error(`cannot open ${path} for writing: the lock ${lock.path} was released`);
  if (dirname(lock.path) !== dirname(path)) throw new Error(`${lock.path} is not a lock for ${path}`);

  const existing = await openOr(path, readAndAppend);
  const handle = existing ?? (await create(path));
  try {
    const { place, facts, tail } = existing ? await collect(scan(handle, startOfJournal, reading)) : fresh;
    const nextN = await makeReady(handle, { place, tail, reading, now });
    const mayWrite = () => (lock.held ? undefined : "its lock was released");
    const pen = createPen<R>(journalFile(handle), {
      path,
      nextN,
      maxRecordBytes: reading.maxRecordBytes,
      mayWrite,
    });
    return { ...pen, facts, tail };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const readAndAppend = constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const fresh = {
  place: { atByte: 0, nextN: 0, header: undefined },
  facts: [],
  tail: { kind: "clean" },
} as const;

async function create(path: string): Promise<FileHandle> {
  try {
    await ensureFolder(dirname(path));
    return await open(path, readAndAppend | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (error) {
    throw io(path, "open", error);
  }
}

type Found = {
  readonly place: Place;
  readonly tail: Tail;
  readonly reading: Reading<unknown>;
  readonly now: () => Date;
};

/** Cuts a torn tail, adds a header where this version has none yet, and syncs; gives the number of the next record. */
async function makeReady(handle: FileHandle, { place, tail, reading, now }: Found): Promise<number> {
  const version = currentVersion(reading.upgrades);
  let nextN = place.nextN;
  try {
    if (tail.kind === "torn") await handle.truncate(tail.atByte);
    if (place.header?.version !== version) {
      const header: Header = { format: journalFormat, version, createdAt: now().toISOString() };
      await writeAll(journalFile(handle), encodeRecord(nextN, "header", header));
      nextN += 1;
    }
    // Always, not only after a change: a writer that was killed before its sync may have left records that are in
    // memory only, and what was read is about to be acted on. The same goes for the file's name.
    await handle.sync();
    await syncFolder(dirname(reading.path));
    return nextN;
  } catch (error) {
    throw error instanceof JournalError ? error : io(reading.path, "write", error);
  }
}
