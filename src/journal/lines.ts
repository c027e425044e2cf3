// Bytes of a file to lines, in bounded memory: a line over the limit is measured but not kept (I10).

import type { FileHandle } from "node:fs/promises";

/** The little that reading needs of an open file. */
export type ReadableFile = Pick<FileHandle, "read">;

/** A line of a file: `whole` if its newline is there, `bytes` (without the newline) unless it is over the limit. */
export type Line = {
  readonly atByte: number;
  /** Its length in the file, with the newline. */
  readonly length: number;
  readonly whole: boolean;
  readonly bytes: Buffer | undefined;
};

const newline = 0x0a;
const chunkBytes = 64 * 1024;

/** The lines from a byte offset to the end of the file as it is now, one batch a read. */
export async function* readLines(
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
