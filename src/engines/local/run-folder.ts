// The folder of a run: journal, lock, texts, logs, transcripts. For its user alone (0700, files 0600), because prompts and
// output may say anything. Texts lie here by their hash, so that facts only refer to them and the journal stays small.

import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type AttemptId, splitAttemptId, type TextHash, textHash } from "../../core/ids.ts";
import { errnoOf, onErrno } from "../../util/errno.ts";

export type RunFolder = ReturnType<typeof runFolder>;

const FOLDERS = ["texts", "logs", "transcripts", "prompts"];

export function runFolder(path: string) {
  const textPath = (hash: TextHash): string => join(path, "texts", hash);
  const ofAttempt = (folder: string, end: string) => (attempt: AttemptId) =>
    join(path, folder, `${fileName(attempt)}.${end}`);
  return {
    path,
    journal: join(path, "journal.ndjson"),
    lock: join(path, "lock"),
    /** Of which folder it is; missing where it is in a repository. See place.ts. */
    place: join(path, "place.json"),
    /** Values of variables that the plan sets, encrypted: kept out of the journal. */
    values: join(path, "values.sealed"),
    /** Where older versions wrote them as they are; removed when met. */
    plainValues: join(path, "values.json"),
    /** Copies of the hooks and config files of the start. */
    start: join(path, "start"),
    /** Which of them were other at its end; missing where none was. */
    changed: join(path, "changed.json"),
    /** What of it would be lost with it, for whoever tidies up; see app/run-marks.ts. */
    mark: join(path, "mark.json"),
    /** The report of its end, for people and for programs. */
    report: { markdown: join(path, "report.md"), json: join(path, "report.json") },
    /** The run as a trace, where somebody wants it in a file. */
    trace: join(path, "trace.json"),
    /** What was copied from the user's checkout into any worktree. */
    copies: join(path, "copies.json"),
    /** By slot: what is to be cleared up there, written before its set-up begins. */
    setUp: (slot: string): string => join(path, `set-up-${slot}.json`),
    /** The ports of worktrees that are in use. */
    ports: join(path, "ports.json"),
    log: ofAttempt("logs", "log"),
    /** Of what is in the log, the part that went to stderr; missing where nothing did. */
    errors: ofAttempt("logs", "err.log"),
    transcript: ofAttempt("transcripts", "ndjson"),
    prompt: ofAttempt("prompts", "md"),
    putText: async (text: string): Promise<TextHash> => {
      const hash = hashText(text);
      await writeWhole(textPath(hash), text);
      return hash;
    },
    text: (hash: TextHash): Promise<string | null> =>
      readFile(textPath(hash), "utf8").catch(onErrno({ ENOENT: null })),
    /** Where it lies, for people. */
    textPath,
  };
}

/** False where there is one of that name. */
export async function makeRunFolder(path: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Makes the folders below; that of the run itself is there. */
export async function prepareRunFolder({ path }: RunFolder): Promise<void> {
  for (const name of FOLDERS) await mkdir(join(path, name), { recursive: true, mode: 0o700 });
}

export function hashText(text: string): TextHash {
  return textHash(createHash("sha256").update(text).digest("hex"));
}

/** Counts the files on their way: two attempts that say the same at once write the same text, and each needs its own. */
let written = 0;

/** Whole or not at all, and on the disk: a fact that names it may be durable a moment later. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const fresh = `${path}.${process.pid}-${written++}.tmp`;
  try {
    const file = await open(fresh, "w", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** A task id has no dot at an end that could be taken for the number's. */
function fileName(attempt: AttemptId): string {
  const { task, n } = splitAttemptId(attempt);
  return `${task}.${n}`;
}
