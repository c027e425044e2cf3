import { type FileHandle, open } from "node:fs/promises";
import type { CutText } from "../../report/page/wire.ts";
import { ifMissing } from "../../util/errno.ts";
import type { Mask } from "../run-mask.ts";

/** The beginning of a file says what it is about, its end how it came out: of a long one the middle is left out. Null: no such file. */
export async function cutFile(path: string, most: number, mask: Mask): Promise<CutText | null> {
  const file = await open(path, "r").catch(ifMissing(null));
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    if (size <= most) return { text: mask((await part(file, 0, size)).toString("utf8")), cutBytes: 0 };
    const [first, last] = [Math.floor(most / 4), Math.floor((most * 3) / 4)];
    const around = async (from: number, to: number): Promise<Buffer> =>
      Buffer.from(mask((await part(file, Math.max(0, from), Math.min(size, to))).toString("utf8")));
    const head = headOf(await around(0, first + AROUND_BYTES), first);
    const tail = tailOf(await around(size - last - AROUND_BYTES, size), last);
    const cutBytes = Math.max(1, size - Buffer.byteLength(head) - Buffer.byteLength(tail));
    const said = `[${cutBytes.toLocaleString("en-US")} bytes are left out]`;
    return { text: `${head}\n${said}\n${tail}`, cutBytes };
  } finally {
    await file.close();
  }
}

/**
 * So much more is masked than is shown: where a part begins or ends in the middle of a secret, nobody would know it for one (I13).
 * What stands at the very edge of that is never shown, however short masks have made the rest.
 */
const AROUND_BYTES = 64 * 1024;
const EDGE_BYTES = 256;

async function part(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}

/** To the end of a line where there is one, else of a character. */
function headOf(bytes: Buffer, most: number): string {
  const room = Math.max(0, Math.min(most, bytes.length - EDGE_BYTES));
  const line = bytes.lastIndexOf("\n", room);
  return bytes.toString("utf8", 0, line > 0 && line <= room ? line : characterStart(bytes, room));
}

function tailOf(bytes: Buffer, most: number): string {
  const from = Math.min(bytes.length, Math.max(EDGE_BYTES, bytes.length - most));
  const line = bytes.indexOf("\n", from - 1) + 1;
  return bytes.toString("utf8", line > 0 && line < bytes.length ? line : characterEnd(bytes, from));
}

const isMiddle = (bytes: Buffer, at: number): boolean => ((bytes[at] ?? 0) & 0xc0) === 0x80;

function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && isMiddle(bytes, start)) start -= 1;
  return start;
}

function characterEnd(bytes: Buffer, at: number): number {
  let end = at;
  while (end < bytes.length && isMiddle(bytes, end)) end += 1;
  return end;
}
