// Files of a run that the user of another system looks for at other places.

import type { AttemptId } from "../core/ids.ts";
import { artifactsOf } from "../engines/local/artifacts.ts";
import { reportsOf } from "../engines/local/reports.ts";

/** A file below a folder. */
export type LeftFile = { readonly folder: string; readonly path: string };

/** What a failed attempt left that its plan wants to see; `path` is that of the run folder. */
export async function artifactFiles(path: string, attempt: AttemptId): Promise<readonly LeftFile[]> {
  const kept = await artifactsOf(path, attempt);
  return kept.flatMap(({ folder, files }) => files.map((file) => ({ folder, path: file.path })));
}

/** What a read-only attempt wrote as its result, by the paths that it had in the tree. */
export async function reportFiles(path: string, attempt: AttemptId): Promise<readonly LeftFile[]> {
  const kept = await reportsOf(path, attempt);
  return kept === null ? [] : kept.files.map((file) => ({ folder: kept.folder, path: file.path }));
}
