// Folders that only their user may look into, and names that survive a power cut: a file's name is durable when the
// folder that holds it was synced, not when the file was.

import { mkdir, open } from "node:fs/promises";
import { dirname, relative, sep } from "node:path";

/** Makes a folder (0700) and those above it that are missing, durably. */
export async function ensureFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return; // it was there
  let made = first;
  await syncFolder(dirname(made));
  for (const name of relative(first, path).split(sep).filter(Boolean)) {
    await syncFolder(made);
    made = `${made}${sep}${name}`;
  }
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
