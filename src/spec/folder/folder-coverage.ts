// What the documents behind an artifact folder ask for, and which of its tasks build it.

import { basename } from "node:path";
import { findRoot } from "../../formats/cpo/folder.ts";
import type { Manifest } from "../../formats/cpo/manifest.ts";
import type { PlannedTask } from "../../formats/cpo/planned-tasks.ts";
import type { PlanFiles } from "../../formats/format.ts";
import type { CoverageContents } from "../coverage/coverage-text.ts";
import { gatherRequirements, type RequirementSet } from "../requirements/read-requirements.ts";
import { findSpecFile } from "./find-spec-file.ts";

export type FolderCoverage = { readonly set: RequirementSet; readonly contents: CoverageContents };

/** A document that cannot be read: `problem` ends a sentence that begins with its path. */
export type LostDocument = { readonly path: string; readonly problem: string };

export type PlannedFolder = { readonly manifest: Manifest; readonly tasks: readonly PlannedTask[] };

/** Folders from before tasks could say what they cover say nothing, which is not held against them. */
export function saysCoverage({ manifest, tasks }: PlannedFolder): boolean {
  return manifest.sources.outOfScope.length > 0 || tasks.some(({ covers }) => covers.length > 0);
}

/** Of all documents or of none: an id may be one of those in the other. Null where the manifest names no document. */
export async function readFolderCoverage(
  { manifest, tasks }: PlannedFolder,
  around: PlanFiles,
): Promise<FolderCoverage | LostDocument | null> {
  const { prd, techSpec, outOfScope } = manifest.sources;
  const spec = techSpec === null ? null : ((await findSpecFile(manifest, around))?.path ?? techSpec.value);
  const paths = [prd, spec].filter((path) => path !== null);
  if (paths.length === 0) return null;
  const root = await findRoot(around);
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
