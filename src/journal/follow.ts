// Following a journal that another process is writing: facts come as their records become whole.
//
// Nothing is carried over from one look to the next but the place after the last whole record. An unfinished line is
// simply read again later: so it does not matter whether its writer finishes it, or dies and the next writer cuts it off
// and writes something else there. Polling and not fs.watch: that one is silent on network file systems and differs on
// every platform, and a look at an idle file costs one stat.
//
// What a follower sees may be younger than the last fdatasync: right for showing, not for acting on.

import type { FileHandle } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { corrupt, missing } from "./failure.ts";
import { openToRead, type ReadOptions, readingOf } from "./read.ts";
import { type Entry, type Place, scanLive, startOfJournal } from "./scan.ts";

/** `from` is the first record number to give (1: everything); the iterator ends when `signal` says so. */
export type FollowOptions<R> = ReadOptions<R> & {
  readonly signal: AbortSignal;
  readonly from?: number;
  readonly pollMs?: number;
};

export async function* followJournal<R>(
  path: string,
  options: FollowOptions<R>,
): AsyncGenerator<Entry<R>, void> {
  const { signal, from = 1, pollMs = 100, ...readOptions } = options;
  const reading = readingOf(path, readOptions);
  const file = await openToRead(path);
  try {
    let place = startOfJournal;
    while (!signal.aborted) {
      if (await hasNews(file, place, path)) {
        for await (const step of scanLive(file, place, reading)) {
          place = step.place;
          for (const entry of step.entries) if (entry.n >= from && !signal.aborted) yield entry;
        }
      }
      await pause(pollMs, signal);
    }
  } finally {
    await file.close();
  }
}

/** Whether there are bytes after this place. A journal only grows, up to its last whole record: else it is not ours any more. */
async function hasNews(file: FileHandle, place: Place, path: string): Promise<boolean> {
  const { size, nlink } = await file.stat();
  if (nlink === 0) throw missing(path);
  if (size < place.atByte) {
    const at = { line: place.nextN, atByte: size };
    throw corrupt(path, at, `it was truncated to ${size} bytes after ${place.atByte} were read`);
  }
  return size > place.atByte;
}

async function pause(pollMs: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(pollMs, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error; // aborted: the loop sees it and ends
  }
}
