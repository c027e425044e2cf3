// The file in which parallel-orchestra remembers which tasks of a manifest are done: `.po-run-state-<stem>.json` beside it. It is
// read for --resume and removed when a run is complete; plait keeps its own journal and writes none.

import { lstat, readFile, rm } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";

export function stateFilePath(manifest: string): string {
  return join(dirname(manifest), `.po-run-state-${basename(manifest, extname(manifest))}.json`);
}

export type StateFile =
  | { readonly kind: "done"; readonly tasks: readonly string[] }
  /** Nothing is taken from it, and why. */
  | { readonly kind: "useless"; readonly warning: string }
  | { readonly kind: "missing" };

/** When it was written last; 0 where there is none. */
export async function stateWrittenAt(path: string): Promise<number> {
  const found = await lstat(path).catch(() => null); // not there, or not for us to see
  return found?.mtimeMs ?? 0;
}

const MAX_BYTES = 1024 * 1024;

/** `hash` is that of the manifest's bytes, in hexadecimal. */
export async function readStateFile(path: string, hash: string): Promise<StateFile> {
  const found = await lstat(path).catch(() => null); // not there, or not for us to see
  if (found === null) return { kind: "missing" };
  if (!found.isFile()) return useless("is not a file");
  if (found.size > MAX_BYTES) return useless(`has ${found.size} bytes, more than ${MAX_BYTES}`);
  const text = await readFile(path, "utf8").catch(() => null); // taken away or not to be read
  return text === null ? useless("cannot be read") : parseStateFile(text, hash);
}

export function parseStateFile(text: string, hash: string): StateFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return useless(`failed to parse: ${error.message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return useless("is not a JSON object");
  const { manifest_hash: known, completed_tasks: tasks } = value as Partial<Record<string, unknown>>;
  if (typeof known !== "string") return useless("has no manifest_hash");
  if (known !== hash) return useless("belongs to another manifest (hash mismatch)");
  if (!Array.isArray(tasks)) return useless("has no completed_tasks");
  return { kind: "done", tasks: tasks.filter((task) => typeof task === "string") };
}

function useless(why: string): StateFile {
  return { kind: "useless", warning: `--resume: the state file ${why}; running all tasks` };
}

export async function removeStateFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined); // a folder of that name is nobody's state
}
