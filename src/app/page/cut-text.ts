import { open } from "node:fs/promises";
import type { CutText } from "../../report/page/wire.ts";
import { errnoOf } from "../../util/errno.ts";
import type { Mask } from "../run-mask.ts";

/** The beginning of a file says what it is about, its end how it came out: of a long one the middle is left out. Null: no such file. */
export async function cutFile(path: string, most: number, mask: Mask): Promise<CutText | null> {
  const file = await open(path, "r").catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const part = async (from: number, length: number): Promise<string> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.toString("utf8", 0, bytesRead);
    };
    if (size <= most) return { text: mask(await part(0, size)), cutBytes: 0 };
    const head = toLineEnd(await part(0, Math.floor(most / 4)));
    const tail = fromLineStart(await part(size - Math.floor((most * 3) / 4), Math.floor((most * 3) / 4)));
    const cutBytes = size - Buffer.byteLength(head) - Buffer.byteLength(tail);
    const said = `[${cutBytes.toLocaleString("en-US")} bytes are left out]`;
    return { text: `${mask(head)}\n${said}\n${mask(tail)}`, cutBytes };
  } finally {
    await file.close();
  }
}

/** At whole lines, where there are some: also no character is cut in two, nor a secret that stands on one line. */
function toLineEnd(text: string): string {
  const end = text.lastIndexOf("\n");
  return end <= 0 ? text : text.slice(0, end);
}

function fromLineStart(text: string): string {
  const start = text.indexOf("\n") + 1;
  return start === 0 || start === text.length ? text : text.slice(start);
}
