// A process that runs a run in the background has no terminal: an error that ends it is written to a file in the run's folder,
// for the process that started it.

import { readFile, rm, writeFile } from "node:fs/promises";

/** Names the file, in the environment of the new process. */
export const FAILURE_VARIABLE = "PLAIT_FAILURE_FILE";

export type DriverFailure = { readonly message: string; readonly hint: string | null };

export async function writeDriverFailure(path: string, { message, hint }: DriverFailure): Promise<void> {
  const failure: DriverFailure = { message, hint };
  // Without the file the exit code and the log are all that is known.
  await writeFile(path, JSON.stringify(failure), { mode: 0o600 }).catch(() => undefined);
}

/** Null where the process ended without one. */
export async function readDriverFailure(path: string): Promise<DriverFailure | null> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as DriverFailure; // written whole, by this very version
  } catch {
    return null; // it does not exist, or the disk was full
  }
}

export const removeDriverFailure = (path: string): Promise<void> => rm(path, { force: true });
