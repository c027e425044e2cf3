// The log of one attempt: what its process printed, after masking. When it would grow over its cap, the middle goes: the file
// is always its beginning, a line that says how much is missing, and its end, in this order. It is changed in place and never
// waits for its close, so that it is right also after a kill -9; memory is one small block, whatever comes (I10).

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errnoOf, errorText } from "../util/errno.ts";

export type AttemptLog = {
  /** Resolves when the bytes are the system's. Never rejects: a full disk ends the log, not the attempt. */
  readonly write: (bytes: Buffer) => Promise<void>;
  readonly close: () => Promise<LogEnd>;
};

export type LogEnd = {
  /** What was given to it, and how much of that is not in the file. */
  readonly bytes: number;
  readonly cutBytes: number;
  /** Why nothing was written any more; null when all is well. */
  readonly failure: LogFailure | null;
};

export type LogFailure = { readonly errno: string | null; readonly message: string };

export type LogOptions = {
  readonly maxBytes?: number;
  /** The line in place of what is missing. It must have the same length whatever the number. */
  readonly marker?: (cutBytes: number) => string;
};

export type OpenedLog =
  | { readonly ok: true; readonly log: AttemptLog }
  | { readonly ok: false; readonly failure: LogFailure };

const DEFAULT_MAX_LOG_BYTES = 8 * 1024 * 1024;

/** Makes the file, for its user alone. Whatever is there already, a symbolic link for one, is a failure. */
export async function openLog(path: string, options: LogOptions = {}): Promise<OpenedLog> {
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    const file = await open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    return { ok: true, log: createLog(file, options) };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}

/** Made with the first bytes: most programs say nothing there. A file that cannot be made takes nothing. */
export function lazyLog(
  path: string,
  options: LogOptions = {},
): Pick<AttemptLog, "write"> & { close: () => Promise<void> } {
  let opened: Promise<OpenedLog> | null = null;
  const log = async (): Promise<AttemptLog | null> => {
    opened ??= openLog(path, options);
    const made = await opened;
    return made.ok ? made.log : null;
  };
  return {
    write: async (bytes) => {
      await (await log())?.write(bytes);
    },
    close: async () => {
      if (opened !== null) await (await log())?.close();
    },
  };
}

/** Padded, so that a larger number needs no more room. */
export function cutMarker(cutBytes: number): string {
  return `\n[plait: ${String(cutBytes).padStart(15)} bytes are left out here]\n`;
}

function createLog(file: FileHandle, options: LogOptions): AttemptLog {
  const { maxBytes = DEFAULT_MAX_LOG_BYTES, marker = cutMarker } = options;
  const contents = cappedFile(file, maxBytes, marker);
  let bytes = 0;
  let failure: LogFailure | null = null;
  let last: Promise<void> = Promise.resolve(); // two streams write: one at a time, in the order of their calls

  async function append(chunk: Buffer): Promise<void> {
    bytes += chunk.length;
    if (failure) return;
    try {
      await contents.append(chunk);
    } catch (error) {
      failure = failureOf(error);
    }
  }

  return {
    write: (chunk) => {
      last = last.then(() => append(chunk));
      return last;
    },
    close: async () => {
      await last;
      try {
        await file.close();
      } catch (error) {
        failure ??= failureOf(error); // some file systems say only now that there was no room
      }
      return { bytes, cutBytes: bytes - contents.keptBytes(), failure };
    },
  };
}

function failureOf(error: unknown): LogFailure {
  return { errno: errnoOf(error) ?? null, message: errorText(error) };
}

/** A file that keeps the beginning and the end of what is appended to it. */
type CappedFile = {
  readonly append: (chunk: Buffer) => Promise<void>;
  /** How much of what was appended is in the file. */
  readonly keptBytes: () => number;
};

const LEAST_BYTES = 1024;
const BLOCK_BYTES = 65_536;
/** How far to look for a line break to cut at. */
const SEARCH_BYTES = 4096;

/**
 *     0 ──── head ──── │ marker │ ──── tail: at least half of the room that it has ──── maxBytes
 *
 * When the room is used up, the last half of the tail moves to the tail's beginning. The two do not overlap, so a kill in
 * the middle leaves at worst a part of the tail twice. Cuts are made at line breaks where there are any.
 */
function cappedFile(
  file: FileHandle,
  askedMaxBytes: number,
  marker: (cutBytes: number) => string,
): CappedFile {
  const maxBytes = Math.max(askedMaxBytes, LEAST_BYTES);
  const markerBytes = Buffer.byteLength(marker(0));
  let size = 0;
  let head: number | undefined; // its length, once something was cut
  let cutBytes = 0;

  async function append(chunk: Buffer): Promise<void> {
    for (let done = 0; done < chunk.length; ) {
      if (size >= maxBytes) await makeRoom();
      const wanted = Math.min(chunk.length - done, maxBytes - size);
      // Counted write by write: a disk that gets full takes a part first, and that part is in the file.
      const written = await writeSome(file, chunk.subarray(done, done + wanted), size);
      size += written;
      done += written;
    }
  }

  async function makeRoom(): Promise<void> {
    const cutFrom =
      head === undefined ? await lineEndBefore(file, Math.floor(maxBytes / 4)) : head + markerBytes;
    head ??= cutFrom;
    const tailStart = head + markerBytes;
    const cutTo = await lineStartAfter(file, size - Math.floor((maxBytes - tailStart) / 2), size);
    cutBytes += cutTo - cutFrom;
    await writeAll(file, Buffer.from(marker(cutBytes)), head);
    await move(file, { from: cutTo, until: size, to: tailStart });
    size = tailStart + size - cutTo;
    await file.truncate(size);
  }

  return { append, keptBytes: () => (head === undefined ? size : size - markerBytes) };
}

async function move(
  file: FileHandle,
  { from, until, to }: { from: number; until: number; to: number },
): Promise<void> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  for (let done = 0; done < until - from; ) {
    const { bytesRead } = await file.read(block, 0, Math.min(block.length, until - from - done), from + done);
    if (bytesRead === 0) throw new Error("the file is shorter than what was written to it");
    await writeAll(file, block.subarray(0, bytesRead), to + done);
    done += bytesRead;
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += await writeSome(file, bytes.subarray(done), position + done);
}

/** A write may take less than it was given, on a disk that is nearly full for one. */
async function writeSome(file: FileHandle, bytes: Buffer, position: number): Promise<number> {
  const { bytesWritten } = await file.write(bytes, 0, bytes.length, position);
  if (bytesWritten === 0) throw new Error("no more bytes can be written");
  return bytesWritten;
}

async function lineEndBefore(file: FileHandle, limit: number): Promise<number> {
  const start = Math.max(0, limit - SEARCH_BYTES);
  const lineBreak = (await readPart(file, start, limit)).lastIndexOf("\n");
  return lineBreak === -1 ? limit : start + lineBreak + 1;
}

async function lineStartAfter(file: FileHandle, start: number, end: number): Promise<number> {
  const lineBreak = (await readPart(file, start, Math.min(end, start + SEARCH_BYTES))).indexOf("\n");
  return lineBreak === -1 ? start : start + lineBreak + 1;
}

async function readPart(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(end - start), 0, end - start, start);
  return buffer.subarray(0, bytesRead);
}
