// Files that agents left, at the places where users of parallel-orchestra look for them: reports where the agent wrote them, what a
// failed task had beside its logs.

import { join, relative } from "node:path";
import { artifactFiles, copyAllInto, copyBeside, reportFiles } from "../../../app/index.ts";
import { type Result, toldAttempts } from "../../../report/parallel-orchestra/results.ts";
import type { Ended } from "./finish.ts";

/** What was put where, one sentence each. */
export async function handOver(end: Ended, results: readonly Result[]): Promise<string[]> {
  const notes: string[] = [];
  for (const { task, attempt } of toldAttempts(end.run.view.state())) {
    const { status } = results.find(({ id }) => id === task) ?? {};
    if (status === "succeeded" || status === "failed") notes.push(...(await reports(end, task, attempt)));
    if (status === "failed") notes.push(...(await postMortem(end, task, attempt)));
  }
  return notes;
}

type Told = ReturnType<typeof toldAttempts>[number];

/** Without a repository they lie there already. */
async function reports(
  { run, checkout }: Ended,
  task: Told["task"],
  { id }: Told["attempt"],
): Promise<string[]> {
  const { root } = checkout;
  if (root === null) return [];
  const files = await reportFiles(run.view.folder, id);
  const targets = files.map(({ path }) => join(root, path));
  const tracked = await checkout.tracked(targets);
  const notes: string[] = [];
  for (const [n, { folder, path }] of files.entries()) {
    const from = join(folder, path);
    const to = await copyBeside(from, targets[n] ?? from, tracked);
    notes.push(to === null ? `a report of ${task} stays at ${from}` : `report of ${task}: ${near(to)}`);
  }
  return notes;
}

async function postMortem(
  { run, logDir, checkout }: Ended,
  task: Told["task"],
  { id }: Told["attempt"],
): Promise<string[]> {
  const files = logDir === null ? [] : await artifactFiles(run.view.folder, id);
  if (logDir === null || files.length === 0) return [];
  const folder = join(logDir, `${task}-artifacts`);
  const tracked = await checkout.tracked(files.map(({ path }) => join(folder, path)));
  const copied = await copyAllInto(files, folder, tracked);
  return [`${task} left ${copied} of ${files.length} files for you to look at: ${near(folder)}`];
}

function near(path: string): string {
  const way = relative(process.cwd(), path);
  return way.length < path.length ? way : path;
}
