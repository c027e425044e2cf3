// What can go wrong with a journal, as one union by reason. Each failure has a message and a hint. It is thrown inside a
// JournalError: a caller that expects one reads `failure.reason`, never the text.

import { errnoOf, errorText } from "../util/errno.ts";

/** One way in which a journal cannot be read, written or locked. */
export type JournalFailure = { readonly path: string; readonly message: string; readonly hint: string } & (
  | { readonly reason: "missing" }
  | { readonly reason: "not-a-journal" }
  | { readonly reason: "corrupt"; readonly line: number; readonly atByte: number }
  | { readonly reason: "newer"; readonly version: number; readonly known: number }
  | { readonly reason: "unknown-fact"; readonly line: number }
  | { readonly reason: "too-big"; readonly bytes: number; readonly maxBytes: number }
  | { readonly reason: "io"; readonly during: IoPhase; readonly errno: string }
  | { readonly reason: "closed" }
);

/** What plait was doing with the file when the operating system said no. */
export type IoPhase = "open" | "read" | "write" | "sync" | "lock";

/** The thrown form of a JournalFailure; `code` is its reason. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly code: JournalFailure["reason"];
  readonly hint: string;
  readonly failure: JournalFailure;

  constructor(failure: JournalFailure, cause?: unknown) {
    super(failure.message, cause === undefined ? undefined : { cause });
    this.code = failure.reason;
    this.hint = failure.hint;
    this.failure = failure;
  }
}

export function missing(path: string): JournalError {
  const hint = `check the folder: ls -l ${quote(folderOf(path))}`;
  return new JournalError({ reason: "missing", path, message: `no journal at ${path}`, hint });
}

export function notAJournal(path: string, what: string): JournalError {
  const message = `${path} is not a plait journal: ${what}`;
  const hint = `check the file: head -c 200 ${quote(path)}`;
  return new JournalError({ reason: "not-a-journal", path, message, hint });
}

const UPDATE = "update plait: npm install -g plait@latest";

/** The bytes are intact: another plait, most likely a newer one, wrote them. */
export function unknownFact(path: string, line: number, cause: unknown): JournalError {
  const message = `${path} has an unknown event at line ${line}: ${errorText(cause)}`;
  return new JournalError({ reason: "unknown-fact", path, line, message, hint: UPDATE }, cause);
}

export function corrupt(path: string, at: { line: number; atByte: number }, what: string): JournalError {
  const message = `${path} is damaged at line ${at.line} (byte ${at.atByte}): ${what}`;
  const keep = `head -c ${at.atByte} ${quote(path)} > ${quote(`${path}.kept`)}`;
  const hint = `to continue from the records before the damage: ${keep}, then replace the journal with that file`;
  return new JournalError({ reason: "corrupt", path, ...at, message, hint });
}

export function newer(path: string, version: number, known: number): JournalError {
  const message = `${path} was written by a newer plait: journal version ${version}, not ${known}`;
  return new JournalError({ reason: "newer", path, version, known, message, hint: UPDATE });
}

export function tooBig(path: string, bytes: number, maxBytes: number): JournalError {
  const message = `a record of ${bytes} bytes is larger than the limit of ${path}: ${maxBytes}`;
  const hint = "put long output into a file of the run folder, and its hash into the fact";
  return new JournalError({ reason: "too-big", path, bytes, maxBytes, message, hint });
}

export function closed(path: string, because: string): JournalError {
  const message = `${path} accepts no more events: ${because}`;
  const hint = "open the journal again, with the lock held";
  return new JournalError({ reason: "closed", path, message, hint });
}

export function io(path: string, during: IoPhase, cause: unknown): JournalError {
  const errno = errnoOf(cause) ?? "unknown";
  const folder = quote(folderOf(path));
  const isFull = errno === "ENOSPC" || errno === "EDQUOT";
  const hint = isFull
    ? `free disk space: df -h ${folder}`
    : `check the folder and the disk: ls -ld ${folder}; df -h ${folder}`;
  const message = `cannot ${during} ${path}: ${errorText(cause)}`;
  return new JournalError({ reason: "io", path, during, errno, message, hint }, cause);
}

/** A path as a shell word: what a hint shows can be pasted. */
export function quote(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

export function isJournalError(error: unknown): error is JournalError {
  return error instanceof JournalError;
}
