// The requirements behind an artifact folder, and what the merged work of its tasks did for each.

import { homedir } from "node:os";
import type { Caps } from "../../core/caps.ts";
import { readManifest, readSpecs } from "../../formats/cpo/folder.ts";
import { planTasks } from "../../formats/cpo/planned-tasks.ts";
import { readFolderCoverage } from "../../spec/folder/folder-coverage.ts";
import {
  type IntegratedRequirement,
  integrateRequirements,
  type RequirementQuestion,
} from "../../spec/integrate/requirements.ts";
import { planFiles } from "../plan-files.ts";
import type { ArtefactFolder } from "./artefact-folder.ts";

/** Null where the folder does not say what its tasks cover, or its documents are not there. */
export async function readRequirementCoverage(
  { path, place }: ArtefactFolder,
  work: Omit<RequirementQuestion, "contents">,
  caps: Caps,
): Promise<IntegratedRequirement[] | null> {
  const around = planFiles({ named: place, folder: path, cwd: path, home: homedir(), caps });
  const { manifest } = await readManifest({ kind: "folder", path: place, names: [] }, caps, around);
  if (manifest === null) return null;
  const { specs } = await readSpecs(manifest, caps, around);
  const { tasks } = planTasks(manifest, specs);
  const coverage = await readFolderCoverage({ manifest, tasks }, around);
  return coverage === null ? null : integrateRequirements({ ...work, contents: coverage.contents });
}
