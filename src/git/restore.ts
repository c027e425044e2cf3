// Hooks and config as they were when a run started: what is other at its end is kept beside the copies of the start, and
// whoever asks for it gets the old files back. Nothing is lost on the way: what a file is replaced by and what it replaces
// both have a copy. By itself plait writes none of these files (I3).

import { mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ifMissing, onErrno } from "../util/errno.ts";
import { exists } from "./files.ts";
import {
  type FingerprintChange,
  hashBytes,
  keepCopies,
  NONE,
  readHashes,
  type Start,
} from "./fingerprint.ts";
import { changeTexts, judgedChanges, type Weight } from "./planted.ts";
import type { Shadow } from "./shadow.ts";

/** A file that is other than at the start of a run. */
export type ChangedFile = Pick<FingerprintChange, "file" | "change" | "was" | "is"> & {
  readonly weight: Weight;
  /** What changed in it, one text each. */
  readonly says: readonly string[];
};

/** However many hooks somebody makes, the folder of a run stays small (I10). */
const MOST_FILES = 100;

/** What is other than at the start, with a copy of each file as it is now. */
export async function keepChanges(shadow: Shadow, start: Start): Promise<ChangedFile[]> {
  if (!(await exists(start.keptIn))) return []; // the run was over before: what came later is not from its time
  const changes = (await judgedChanges(shadow, start)).slice(0, MOST_FILES);
  await keepCopies(
    changes.map(({ file }) => file),
    start.keptIn,
  );
  return changes.map(({ settings, ...one }) => ({ ...one, says: changeTexts({ settings, ...one }) }));
}

/** Those that have not been put back since, by whomever. */
export async function changesLeft(changed: readonly ChangedFile[]): Promise<ChangedFile[]> {
  const now = await readHashes(changed.map(({ file }) => file));
  return changed.filter(({ file, was }) => now[file] !== was);
}

export type RestoredFile =
  | { readonly kind: "restored" }
  /** It is neither as at the start nor as at the end of the run: somebody went on with it. */
  | { readonly kind: "changed-again" }
  /** It was too large to be copied, or its copy is gone. */
  | { readonly kind: "no-copy" }
  /** The copy is not what was recorded at the start: an agent can write there. */
  | { readonly kind: "copy-changed" }
  /** Somebody holds its lock. */
  | { readonly kind: "locked"; readonly lock: string };

export type RestoreOptions = {
  /** Where the copies are. */
  readonly keptIn: string;
  /** Also what changed again. */
  readonly force: boolean;
  readonly dryRun: boolean;
};

export async function restoreFile(
  { file, was, is }: ChangedFile,
  { keptIn, force, dryRun }: RestoreOptions,
): Promise<RestoredFile> {
  const copy = join(keptIn, was);
  if (was !== NONE && !(await exists(copy))) return { kind: "no-copy" };
  const bytes = was === NONE ? null : await readFile(copy);
  if (bytes !== null && hashBytes(bytes) !== was.replace(/x$/, "")) return { kind: "copy-changed" };
  const { [file]: now = NONE } = await readHashes([file]);
  if (now !== is && !force) return { kind: "changed-again" };
  if (dryRun) return { kind: "restored" };
  await keepCopies([file], keptIn);
  if (bytes !== null) return replaced(file, bytes, was.endsWith("x"));
  await rm(file, { force: true });
  return { kind: "restored" };
}

/** By way of the lock that git itself takes for a config file, so that no setting made at this moment is lost. */
async function replaced(file: string, bytes: Buffer, isExecutable: boolean): Promise<RestoredFile> {
  const path = await realpath(file).catch(ifMissing(file));
  const lock = `${path}.lock`;
  await mkdir(dirname(path), { recursive: true }); // the hooks folder as a whole may be gone
  const held = await open(lock, "wx", 0o600).catch(onErrno({ EEXIST: null }));
  if (held === null) return { kind: "locked", lock };
  try {
    await held.writeFile(bytes);
    await held.chmod(await modeFor(path, isExecutable));
    await held.sync();
    await rename(lock, path);
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  } finally {
    await held.close();
  }
  return { kind: "restored" };
}

/** For whom it is stays as it is now; only whether it can be run is put back. */
async function modeFor(path: string, isExecutable: boolean): Promise<number> {
  const { mode } = await stat(path).catch(ifMissing({ mode: 0o644 }));
  const readers = mode & 0o666;
  return isExecutable ? readers | ((readers & 0o444) >> 2) : readers;
}
