// Files of Git LFS that the git of an attempt put aside in a repository of its own go to where the user's looks for them.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { configValue } from "./config.ts";
import { exists, isRealFolder, listFolders } from "./files.ts";
import type { Repository } from "./repository.ts";

/** Where Git LFS keeps its files. */
export function largeFilesFolder({ commonDir, config }: Pick<Repository, "commonDir" | "config">): string {
  return resolve(commonDir, configValue(config, "lfs.storage") ?? "lfs");
}

/** Only what is named by its content. */
export async function importLargeFiles(repository: Repository, gitDir: string): Promise<void> {
  const storage = join(largeFilesFolder(repository), "objects");
  if (!(await isRealFolder(join(gitDir, "lfs")))) return;
  const top = join(gitDir, "lfs", "objects");
  for (const first of await listFolders(top)) {
    for (const second of await listFolders(join(top, first))) {
      const folder = join(top, first, second);
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        const { name } = entry;
        if (!entry.isFile() || !/^[0-9a-f]{64}$/.test(name)) continue;
        await takeLargeFile(join(folder, name), join(storage, name.slice(0, 2), name.slice(2, 4), name));
      }
    }
  }
}

async function takeLargeFile(from: string, to: string): Promise<void> {
  if (await exists(to)) return;
  await mkdir(dirname(to), { recursive: true });
  const fresh = `${to}.plait`;
  await copyFile(from, fresh);
  const hash = createHash("sha256");
  await pipeline(createReadStream(fresh), hash);
  if (to.endsWith(`/${hash.digest("hex")}`)) await rename(fresh, to);
  else await rm(fresh);
}
