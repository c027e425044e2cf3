import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { runFolder } from "../engines/local/run-folder.ts";
import { changedConfig } from "./restore-config.ts";

/** Files of a run that people want to open. */
export type RunFiles = {
  /** Null where none was written yet. */
  readonly report: string | null;
  /** What failed attempts left that the plan asked for; null where there is nothing. */
  readonly artifacts: { readonly folder: string; readonly tasks: readonly string[] } | null;
  /** Hooks and config of the repository that are not as they were when the run started: what is other in each. */
  readonly changed: readonly { readonly file: string; readonly says: readonly string[] }[];
};

export async function runFiles(path: string): Promise<RunFiles> {
  const { markdown } = runFolder(path).report;
  const folder = join(path, "artifacts");
  const isWritten = await stat(markdown).then(
    () => true,
    () => false, // not there, or not for us to see: nothing to open
  );
  const tasks = (await readdir(folder).catch(() => [])).sort(); // as above
  const changed = await changedConfig(runFolder(path));
  return {
    report: isWritten ? markdown : null,
    artifacts: tasks.length === 0 ? null : { folder, tasks },
    changed: changed.map(({ file, says }) => ({ file, says })),
  };
}
