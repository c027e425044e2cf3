// What git does not see in worktrees, the agents' git as ours: copies, the files by which agents say that they are done, and report
// files. Agents of writing tasks do not see files where others report either; but what such a task wrote there itself is its work,
// and is saved.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptId } from "../../core/ids.ts";
import type { Plan } from "../../core/plan.ts";
import { hidePaths, type Shadow } from "../../git/index.ts";
import type { Copies } from "./copies.ts";
import type { SiteOptions } from "./open-run-context.ts";
import { hiddenReports } from "./reports.ts";
import type { RunContext } from "./run-context.ts";

/** For all tasks alike. */
export async function hideFiles(shadow: Shadow, options: SiteOptions, copies: Copies): Promise<Shadow> {
  const { folder, state, facts } = options;
  const hidden = pathsOf(state.index.plan, copies);
  const rules = hiddenReports(facts);
  if (hidden.length + rules.length === 0) return shadow;
  return hidePaths(shadow, { file: join(folder.path, "excludes"), hidden, rules });
}

export type Handed = { readonly plan: Plan; readonly attempt: AttemptId; readonly files: readonly string[] };

/** For the save of a task that writes: of report files only those are hidden that it was handed. */
export async function withHandedHidden<T>(
  site: RunContext,
  { plan, attempt, files }: Handed,
  save: (shadow: Shadow) => Promise<T>,
): Promise<T> {
  const { shadow, folder, copies } = site;
  if (plan.tasks.every(({ reports }) => reports.length === 0)) return save(shadow);
  const file = join(folder.path, `excludes.${attempt.replace("/", ".")}`);
  const hidden = [...pathsOf(plan, copies), ...files];
  try {
    return await save(await hidePaths(shadow, { file, hidden, rules: [] }));
  } finally {
    await rm(file, { force: true });
  }
}

function pathsOf({ tasks }: Plan, { all }: Copies): string[] {
  const doneFiles = tasks.flatMap(({ dir, doneFile }) =>
    doneFile === null ? [] : [dir === null ? doneFile : `${dir}/${doneFile}`],
  );
  return [...new Set([...all, ...doneFiles])];
}
