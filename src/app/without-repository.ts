// A run in a folder outside any repository: only for tasks that leave nothing to merge, since all of them work in the folder
// itself. The run's folder is in the user's state folder, its refs are in a stand-in repository of plait's own.

import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Plan, Task } from "../core/plan.ts";
import { shellWord } from "../core/text/command.ts";
import { sentence } from "../core/text/sentence.ts";
import type { RunPlace } from "../engines/local/place.ts";
import { findStandIn, makeStandIn, type Repository } from "../git/index.ts";
import {
  findRepository,
  gitFor,
  type Host,
  type OrRefusal,
  type Refusal,
  refuse,
  stateFolder,
} from "./host.ts";

async function standInFor(host: Host) {
  return { dir: join(stateFolder(host), "none.git"), folder: await realpath(host.cwd) };
}

/** Null where no run outside a repository was ever started. */
export async function existingStandIn(host: Host): Promise<Repository | null> {
  return findStandIn(gitFor(host), await standInFor(host));
}

/** A repository of plait's own for plans that need none. Nothing is created for other plans. */
export async function startOutside(
  host: Host,
  plan: Plan,
  { kind, message, hint }: Refusal,
): Promise<OrRefusal<{ repository: Repository }>> {
  const wrong = await planFolderProblem(host, plan);
  if (wrong !== null) return { ok: false, refusal: wrong };
  const why = needsRepository(plan);
  if (why !== null) return refuse(kind, message, sentence`${why}; ${hint}`);
  const wanted = await standInFor(host);
  const made = await makeStandIn(gitFor(host), wanted);
  if (made.ok) return made;
  const problem = `cannot use ${wanted.dir}, the refs of runs outside repositories: ${made.problem}`;
  return refuse(
    "environment",
    problem,
    "make it writable, or choose another folder: XDG_STATE_HOME=/some/folder",
  );
}

/** A plan for a folder is not run in another repository. */
export async function folderElsewhere(
  { workTree, standsInFor }: Repository,
  { folder }: Plan,
): Promise<Refusal | null> {
  if (folder === null || workTree === null || standsInFor !== null) return null;
  const [root, place] = await Promise.all([realpath(workTree), realpath(folder).catch(() => folder)]);
  if (place === root || place.startsWith(`${root}${sep}`)) return null;
  const message = `the plan is for ${folder}, which is not in this repository (${workTree})`;
  return { kind: "environment", message, hint: `run it there: cd ${shellWord(folder)}` };
}

/** Where the attempts of a new run work; null in a repository. */
export async function findWorkFolder(
  { standsInFor }: Repository,
  { folder }: Plan,
): Promise<RunPlace | null> {
  if (standsInFor === null) return null;
  return { folder: folder === null ? standsInFor : await realpath(folder), asked: standsInFor };
}

/** What of a plan cannot be without worktrees, in one sentence; null where there is nothing. */
export function needsRepository({ tasks }: Pick<Plan, "tasks">): string | null {
  for (const task of tasks) {
    const what = onlyInWorktree(task);
    if (what !== null)
      return `without a repository, tasks run directly in the folder, but ${task.id} ${what}`;
  }
  return null;
}

function onlyInWorktree({ access, prepare, doneFile }: Task): string | null {
  if (access === "write") return "is not read-only";
  if (prepare.setup.length + prepare.teardown.length > 0) return "has setup or teardown commands";
  return doneFile === null ? null : "has a `done-file`, which plait would remove";
}

/** A plan that is about a repository is run there, at its commits, from wherever it is asked for. */
export async function planFolderProblem(
  host: Host,
  { folder }: Pick<Plan, "folder">,
): Promise<Refusal | null> {
  if (folder === null) return null;
  const hint = "change `folder` in the plan";
  const found = await stat(folder).catch(() => null); // not there, or not for us to see
  if (found?.isDirectory() !== true) {
    return { kind: "environment", message: `the plan is for ${folder}, which is not a folder`, hint };
  }
  const around = await findRepository({ ...host, cwd: folder });
  if (!around.ok) return null;
  const message = `the plan is for ${folder}, which is in a repository`;
  return { kind: "environment", message, hint: `run it there: cd ${shellWord(folder)}` };
}
