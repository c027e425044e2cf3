// What the documents behind an artifact folder ask for, and which of its tasks build it.

import { basename, relative } from "node:path";
import type { Manifest } from "../../formats/cpo/manifest.ts";
import type { PlannedTask } from "../../formats/cpo/planned-tasks.ts";
import type { PlanFiles } from "../../formats/format.ts";
import type { CoverageContents } from "../coverage/coverage-text.ts";
import { gatherRequirements, type RequirementSet } from "../requirements/gather-requirements.ts";

export type FolderCoverage = { readonly set: RequirementSet; readonly contents: CoverageContents };

type Planned = { readonly manifest: Manifest; readonly tasks: readonly PlannedTask[] };

/** Null where the manifest names no document, or one that cannot be read: an id may be one of those that it has. */
export async function readFolderCoverage(
  { manifest, tasks }: Planned,
  around: PlanFiles,
): Promise<FolderCoverage | null> {
  const { prd, techSpec, outOfScope } = manifest.sources;
  const paths = [prd, techSpec].filter((path) => path !== null);
  const repository = await around.repositoryAt(around.folder);
  const root = repository === null ? "../.." : relative(around.folder, repository) || ".";
  const read = await Promise.all(paths.map((path) => around.read(`${root}/${path}`)));
  const documents = read.flatMap((one) => (one.ok ? [{ file: one.file, text: one.text }] : []));
  if (documents.length < paths.length || documents.length === 0) return null;
  const set = gatherRequirements(documents);
  const pathByFile = new Map(documents.map(({ file }, i) => [file, paths[i] as string]));
  const contents = {
    techSpecId: manifest.techSpecId ?? basename(around.folder),
    name: manifest.name ?? basename(around.folder),
    requirements: set.requirements.map(({ id, text, at }) => ({
      ...{ id, text, file: pathByFile.get(at.file) ?? at.file, line: at.start.line },
    })),
    outOfScope: outOfScope.map(({ id, reason }) => ({ id: id.value, reason })),
    tasks: tasks.map(({ id, covers, spec }) => ({
      id: id.value,
      covers: covers.map(({ value }) => value),
      operations: (spec?.coverage.operations ?? []).map(({ value }) => value),
      create: (spec?.create ?? []).map(({ value }) => value),
      modify: (spec?.modify ?? []).map(({ value }) => value),
    })),
  };
  return { set, contents };
}
