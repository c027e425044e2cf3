// Reading a journal to its end: for resume, status and reports. Readers never write: a torn tail is described and left
// alone, since the process that is writing it may be alive. Only the holder of the lock cuts it (open.ts).

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errnoOf } from "../util/errno.ts";
import { io, isJournalError, type JournalError, missing, notAJournal } from "./failure.ts";
import type { Header } from "./record.ts";
import { type Place, type Reading, type Scanned, scanLive, startOfJournal, type Tail } from "./scan.ts";
import { type Upgrade, upgrades } from "./upgrade.ts";

/** The longest line that a journal takes, unless told otherwise: a plan of thousands of tasks with many gates fits. */
const defaultMaxRecordBytes = 64 * 1024 * 1024;

/** What a reader must know: how to check a fact. */
export type ReadOptions<R> = {
  readonly parse: (value: unknown) => R;
  readonly upgrades?: readonly Upgrade[];
  readonly maxRecordBytes?: number;
};

/** All facts of a journal, and how it ends. Without a header it was killed while it was made, and holds nothing. */
export type JournalContent<R> = {
  readonly header: Header | undefined;
  readonly facts: readonly R[];
  readonly tail: Tail;
};

export async function readJournal<R>(path: string, options: ReadOptions<R>): Promise<JournalContent<R>> {
  const file = await openToRead(path);
  try {
    const { place, facts, tail } = await collect(scanLive(file, startOfJournal, readingOf(path, options)));
    return { header: place.header, facts, tail };
  } finally {
    await file.close();
  }
}

/** As much of a journal as can be read: what stands before the damage is good. Throws where it cannot be opened. */
export async function readUpToDamage<R>(
  path: string,
  options: ReadOptions<R>,
): Promise<{ readonly facts: readonly R[]; readonly damage: JournalError | null }> {
  const file = await openToRead(path);
  const facts: R[] = [];
  try {
    for await (const { entries } of scanLive(file, startOfJournal, readingOf(path, options)))
      for (const { fact } of entries) facts.push(fact);
    return { facts, damage: null };
  } catch (error) {
    if (!isJournalError(error)) throw error;
    return { facts, damage: error };
  } finally {
    await file.close();
  }
}

/** Everything that a pass from the start of a journal gives. */
export async function collect<R>(
  pass: AsyncIterable<Scanned<R>>,
): Promise<{ place: Place; facts: R[]; tail: Tail }> {
  let place = startOfJournal;
  let tail: Tail = { kind: "torn", atByte: 0, bytes: 0 }; // a file without even a header
  const facts: R[] = [];
  for await (const step of pass) {
    for (const entry of step.entries) facts.push(entry.fact);
    ({ place, tail } = step);
  }
  return { place, facts, tail };
}

export function readingOf<R>(path: string, options: ReadOptions<R>): Reading<R> {
  return { path, upgrades, maxRecordBytes: defaultMaxRecordBytes, ...options };
}

/** Opens without following a link at the path itself, and takes regular files only: opening a pipe would wait for ever. */
export async function openToRead(path: string): Promise<FileHandle> {
  const file = await openOr(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if (!file) throw missing(path);
  return file;
}

/** Opens an existing journal, or gives undefined if there is none. */
export async function openOr(path: string, flags: number): Promise<FileHandle | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, flags);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    if (errnoOf(error) === "ELOOP") throw notAJournal(path, "it is a symbolic link");
    throw io(path, "open", error);
  }
  const stat = await file.stat();
  if (stat.isFile()) return file;
  await file.close();
  throw notAJournal(path, "it is not a regular file");
}
