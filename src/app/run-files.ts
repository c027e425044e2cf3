import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptId, TaskId } from "../core/ids.ts";
import { taskAt } from "../core/run-index.ts";
import type { RunState } from "../core/run-state.ts";
import { pickShownAttempt } from "../core/select/attempt-number.ts";
import { entries } from "../core/sorted-map.ts";
import { artifactsOf } from "../engines/local/artifacts.ts";
import { readDeliveries, type WebhookDelivery } from "../engines/local/hooks.ts";
import { reportsOf } from "../engines/local/reports.ts";
import { runFolder } from "../engines/local/run-folder.ts";
import { succeeds } from "../util/errno.ts";
import { changedConfig } from "./restore-config.ts";

/** Files of a run that people want to open. */
export type RunFiles = {
  /** Null where none was written yet. */
  readonly report: string | null;
  /** What failed attempts left that the plan asked for; null where there is nothing. */
  readonly artifacts: { readonly folder: string; readonly tasks: readonly string[] } | null;
  /** What read-only tasks wrote as their result, by task. */
  readonly reports: readonly { readonly task: TaskId; readonly paths: readonly string[] }[];
  /** Hooks and config of the repository that are not as they were when the run started: what is other in each. */
  readonly changed: readonly { readonly file: string; readonly says: readonly string[] }[];
};

export async function runFiles(path: string, state: RunState): Promise<RunFiles> {
  const { markdown } = runFolder(path).report;
  const folder = join(path, "artifacts");
  const isWritten = await succeeds(stat(markdown)); // not there, or not for us to see: nothing to open
  const tasks = (await readdir(folder).catch(() => [])).sort(); // as above
  const changed = await changedConfig(runFolder(path));
  return {
    report: isWritten ? markdown : null,
    artifacts: tasks.length === 0 ? null : { folder, tasks },
    reports: await reportsIn(path, state),
    changed: changed.map(({ file, says }) => ({ file, says })),
  };
}

/** Of the attempts that count. */
async function reportsIn(path: string, state: RunState): Promise<RunFiles["reports"]> {
  const found: RunFiles["reports"][number][] = [];
  for (const [i, of] of entries(state.tasks)) {
    const told = pickShownAttempt(of);
    const kept = told === null || told.saved.report === null ? null : await reportsOf(path, told.id);
    const paths = kept?.files.map((file) => join(kept.folder, file.path)) ?? [];
    if (paths.length > 0) found.push({ task: taskAt(state.index, i).id, paths });
  }
  return found;
}

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

/** The webhooks of a plan that were told of this end of the run and did not take it. */
export async function failedWebhooks(path: string, { ended }: RunState): Promise<readonly WebhookDelivery[]> {
  const told = await readDeliveries(path);
  const isThisEnd = told !== null && told.endedAt === ended?.at;
  return isThisEnd ? (told.deliveries ?? []).filter(({ ok }) => !ok) : [];
}
