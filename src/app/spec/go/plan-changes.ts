// What a commit of a plan holds: the artefact folder and its tech spec, as far as git does not have them yet. Worktrees start from what
// is committed.

import { readFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import type { Plan } from "../../../core/plan.ts";
import {
  commitChanges,
  countCommits,
  type FileChange,
  findCommitProblem,
  listChanges,
  type Repository,
  shortName,
  withObjects,
} from "../../../git/index.ts";
import type { IntegrationReport } from "../../../spec/integrate/report.ts";
import { numberOfFile } from "../../../spec/tech-spec/names.ts";
import { judgedCommit } from "../../integrate/judged-tree.ts";
import { runsOfPlan } from "../../integrate/subject.ts";
import type { KnownRun } from "../../runs.ts";
import { type KnownSpec, TECH_SPECS } from "../tech-specs.ts";

/** Written by runs, and again by the next one. */
const OF_RUNS = /\/(?:integration-report\.(?:md|json)|report\.json|logs\/.*)$/;

/** `folder` is absolute. A tech spec that has moved on is gone from one place and new in another. */
export async function listPlanChanges(
  repository: Repository,
  { folder, known }: { readonly folder: string; readonly known: KnownSpec },
): Promise<FileChange[]> {
  const { workTree } = repository;
  if (workTree === null) return [];
  const pathOf = (path: string) => relative(workTree, path).replaceAll("\\", "/");
  const [plan, spec] = [pathOf(folder), pathOf(known.path)];
  const top = known.root === null ? spec : pathOf(`${known.root}/${TECH_SPECS}`);
  const changes = await listChanges(repository, [plan, top]);
  return changes.filter(({ path }) => {
    if (path.startsWith(`${plan}/`)) return !OF_RUNS.test(path);
    return path === spec || (path.startsWith(`${top}/`) && numberOfFile(basename(path)) === known.number);
  });
}

export { commitChanges, type FileChange };

/** Known before anything is asked for that costs something. */
export async function findSaveProblem(
  repository: Repository,
  plan: Parameters<typeof listPlanChanges>[1],
): Promise<string | null> {
  return findCommitProblem(repository, await listPlanChanges(repository, plan));
}

export function branchName({ head }: Repository): string {
  return head.kind === "branch" ? shortName(head.ref) : "HEAD";
}

/** Whether the work of a run is on the branch that is checked out: by its landing, or merged or squashed by hand. */
export async function isInHead(repository: Repository, { state }: Pick<KnownRun, "state">): Promise<boolean> {
  const { landing, tip } = state;
  if (landing.kind === "undone") return false;
  const missing = { from: repository.head.at.commit, to: tip.commit };
  if ((await countCommits(repository, missing)) === 0) return true;
  const at = await withObjects(repository, (objects) => judgedCommit(repository, objects, state));
  return at.ok && at.judged.tree.kind === "landed";
}

/** Findings of the integration report in the folder that must be fixed. */
export async function countBlocking(folder: string): Promise<number> {
  const text = await readFile(join(folder, "integration-report.json"), "utf8");
  const { findings } = JSON.parse(text) as Pick<IntegrationReport, "findings">;
  return findings.filter(({ weight }) => weight === "must").length;
}

/**
 * For a clone, and after `plait clean`: whether commits of the branch that is checked out name each task that changes something. Commits
 * from before the task files were last changed are of another plan; the commit with that change may be a squash of plan and work.
 */
export async function isLandedByCommits(
  repository: Repository,
  { plan, folder }: { readonly plan: Plan; readonly folder: string },
): Promise<boolean> {
  const { workTree, head } = repository;
  const writing = plan.tasks.filter(({ work, access }) => work.kind === "agent" && access !== "read-only");
  if (workTree === null || writing.length === 0) return false;
  const { hasTask } = await runsOfPlan(repository, plan);
  const to = head.at.commit;
  const path = join(relative(workTree, folder), "tasks");
  return withObjects(repository, async (objects) => {
    const [changed] = (await objects.log({ to, not: [] }, { path })) ?? [];
    if (changed === undefined) return false;
    const since = (await objects.log({ to, not: changed.parents }, { naming: true })) ?? [];
    const named = since
      .flatMap((one) => one.named)
      .filter(({ task, run }) => run === null || hasTask(run, task));
    return writing.every(({ id }) => named.some(({ task }) => task === id));
  });
}
