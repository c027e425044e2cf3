// Strings of a run that go into a prompt: those of the plan, and what the tasks that it needs have left.

import type { FinishedTask, Summaries } from "../../../agents/prompt.ts";
import type { AttemptId, TaskId, TextHash } from "../../../core/ids.ts";
import type { Task } from "../../../core/plan.ts";
import type { PastAttempt, RunState, TaskState } from "../../../core/run-state.ts";
import { changedPath, diffTrees } from "../../../git/index.ts";
import { reportsOf } from "../reports.ts";
import { type RunContext, taskOf } from "../run-context.ts";

/** Texts are written before the first fact that names them. */
export async function readPlanText({ folder }: RunContext, hash: TextHash): Promise<string> {
  const text = await folder.text(hash);
  if (text === null) throw new Error(`the text ${hash} is missing from ${folder.path}`);
  return text;
}

/** The last messages of the needs that the plan names for it: merged ones too, which have no report otherwise. */
export async function readSummaries(
  site: RunContext,
  state: RunState,
  { hears }: Task,
): Promise<Summaries | null> {
  if (hears === null) return null;
  const all = hears.from.map(async ({ task: id, name }) => {
    const { now } = taskOf(state, id);
    return { name, said: await readReport(site, now) };
  });
  return { title: hears.title, from: await Promise.all(all) };
}

export async function listFinishedTasks(
  site: RunContext,
  state: RunState,
  { needs, hears }: Task,
): Promise<FinishedTask[]> {
  const shown = new Set(hears?.from.map((one) => one.task));
  const all = needs.map((id) => readFinishedTask(site, state, { id, isShown: shown.has(id) }));
  return (await Promise.all(all)).flat();
}

async function readFinishedTask(
  site: RunContext,
  state: RunState,
  { id, isShown }: { readonly id: TaskId; readonly isShown: boolean },
): Promise<FinishedTask[]> {
  const { task, now } = taskOf(state, id);
  const attempt = finishingAttempt(now);
  if (attempt === null) return [];
  const isMerged = now.phase.kind === "merged";
  const kept = isMerged ? null : await reportsOf(site.folder.path, attempt);
  return [
    {
      task: id,
      title: task.title,
      isMerged,
      report: isShown ? "" : await readReport(site, now),
      reportFiles: kept?.files.map(({ path }) => path) ?? [],
      changed: isMerged ? await listChanged(site, findAttempt(now, attempt)) : [],
    },
  ];
}

function finishingAttempt({ phase }: TaskState): AttemptId | null {
  return phase.kind === "merged" || phase.kind === "passed" ? phase.attempt : null;
}

function findAttempt({ past }: TaskState, attempt: AttemptId): PastAttempt | null {
  return past.find(({ id }) => id === attempt) ?? null;
}

/** With what its report files say, where a read-only task has them. */
async function readReport({ folder }: RunContext, now: TaskState): Promise<string> {
  const report = now.phase.kind === "passed" ? now.phase.report : null;
  const attempt = finishingAttempt(now);
  const hash = report ?? (attempt === null ? null : findAttempt(now, attempt)?.ended.said) ?? null;
  return (hash === null ? null : await folder.text(hash)) ?? "";
}

/** Without the list an agent still has the files: no failing git call may cost the attempt. */
async function listChanged({ shadow }: RunContext, attempt: PastAttempt | null): Promise<string[]> {
  if (attempt === null) return [];
  try {
    const changes = await diffTrees(shadow, attempt.base.tree, attempt.saved.result.tree);
    return changes.map((change) => changedPath(change).path);
  } catch {
    return [];
  }
}
