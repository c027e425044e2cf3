// One walk through a folder, no link followed. File calls are synchronous, because thousands of small asynchronous ones cost five
// times as much; the walk pauses every few milliseconds, so that the driver stays responsive.

import { lstatSync, readdirSync, readlinkSync } from "node:fs";

export type WalkedEntry = {
  /** Below the folder, with slashes. */
  readonly path: string;
  readonly stamp: EntryStamp;
  /** When content, mode, owner or links of the entry last changed. No program can set it. */
  readonly changedNs: bigint;
};

/** What an unchanged entry still has. */
export type EntryStamp =
  | { readonly kind: "folder"; readonly mode: number }
  | { readonly kind: "file"; readonly mode: number; readonly size: bigint; readonly mtimeNs: bigint }
  | { readonly kind: "link"; readonly target: string }
  /** A pipe, a socket, a device. */
  | { readonly kind: "special" };

const SLICE_MS = 8;

/** A folder comes before its entries; those of a folder for which `visit` gives false are left out. */
export async function walkFolder(root: string, visit: (entry: WalkedEntry) => boolean): Promise<void> {
  const folders = [""];
  let sliceEnd = performance.now() + SLICE_MS;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of readdirSync(folder === "" ? root : `${root}/${folder}`)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const entry = readEntry(root, path);
      if (visit(entry) && entry.stamp.kind === "folder") folders.push(path);
    }
    if (performance.now() < sliceEnd) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    sliceEnd = performance.now() + SLICE_MS;
  }
}

export function readEntry(root: string, path: string): WalkedEntry {
  const full = `${root}/${path}`;
  const found = lstatSync(full, { bigint: true });
  const mode = Number(found.mode & 0o7777n);
  const changedNs = found.ctimeNs;
  if (found.isDirectory()) return { path, stamp: { kind: "folder", mode }, changedNs };
  if (found.isSymbolicLink()) return { path, stamp: { kind: "link", target: readlinkSync(full) }, changedNs };
  if (!found.isFile()) return { path, stamp: { kind: "special" }, changedNs };
  const { size, mtimeNs } = found;
  return { path, stamp: { kind: "file", mode, size, mtimeNs }, changedNs };
}

const isOpen = (mode: number): boolean => (mode & 0o700) === 0o700;

/** Copies that Node makes keep times to the microsecond. */
const TOLERANCE_NS = 2_000n;

/** Whether an entry is as it was in the reference, which comes first. */
export function isSameStamp(a: EntryStamp, b: EntryStamp): boolean {
  // Bits for others depend on who makes the copy; a folder that its owner cannot use is found.
  if (a.kind === "folder") return b.kind === "folder" && (isOpen(b.mode) || a.mode === b.mode);
  if (a.kind === "link") return b.kind === "link" && a.target === b.target;
  if (a.kind === "special" || b.kind !== "file") return false;
  const apart = a.mtimeNs - b.mtimeNs;
  return a.mode === b.mode && a.size === b.size && apart < TOLERANCE_NS && apart > -TOLERANCE_NS;
}
