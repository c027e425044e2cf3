// The lines that a piece of work adds, to look for secrets in them before it is merged (I13). Lines are compared here and
// not by `git diff`: rules in the work's own .gitattributes could call any file binary, and so hide it.

import type { Oid } from "../core/ids.ts";
import { blobSizes, readBlobs } from "./blobs.ts";
import { GITLINK } from "./diff.ts";
import { type RawPath, rawFields, shown } from "./raw-path.ts";
import { callShadow, type Shadow } from "./shadow.ts";

export type AddedSecrets = {
  readonly found: readonly FoundSecret[];
  /** Nobody knows what these files hold. */
  readonly skipped: readonly NotLookedAt[];
};

export type FoundSecret = {
  readonly path: string;
  /** Null where several lines together look like one. */
  readonly line: number | null;
  /** As the search calls it. */
  readonly kind: string;
};

/** What kind of secret an added text of a file looks like; null where it does not. */
export type SecretSearch = (text: string, path: string) => string | null;

export type NotLookedAt = {
  readonly path: string;
  readonly bytes: number;
  readonly why: "binary" | "too-large";
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
  for (const { path, bytes } of tooLarge) skipped.push({ path: shown(path), bytes, why: "too-large" });
  for (const batch of batches) {
    const blobs = await readBlobs(ask, [...new Set(batch.flatMap(({ from, to }) => [to, ...some(from)]))]);
    for (const { path, from, to } of batch) {
      const now = blobs.get(to);
      if (now === undefined) throw new Error(`${to}, which is ${shown(path)}, is not in the repository`);
      if (isBinary(now)) skipped.push({ path: shown(path), bytes: now.length, why: "binary" });
      else found.push(...findSecret(shown(path), addedLines(blobs.get(from ?? ""), now), search));
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

/** As git tells it. */
function isBinary(content: Buffer): boolean {
  return content.subarray(0, 8000).includes(0);
}

function findSecret(path: string, added: readonly AddedLine[], search: SecretSearch): FoundSecret[] {
  const kind = search(added.map(({ text }) => text).join("\n"), path);
  if (kind === null) return [];
  const first = added.find(({ text }) => search(text, path) !== null);
  return [{ path, line: first?.line ?? null, kind }];
}

type AddedLine = { readonly line: number; readonly text: string };

/** The lines that there are more of than before, in their order. */
function addedLines(before: Buffer | undefined, now: Buffer): AddedLine[] {
  const lines = now.toString("utf8").split("\n");
  const all = lines.map((text, n) => ({ line: n + 1, text }));
  if (before === undefined) return all;
  const known = new Map<string, number>();
  for (const line of before.toString("utf8").split("\n")) known.set(line, (known.get(line) ?? 0) + 1);
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
