// One record a line, and every line is JSON that people can grep:
//
//   {"n":0,"crc":"5d1f0a3c","header":{"format":"plait-journal","version":1,"createdAt":"…"}}
//   {"n":1,"crc":"1a2b3c4d","fact":{…}}
//
// n counts lines from 0 without gaps. crc is crc32 of `<n>:<text>`, text being the exact bytes between `"fact":` and the
// last brace: computed over what is on the disk, never over a value that was parsed and printed again. A header may come
// again further down: from there on the facts are of its version. The shape of the header line never changes, so
// that any plait can tell that a file was written by a newer one.
//
// JSON.stringify escapes newlines and, since it is well-formed, lone surrogates: any string survives, one line stays one line.

import { crc32 } from "node:zlib";

export const journalFormat = "plait-journal";

/** The first record of a journal, and of each stretch written by a later version. */
export type Header = {
  readonly format: typeof journalFormat;
  readonly version: number;
  readonly createdAt: string;
};

/** What a whole line holds, as JSON that nobody has checked yet. */
export type RawRecord = { readonly n: number; readonly key: "header" | "fact"; readonly value: unknown };

// The longest prefix has 16 digits and the word header; no need to look further for it.
const prefixMaxBytes = 64;
const prefix = /^\{"n":(0|[1-9][0-9]{0,15}),"crc":"([0-9a-f]{8})","(header|fact)":/;

/** A line with its newline. */
export function encodeRecord(n: number, key: RawRecord["key"], value: unknown): Buffer {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`a ${key} must be a JSON value, not ${typeof value}`);
  return Buffer.from(`{"n":${n},"crc":"${checksum(n, text)}","${key}":${text}}\n`);
}

/** The record of a line without its newline, or what is wrong with it. */
export function decodeRecord(line: Buffer): RawRecord | { readonly wrong: string } {
  const match = prefix.exec(line.toString("latin1", 0, prefixMaxBytes));
  if (!match || line.at(-1) !== 0x7d) return { wrong: "it is not a journal record" };
  const n = Number(match[1]);
  const text = line.subarray(match[0].length, -1);
  if (checksum(n, text) !== match[2]) return { wrong: "its checksum does not match its content" };
  try {
    return { n, key: match[3] === "header" ? "header" : "fact", value: JSON.parse(text.toString("utf8")) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { wrong: "it is not JSON" };
  }
}

/** Whether these bytes can be what is left of a header whose writing was cut off. */
export function canBeTornHeader(bytes: Buffer): boolean {
  const start = '{"n":0,"crc":"';
  const seen = bytes.toString("latin1", 0, start.length);
  // After a power cut a file system may show zeros where the data never arrived.
  return start.startsWith(seen) || bytes.every((byte) => byte === 0);
}

/** The header in a header record, or undefined if another program wrote it. */
export function parseHeader(value: unknown): Header | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { format, version, createdAt } = value as Partial<Record<keyof Header, unknown>>;
  if (format !== journalFormat || typeof createdAt !== "string") return undefined;
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1) return undefined;
  return { format, version, createdAt };
}

function checksum(n: number, text: string | Buffer): string {
  return crc32(text, crc32(`${n}:`))
    .toString(16)
    .padStart(8, "0");
}
