import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { listWorkTree, type Repository } from "../../git/index.ts";
import type { SourceProject } from "../../spec/integrate/project.ts";
import { readText } from "../read-text.ts";
import { MOST_FILE_BYTES } from "./commit-project.ts";

/** The files as they lie in the work tree: those that git tracks or would track. Links are followed by nobody. */
export async function folderProject(repository: Repository, root: string): Promise<SourceProject> {
  const paths = await listWorkTree(repository, root);
  const known = new Set(paths);
  return {
    paths,
    read: async (path) => {
      const place = join(root, path);
      const isFile = known.has(path) && ((await lstat(place).catch(() => null))?.isFile() ?? false); // gone: none
      const read = isFile ? await readText(place, MOST_FILE_BYTES) : null;
      return read?.ok ? read.text : null;
    },
  };
}
