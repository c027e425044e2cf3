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
  return new JournalError({
    reason: "missing",
    path,
    message: `no journal at ${path}`,
    hint: `check the folder: ls -l ${quote(folderOf(path))}`,
  });
}

export function notAJournal(path: string, what: string): JournalError {
  return new JournalError({
    reason: "not-a-journal",
    path,
    message: `${path} is not a plait journal: ${what}`,
    hint: `check the file: head -c 200 ${quote(path)}`,
  });
}

/** The bytes are intact: another plait, most likely a newer one, wrote them. */
export function unknownFact(path: string, line: number, cause: unknown): JournalError {
  const what = errorText(cause);
  const failure: JournalFailure = {
    reason: "unknown-fact",
    path,
    line,
    message: `${path} has an unknown event at line ${line}: ${what}`,
    hint: "update plait: npm install -g plait@latest",
  };
  return new JournalError(failure, cause);
}

export function corrupt(path: string, at: { line: number; atByte: number }, what: string): JournalError {
  const { line, atByte } = at;
  const keep = `head -c ${atByte} ${quote(path)} > ${quote(`${path}.kept`)}`;
  const failure: JournalFailure = {
    reason: "corrupt",
    path,
    line,
    atByte,
    message: `${path} is damaged at line ${line} (byte ${atByte}): ${what}`,
    hint: `to continue from the records before the damage: ${keep}, then replace the journal with that file`,
  };
  return new JournalError(failure);
}

export function newer(path: string, version: number, known: number): JournalError {
  return new JournalError({
    reason: "newer",
    path,
    version,
    known,
    message: `${path} was written by a newer plait: journal version ${version}, not ${known}`,
    hint: "update plait: npm install -g plait@latest",
  });
}

export function tooBig(path: string, bytes: number, maxBytes: number): JournalError {
  return new JournalError({
    reason: "too-big",
    path,
    bytes,
    maxBytes,
    message: `a record of ${bytes} bytes is larger than the limit of ${path}: ${maxBytes}`,
    hint: "put long output into a file of the run folder, and its hash into the fact",
  });
}

export function closed(path: string, because: string): JournalError {
  return new JournalError({
    reason: "closed",
    path,
    message: `${path} accepts no more events: ${because}`,
    hint: "open the journal again, with the lock held",
  });
}

export function io(path: string, during: IoPhase, cause: unknown): JournalError {
  const errno = errnoOf(cause) ?? "unknown";
  const text = errorText(cause);
  const full = errno === "ENOSPC" || errno === "EDQUOT";
  const failure: JournalFailure = {
    reason: "io",
    path,
    during,
    errno,
    message: `cannot ${during} ${path}: ${text}`,
    hint: full
      ? `free disk space: df -h ${quote(folderOf(path))}`
      : `check the folder and the disk: ls -ld ${quote(folderOf(path))}; df -h ${quote(folderOf(path))}`,
  };
  return new JournalError(failure, cause);
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
