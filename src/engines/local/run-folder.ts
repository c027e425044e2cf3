// The folder of a run: journal, lock, texts, logs, transcripts. For its user alone (0700, files 0600), because prompts and
// output may say anything. Texts lie here by their hash, so that facts only refer to them and the journal stays small.

import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type AttemptId, splitAttemptId, type TextHash, textHash } from "../../core/ids.ts";
import { onErrno } from "../../util/errno.ts";

export type RunFolder = {
  readonly path: string;
  readonly journal: string;
  readonly lock: string;
  /** Of which folder it is; missing where it is in a repository. See place.ts. */
  readonly place: string;
  /** Values of variables that the plan sets: kept out of the journal. */
  readonly values: string;
  /** Copies of the hooks and config files of the start. */
  readonly start: string;
  /** Which of them were other at its end; missing where none was. */
  readonly changed: string;
  /** What of it would be lost with it, for whoever tidies up; see app/run-marks.ts. */
  readonly mark: string;
  /** The report of its end, for people and for programs. */
  readonly report: { readonly markdown: string; readonly json: string };
  /** The run as a trace, where somebody wants it in a file. */
  readonly trace: string;
  /** What was copied from the user's checkout into any worktree. */
  readonly copies: string;
  /** By slot: what is to be cleared up there, written before its set-up begins. */
  readonly setUp: (slot: string) => string;
  /** The ports of worktrees that are in use. */
  readonly ports: string;
  readonly log: (attempt: AttemptId) => string;
  /** Of what is in the log, the part that went to stderr; missing where nothing did. */
  readonly errors: (attempt: AttemptId) => string;
  readonly transcript: (attempt: AttemptId) => string;
  readonly prompt: (attempt: AttemptId) => string;
  /** The whole output of a gate, by the text that the fact names. */
  readonly putText: (text: string) => Promise<TextHash>;
  readonly text: (hash: TextHash) => Promise<string | null>;
  /** Where it lies, for people. */
  readonly textPath: (hash: TextHash) => string;
};

const FOLDERS = ["texts", "logs", "transcripts", "prompts"];

export function runFolder(path: string): RunFolder {
  const textPath = (hash: TextHash) => join(path, "texts", hash);
  return {
    path,
    journal: join(path, "journal.ndjson"),
    lock: join(path, "lock"),
    place: join(path, "place.json"),
    values: join(path, "values.json"),
    start: join(path, "start"),
    changed: join(path, "changed.json"),
    mark: join(path, "mark.json"),
    report: { markdown: join(path, "report.md"), json: join(path, "report.json") },
    trace: join(path, "trace.json"),
    copies: join(path, "copies.json"),
    setUp: (slot) => join(path, `set-up-${slot}.json`),
    ports: join(path, "ports.json"),
    log: (attempt) => join(path, "logs", `${fileName(attempt)}.log`),
    errors: (attempt) => join(path, "logs", `${fileName(attempt)}.err.log`),
    transcript: (attempt) => join(path, "transcripts", `${fileName(attempt)}.ndjson`),
    prompt: (attempt) => join(path, "prompts", `${fileName(attempt)}.md`),
    putText: async (text) => {
      const hash = hashText(text);
      await writeWhole(textPath(hash), text);
      return hash;
    },
    text: async (hash) => readFile(textPath(hash), "utf8").catch(onErrno({ ENOENT: null })),
    textPath,
  };
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
