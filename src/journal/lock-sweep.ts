// What killed processes left beside a lock: identities that were never linked, rights to break that were never given
// back. Only for the holder of the lock; lock.ts says why that is safe.

import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Liveness } from "./holder.ts";
import { readHolder, removeIfThere } from "./lock-file.ts";

const left = /^(?:break-[0-9a-f]{32}|[0-9a-f]{32}\.tmp)$/;

export async function sweep(lockPath: string, liveness: Liveness): Promise<void> {
  const folder = dirname(lockPath);
  const start = `${basename(lockPath)}.`;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(start) || !left.test(name.slice(start.length))) continue;
    const path = join(folder, name);
    const found = await readHolder(path);
    // An identity without text: its writer was killed before the first byte, or is about to write and will start over.
    const garbage =
      found.kind === "holder"
        ? (await liveness(found.holder)).kind === "dead"
        : found.kind === "unreadable" && name.endsWith(".tmp");
    if (garbage) await removeIfThere(path);
  }
}
