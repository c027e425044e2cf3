import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Oid } from "../../core/ids.ts";
import {
  blobText,
  listWorkTree,
  type Objects,
  type Repository,
  type TreeEntry,
  type TreeFile,
} from "../../git/index.ts";
import { saysNames } from "../../spec/integrate/aliases/read-aliases.ts";
import type { SourceProject } from "../../spec/integrate/project.ts";
import { languageOf } from "../../syntax/language.ts";
import { readText } from "../read-text.ts";

/** Larger than anything that people write. */
export const MOST_FILE_BYTES = 1024 * 1024;
/** Files of one call: its answer is in memory. */
const PART_BYTES = 8 * MOST_FILE_BYTES;
const PART_FILES = 500;

export type CommitProject = SourceProject & {
  /** The object of a file; null where there is none of that path. */
  readonly oidOf: (path: string) => string | null;
  /** What stands at a path, be it a file or not; null: nothing. */
  readonly entryOf: (path: string) => TreeEntry | null;
};

/** The files of a commit; null where it is not here. */
export async function commitProject(objects: Objects, commit: Oid): Promise<CommitProject | null> {
  const tree = await objects.tree(commit);
  if (tree === null) return null;
  const { files, entries } = tree;
  const known = new Map(files.map((file) => [file.path, file]));
  const small = files.filter(({ bytes }) => bytes <= MOST_FILE_BYTES);
  // Who reads one of a sort mostly reads them all, in their order.
  const sorts = [
    small.filter(({ path }) => languageOf(path) !== null),
    small.filter(({ path }) => saysNames(path)),
  ];
  let part: ReadonlyMap<string, Buffer> = new Map();
  return {
    paths: files.map(({ path }) => path),
    oidOf: (path) => known.get(path)?.oid ?? null,
    entryOf: (path) => entries.get(path) ?? null,
    read: async (path) => {
      const file = known.get(path);
      if (file === undefined || file.bytes > MOST_FILE_BYTES) return null;
      if (!part.has(file.oid)) part = await objects.blobs(partFrom(file, sorts));
      const content = part.get(file.oid);
      return content === undefined ? null : blobText(content);
    },
  };
}

/** With it, those of its sort that come after it. */
function partFrom(file: TreeFile, sorts: readonly (readonly TreeFile[])[]): string[] {
  const sort = sorts.find((one) => one.includes(file));
  if (sort === undefined) return [file.oid];
  const at = sort.indexOf(file);
  const part: string[] = [];
  let bytes = 0;
  for (const next of sort.slice(at, at + PART_FILES)) {
    bytes += next.bytes;
    if (bytes > PART_BYTES) break;
    part.push(next.oid);
  }
  return part;
}

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
