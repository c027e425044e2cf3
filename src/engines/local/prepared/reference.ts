// A folder as it was when it was read: what each copy of it is compared with before it is used again.

import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readlinkSync } from "node:fs";

export type FolderReference = {
  /** The same for the same content at the same place; any change makes another one. */
  readonly key: string;
  readonly entries: ReadonlyMap<string, EntryStamp>;
  readonly bytes: number;
};

/** Pipes and sockets belong to programs that run, and are left out. */
export async function readReference(folder: string): Promise<FolderReference> {
  const entries = new Map<string, EntryStamp>();
  let bytes = 0n;
  await walkFolder(folder, ({ path, stamp }) => {
    if (stamp.kind !== "special") entries.set(path, stamp);
    if (stamp.kind === "file") bytes += stamp.size;
    return true;
  });
  return { key: hashEntries(folder, entries), entries, bytes: Number(bytes) };
}

function hashEntries(folder: string, entries: ReadonlyMap<string, EntryStamp>): string {
  const hash = createHash("sha256").update(folder);
  for (const path of [...entries.keys()].sort()) {
    const stamp = entries.get(path) as EntryStamp;
    hash.update(`\0${path}\0${Object.values(stamp).join(" ")}`);
  }
  return hash.digest("hex").slice(0, 24);
}

export type FolderDifference = {
  /** Entries that are not as in the reference, or not in it at all; a folder stands for all below it. */
  readonly changed: readonly string[];
  readonly missing: readonly string[];
};

export type ToCompare = {
  readonly folder: string;
  readonly reference: FolderReference;
  /** An entry that changed then or later counts as changed, whatever it looks like; null: only its looks count. */
  readonly sealNs: bigint | null;
  /** Entries that are written before each use. */
  readonly rewritten: ReadonlySet<string>;
  /** Ends it with an error. */
  readonly signal?: AbortSignal;
};

export async function compareFolder(asked: ToCompare): Promise<FolderDifference> {
  const { folder, reference, sealNs, rewritten, signal } = asked;
  const changed: string[] = [];
  const seen = new Set<string>();
  await walkFolder(folder, ({ path, stamp, changedNs }) => {
    signal?.throwIfAborted();
    seen.add(path);
    if (rewritten.has(path)) return false;
    const known = reference.entries.get(path);
    // Putting a file back changes the folder around it, so of folders only the mode counts.
    const isTouched = sealNs !== null && stamp.kind !== "folder" && changedNs >= sealNs;
    const isSame = known !== undefined && isSameStamp(known, stamp) && !isTouched;
    if (!isSame) changed.push(path);
    return isSame;
  });
  const gone = new Set(changed);
  const missing: string[] = [];
  for (const path of reference.entries.keys()) {
    if (seen.has(path) || rewritten.has(path) || hasAbove(gone, path)) continue;
    missing.push(path);
  }
  return { changed, missing };
}

function hasAbove(paths: ReadonlySet<string>, path: string): boolean {
  if (paths.size === 0) return false;
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1))
    if (paths.has(path.slice(0, end))) return true;
  return false;
}

type WalkedEntry = {
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

/**
 * No link is followed. File calls are synchronous, because thousands of small asynchronous ones cost five times as much;
 * the walk pauses every few milliseconds, so that the driver stays responsive. A folder comes before its entries; those
 * of a folder for which `visit` gives false are left out.
 */
async function walkFolder(root: string, visit: (entry: WalkedEntry) => boolean): Promise<void> {
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
