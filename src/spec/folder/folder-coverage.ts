// What the documents behind an artifact folder ask for, and which of its tasks build it.

import { basename, relative } from "node:path";
import type { Manifest } from "../../formats/cpo/manifest.ts";
import type { PlannedTask } from "../../formats/cpo/planned-tasks.ts";
import type { PlanFiles } from "../../formats/format.ts";
import type { CoverageContents } from "../coverage/coverage-text.ts";
import { gatherRequirements, type RequirementSet } from "../requirements/gather-requirements.ts";

export type FolderCoverage = { readonly set: RequirementSet; readonly contents: CoverageContents };

/** A document that cannot be read: `problem` ends a sentence that begins with its path. */
export type LostDocument = { readonly path: string; readonly problem: string };

type Planned = { readonly manifest: Manifest; readonly tasks: readonly PlannedTask[] };

/** Of all documents or of none: an id may be one of those in the other. Null where the manifest names no document. */
export async function readFolderCoverage(
  { manifest, tasks }: Planned,
  around: PlanFiles,
): Promise<FolderCoverage | LostDocument | null> {
  const { prd, techSpec, outOfScope } = manifest.sources;
  const repository = await around.repositoryAt(around.folder);
  const root = repository === null ? "../.." : relative(around.folder, repository) || ".";
  const spec =
    techSpec === null ? null : await findMoved(techSpec, { root, id: manifest.techSpecId, around });
  const paths = [prd, spec].filter((path) => path !== null);
  if (paths.length === 0) return null;
  const documents: { readonly file: string; readonly text: string }[] = [];
  for (const path of paths) {
    const read = await around.read(`${root}/${path}`);
    if (!read.ok) return { path, problem: read.problem };
    documents.push({ file: read.file, text: read.text });
  }
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

type Moved = { readonly root: string; readonly id: string | null; readonly around: PlanFiles };

/** A tech spec goes on to the folder of its status; then its id finds it. */
async function findMoved(path: string, { root, id, around }: Moved): Promise<string> {
  if (id === null || (await around.lookAt(`${root}/${path}`)) !== null) return path;
  for (const folder of ["approved", "reference", "draft"].map((status) => `tech-specs/${status}`)) {
    const names = await around.names(`${root}/${folder}`);
    const name = names.find((one) => one === `${id}.md` || (one.startsWith(`${id}-`) && one.endsWith(".md")));
    if (name !== undefined) return `${folder}/${name}`;
  }
  return path;
}
