import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { startOf, wholeFile } from "../core/analyze/findings.ts";
import { type TextHash, textHash } from "../core/ids.ts";
import type { Diagnostic, SourceRange } from "../core/source.ts";
import { buildFormatFinding } from "../formats/catalog.ts";
import { buildFileFinding } from "./file-catalog.ts";

/** A text from a file, or why there is none; `detail` ends a sentence about the file. */
export type TextResult =
  | { readonly ok: true; readonly text: string; readonly hash: TextHash; readonly bytes: number }
  | { readonly ok: false; readonly reason: TextFailure; readonly detail: string };

type TextFailure = "missing" | "unreadable" | "link-loop" | "folder" | "special" | "too-large" | "not-text";

/**
 * Reads a regular file of UTF-8 text, at most `maxBytes` of it. Devices and pipes are never opened: reading them may
 * wait for ever or never end. The size is checked again while reading, since a file can grow and /proc says 0.
 */
export async function readText(path: string, maxBytes: number): Promise<TextResult> {
  if (path.includes("\0")) return fail("missing", "cannot exist: its name has a NUL character");
  try {
    const found = await stat(path);
    if (found.isDirectory()) return fail("folder", "is a folder");
    if (found.size > maxBytes) return tooLarge(found.size, maxBytes);
    const bytes = found.isFile() ? await readBytes(path, maxBytes + 1) : null;
    if (!bytes) return fail("special", "is not a regular file");
    return bytes.length > maxBytes ? tooLarge(bytes.length, maxBytes) : decode(bytes);
  } catch (error) {
    return failureOf(error);
  }
}

/** Those of the files in a folder that can be read, by name. */
export async function readTexts(
  folder: string,
  names: readonly string[],
  maxBytes: number,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const name of names) {
    const read = await readText(join(folder, name), maxBytes);
    if (read.ok) texts.set(name, read.text);
  }
  return texts;
}

const CHUNK_BYTES = 64 * 1024;

export function sha256(data: string | Uint8Array): TextHash {
  return textHash(createHash("sha256").update(data).digest("hex"));
}

/** Null when the path has become something else since it was looked at. */
async function readBytes(path: string, limit: number): Promise<Uint8Array | null> {
  // Without waiting: a pipe that took the file's place would block here.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) return null;
    const chunks: Uint8Array[] = [];
    for (let total = 0; total < limit; ) {
      const room = Math.min(limit - total, CHUNK_BYTES);
      const { bytesRead, buffer } = await file.read(Buffer.alloc(room), 0, room, null);
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      total += bytesRead;
    }
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}

function decode(bytes: Uint8Array): TextResult {
  const nul = bytes.indexOf(0);
  if (nul !== -1) return fail("not-text", `is binary, not text (byte ${nul} is 0)`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { ok: true, text, hash: sha256(bytes), bytes: bytes.length };
  } catch {
    return fail("not-text", `is not UTF-8 text (see byte ${firstBadByte(bytes)})`); // a fatal decoder throws for nothing else
  }
}

/** Where the first bad character starts. The decoder does not say; but each beginning of the text is good or bad. */
function firstBadByte(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isGood(bytes.subarray(0, middle), { mayBeCutOff: true })) good = middle;
    else bad = middle;
  }
  while (!isGood(bytes.subarray(0, good), { mayBeCutOff: false })) good -= 1;
  return good;
}

function isGood(bytes: Uint8Array, { mayBeCutOff }: { mayBeCutOff: boolean }): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: mayBeCutOff });
    return true;
  } catch {
    return false; // as above
  }
}

const fail = (reason: TextFailure, detail: string): TextResult => ({ ok: false, reason, detail });

const tooLarge = (bytes: number, maxBytes: number): TextResult =>
  fail("too-large", `is too large: at least ${bytes} bytes (limit: ${maxBytes})`);

const FAILURES: { readonly [code: string]: TextResult } = {
  ENOENT: fail("missing", "does not exist"),
  ENOTDIR: fail("missing", "does not exist"),
  ENAMETOOLONG: fail("missing", "cannot exist: its name is too long"),
  EACCES: fail("unreadable", "cannot be read: permission denied (EACCES)"),
  ELOOP: fail("link-loop", "cannot be read: its symbolic links form a loop"),
};

function failureOf(error: unknown): TextResult {
  if (!(error instanceof Error && "code" in error)) throw error;
  return FAILURES[String(error.code)] ?? fail("unreadable", `cannot be read (${error.code})`);
}

/** What a file was to be, for messages about it. */
export type TextSubject = {
  /** `plan`, `tech spec`. */
  readonly noun: string;
  /** The file in a sentence; default: `the ${noun}`. */
  readonly subject?: string;
  readonly tooLarge: "plan-too-large" | "config-too-large" | "prompt-too-large" | "tech-spec-too-large";
  /** Where its path starts, as the end of a sentence. */
  readonly from: string;
};

export const CURRENT_FOLDER = "the current folder";

type Failure = { readonly reason: TextFailure; readonly detail: string; readonly suggestion?: string | null };

/** Why a text cannot be read. `place` is its file, or the range that names it. */
export function buildTextFinding(
  { reason, detail: problem, suggestion = null }: Failure,
  { noun, subject: given, tooLarge, from }: TextSubject,
  place: string | SourceRange,
): Diagnostic {
  const subject = given ?? `the ${noun}`;
  const inFile = reason === "missing" ? wholeFile : startOf;
  const at = typeof place === "string" ? inFile(place) : place;
  switch (reason) {
    case "missing":
      return buildFileFinding("file-missing", { subject, problem, suggestion, from }, at);
    case "folder":
    case "special":
      return buildFormatFinding("not-a-file", { subject: given ?? `the ${noun} path`, problem, noun }, at);
    case "too-large":
      return buildFileFinding(tooLarge, { subject, problem }, at);
    case "not-text":
      return buildFileFinding("not-text", { subject, problem }, at);
    default:
      return buildFileFinding("file-unreadable", { subject, problem }, at);
  }
}
