// What a commit of a plan holds: the artefact folder and its tech spec, as far as git does not have them yet. Worktrees start from what
// is committed.

import { basename, relative } from "node:path";
import { type FileChange, listChanges, type Repository } from "../../../git/index.ts";
import { numberOfFile } from "../../../spec/tech-spec/names.ts";
import { TECH_SPECS } from "../tech-spec-files.ts";
import type { KnownSpec } from "../tech-specs.ts";

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
