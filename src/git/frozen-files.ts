// Files that plait's own git reads on each call, as they were before the first agent started. Every agent of the run can write where
// they lie, so they are compared before each call: what differs is put back, and told.

import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type FrozenFiles = {
  readonly folder: string;
  /** By the path from the folder. */
  readonly texts: ReadonlyMap<string, Buffer>;
  /** Paths that were not as they had been frozen. */
  readonly repaired: Set<string>;
};

/** What git would read in a git dir beside its config, where nobody has frozen it. */
const NEVER_THERE = [
  ...["commondir", "config.worktree", "shallow"],
  ...["attributes", "exclude", "grafts", "sparse-checkout"].map((name) => `info/${name}`),
];

/** One call after another reads them, so nothing here waits. A folder that is gone as a whole is the end of the run. */
export function putFrozenBack({ folder, texts, repaired }: FrozenFiles): void {
  if (!existsSync(folder)) return;
  for (const [name, text] of texts) {
    const path = join(folder, name);
    if (isFile(path) && readFileSync(path).equals(text)) continue;
    repaired.add(path);
    replaceFrozen(path, text);
  }
  for (const name of NEVER_THERE) {
    const path = join(folder, name);
    if (texts.has(name) || lstatSync(path, { throwIfNoEntry: false }) === undefined) continue;
    repaired.add(path);
    rmSync(path, { recursive: true, force: true });
  }
}

/** A pipe would never answer, and what a link points to may change at any moment. */
const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

export function replaceFrozen(path: string, text: Buffer): void {
  const above = dirname(path);
  if (lstatSync(above, { throwIfNoEntry: false })?.isDirectory() !== true) {
    rmSync(above, { recursive: true, force: true });
    mkdirSync(above, { recursive: true, mode: 0o700 });
  }
  const fresh = `${path}.new`;
  rmSync(fresh, { recursive: true, force: true });
  writeFileSync(fresh, text, { mode: 0o600 });
  rmSync(path, { recursive: true, force: true });
  renameSync(fresh, path);
}
