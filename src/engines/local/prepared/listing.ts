// What a folder holds, listed by the system's own program: comparing thousands of entries then takes little time of the driver, which
// has agents to start meanwhile. A listing only ever says that all is as it should be. Whatever else it says, the folder is walked.

import { type EntryStamp, isSameStamp, type ToCompare } from "./reference.ts";

/** For GNU find: kind, mode, size, times of content and entry, path; then the target of a link. */
export const LISTING_FORMAT = String.raw`%y %m %s %T@ %C@ %P\0%l\0`;

export function isListedAsSame(listing: string, asked: Omit<ToCompare, "folder" | "signal">): boolean {
  const { reference, sealNs, rewritten } = asked;
  let wanted = 0;
  for (const path of reference.entries.keys()) if (!rewritten.has(path)) wanted += 1;
  const fields = listing.split("\0");
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const entry = parseEntry(fields[i] ?? "", fields[i + 1] ?? "");
    if (entry === null) return false;
    if (rewritten.has(entry.path)) continue;
    const known = reference.entries.get(entry.path);
    if (known === undefined || !isSameStamp(known, entry.stamp)) return false;
    if (sealNs !== null && entry.stamp.kind !== "folder" && entry.changedNs >= sealNs) return false;
    wanted -= 1;
  }
  return wanted === 0;
}

const ENTRY = /^(\w) ([0-7]+) (\d+) (\d+\.\d+) (\d+\.\d+) (.+)$/s;

function parseEntry(line: string, target: string) {
  const [, kind, mode = "", size = "", content = "", entry = "", path = ""] = ENTRY.exec(line) ?? [];
  const stamp = readStamp({ kind, mode: Number.parseInt(mode, 8), size, content, target });
  return stamp === null ? null : { path, stamp, changedNs: parseTime(entry) };
}

type Fields = {
  readonly kind: string | undefined;
  readonly mode: number;
  readonly size: string;
  readonly content: string;
  readonly target: string;
};

function readStamp({ kind, mode, size, content, target }: Fields): EntryStamp | null {
  if (kind === "d") return { kind: "folder", mode };
  if (kind === "l") return { kind: "link", target };
  if (kind === "f") return { kind: "file", mode, size: BigInt(size), mtimeNs: parseTime(content) };
  return null;
}

/** Seconds with a fraction of any length, in nanoseconds. */
function parseTime(text: string): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.slice(0, 9).padEnd(9, "0"));
}
