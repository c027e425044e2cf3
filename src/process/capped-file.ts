import type { FileHandle } from "node:fs/promises";

/** A file that keeps the beginning and the end of what is appended to it. */
export type CappedFile = {
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
export function cappedFile(
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
