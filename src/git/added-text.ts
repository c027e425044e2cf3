// The lines that a piece of work adds, to look for secrets in them before it is merged (I13). Lines are compared here and
// not by `git diff`: rules in the work's own .gitattributes could call any file binary, and so hide it.

import type { Oid } from "../core/ids.ts";
import { blobSizes, readBlobs } from "./blobs.ts";
import { GITLINK } from "./diff.ts";
import { type RawPath, rawFields, shown } from "./raw-path.ts";
import { callShadow, type Shadow } from "./shadow.ts";

export type AddedSecrets = {
  readonly found: readonly FoundSecret[];
  /** Too large: nobody knows what these files hold. */
  readonly skipped: readonly NotLookedAt[];
};

export type FoundSecret = {
  readonly path: string;
  /** Null where several lines together look like one, and in a file without lines. */
  readonly line: number | null;
  /** As the search calls it. */
  readonly kind: string;
};

/** What kind of secret an added text of a file, or the whole of one that is no text, looks like; null where it does not. */
export type SecretSearch = {
  readonly inText: (text: string, path: string) => string | null;
  readonly inBinary: (content: Buffer, path: string) => string | null;
};

export type NotLookedAt = {
  readonly path: string;
  readonly bytes: number;
};

const MIB = 1024 * 1024;
/** Read at most, of both sides of all files together: I10. */
const MAX_BYTES = 32 * MIB;
/** In memory at once, and so the largest file that is read. */
const BATCH_BYTES = 8 * MIB;

/** From one tree to another; `commits` are those in between, where a line may be added and taken out again. */
export type Work = {
  readonly from: Oid;
  readonly to: Oid;
  readonly commits?: { readonly since: Oid; readonly until: Oid };
};

/** Which changed files have added lines that look like a secret. Small files first: what is left out is the few large. */
export async function addedSecrets(shadow: Shadow, work: Work, search: SecretSearch): Promise<AddedSecrets> {
  const ask = (call: { args: readonly string[]; stdin: string }) => callShadow(shadow, call);
  const changes = await changedBlobs(shadow, work);
  const sizes = await blobSizes(ask, [...new Set(changes.flatMap(({ from, to }) => [to, ...some(from)]))]);
  const found: FoundSecret[] = [];
  const skipped: NotLookedAt[] = [];
  const { batches, tooLarge } = inBatches(changes, sizes);
  for (const { path, bytes } of tooLarge) skipped.push({ path: shown(path), bytes });
  for (const batch of batches) {
    const blobs = await readBlobs(ask, [...new Set(batch.flatMap(({ from, to }) => [to, ...some(from)]))]);
    for (const { path, from, to } of batch) {
      const now = blobs.get(to);
      if (now === undefined) throw new Error(`${to}, which is ${shown(path)}, is not in the repository`);
      const before = blobs.get(from ?? "");
      const text = readText(now);
      if (text === null) found.push(...findInBinary(shown(path), { before, now }, search));
      else found.push(...findSecret(shown(path), addedLines(readText(before) ?? "", text), search));
    }
  }
  return { found: byPath(found), skipped: byPath(skipped) };
}

/** What the commits of the work say about themselves, up to a limit. */
export async function commitTexts(
  shadow: Shadow,
  { since, until }: { since: Oid; until: Oid },
): Promise<string> {
  if (since === until) return "";
  const args = ["log", "-n", "1000", "--format=%an%n%ae%n%cn%n%ce%n%B", `${since}..${until}`];
  return (await callShadow(shadow, { args })).stdout.subarray(0, BATCH_BYTES).toString("utf8");
}

/** A file with new content; `from` is what it was, also under another name. */
type ChangedBlob = { readonly path: RawPath; readonly from: string | null; readonly to: string };

async function changedBlobs(shadow: Shadow, { from, to, commits }: Work): Promise<ChangedBlob[]> {
  const shape = ["-r", "-z", "--raw", "--no-abbrev", "-M", "-l1000", "--no-ext-diff"];
  const atEnds = parseBlobs(await callShadow(shadow, { args: ["diff-tree", ...shape, from, to] }));
  if (commits === undefined) return atEnds;
  const range = `${commits.since}..${commits.until}`;
  const between = await callShadow(shadow, { args: ["log", "--format=", "-m", ...shape, range] });
  // The same change is in both as a rule: that of the last commit to the file.
  const known = new Set(atEnds.map(({ path, to }) => `${to} ${path}`));
  return [...atEnds, ...parseBlobs(between).filter(({ path, to }) => !known.has(`${to} ${path}`))];
}

function parseBlobs({ stdout }: { readonly stdout: Buffer }): ChangedBlob[] {
  const fields = rawFields(stdout).map((field) => field.replace(/^\n/, "")); // between commits
  const changes: ChangedBlob[] = [];
  for (let i = 0; i + 1 < fields.length; ) {
    const [, newMode = "", old = "", now = "", status = ""] = (fields[i] ?? "").slice(1).split(" ");
    const isMoved = /^[RC]/.test(status);
    const path = fields[i + (isMoved ? 2 : 1)] as RawPath;
    i += isMoved ? 3 : 2;
    if (status === "D" || newMode === GITLINK || old === now) continue; // gone, elsewhere, or only its mode
    changes.push({ path, from: /^0+$/.test(old) ? null : old, to: now });
  }
  return changes;
}

type Weighed = ChangedBlob & { readonly bytes: number };

function inBatches(changes: readonly ChangedBlob[], sizes: ReadonlyMap<string, number>) {
  const sizeOf = (name: string | null) => sizes.get(name ?? "") ?? 0;
  const weighed: Weighed[] = changes
    .map((change) => ({ ...change, bytes: sizeOf(change.from) + sizeOf(change.to) }))
    .sort((a, b) => a.bytes - b.bytes);
  const batches: Weighed[][] = [];
  const tooLarge: Weighed[] = [];
  let [total, inLast] = [0, Number.POSITIVE_INFINITY];
  for (const change of weighed) {
    total += change.bytes;
    inLast += change.bytes;
    if (total > MAX_BYTES || change.bytes > BATCH_BYTES) tooLarge.push(change);
    else if (inLast <= BATCH_BYTES) batches.at(-1)?.push(change);
    else {
      batches.push([change]);
      inLast = change.bytes;
    }
  }
  return { batches, tooLarge };
}

/** Null for what git calls binary, but for a text in UTF-16, in which every other byte of most letters is 0. */
function readText(content: Buffer | undefined): string | null {
  if (content === undefined) return "";
  const start = content.subarray(0, 8000);
  if (!start.includes(0)) return content.toString("utf8");
  const zeros = [0, 0];
  for (const [i, byte] of start.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < start.length / 4 || Math.min(even, odd) > start.length / 50) return null;
  const whole = content.subarray(0, content.length - (content.length % 2));
  return (odd > even ? whole : Buffer.from(whole).swap16()).toString("utf16le");
}

/** It has no lines to compare: one that was in the file before is not added. */
function findInBinary(
  path: string,
  { before, now }: { readonly before: Buffer | undefined; readonly now: Buffer },
  { inBinary }: SecretSearch,
): FoundSecret[] {
  const kind = inBinary(now, path);
  if (kind === null || (before !== undefined && inBinary(before, path) === kind)) return [];
  return [{ path, line: null, kind }];
}

function findSecret(path: string, added: readonly AddedLine[], { inText }: SecretSearch): FoundSecret[] {
  const kind = inText(added.map(({ text }) => text).join("\n"), path);
  if (kind === null) return [];
  const first = added.find(({ text }) => inText(text, path) !== null);
  return [{ path, line: first?.line ?? null, kind }];
}

type AddedLine = { readonly line: number; readonly text: string };

/** The lines that there are more of than before, in their order. */
function addedLines(before: string, now: string): AddedLine[] {
  const all = now.split("\n").map((text, n) => ({ line: n + 1, text }));
  if (before === "") return all;
  const known = new Map<string, number>();
  for (const line of before.split("\n")) known.set(line, (known.get(line) ?? 0) + 1);
  return all.filter(({ text }) => {
    const left = known.get(text) ?? 0;
    if (left > 0) known.set(text, left - 1);
    return left === 0;
  });
}

function some(name: string | null): string[] {
  return name === null ? [] : [name];
}

function byPath<T extends { readonly path: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => (a.path < b.path ? -1 : 1));
}
