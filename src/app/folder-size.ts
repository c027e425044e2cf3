import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";

/** How many bytes the files below a folder have; 0 where there is none. Links are not followed. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await opendir(folder).catch(() => null); // gone meanwhile, or not for us to see: nothing of ours
  if (entries === null) return 0;
  let bytes = 0;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await folderBytes(path);
    else
      bytes += await lstat(path).then(
        ({ size }) => size,
        () => 0, // as above
      );
  }
  return bytes;
}
