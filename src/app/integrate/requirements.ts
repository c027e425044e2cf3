// The requirements behind an artifact folder, and what the merged work of its tasks did for each.

import { homedir } from "node:os";
import type { Caps } from "../../core/caps.ts";
import { readManifest, readSpecs } from "../../formats/cpo/folder.ts";
import { planTasks } from "../../formats/cpo/planned-tasks.ts";
import { type LostDocument, readFolderCoverage } from "../../spec/folder/folder-coverage.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import {
  type IntegratedRequirement,
  integrateRequirements,
  type RequirementQuestion,
  requirementFindings,
} from "../../spec/integrate/requirements.ts";
import { planFiles } from "../plan-files.ts";
import type { ArtefactFolder } from "./artefact-folder.ts";

export type RequirementCoverage = {
  /** Null where the folder does not say what its tasks cover, or its documents cannot be read. */
  readonly requirements: IntegratedRequirement[] | null;
  readonly findings: readonly FoundFinding[];
};

export const NO_REQUIREMENTS: RequirementCoverage = { requirements: null, findings: [] };

export async function readRequirementCoverage(
  { path, place }: ArtefactFolder,
  work: Omit<RequirementQuestion, "contents">,
  caps: Caps,
): Promise<RequirementCoverage> {
  const around = planFiles({ named: place, folder: path, cwd: path, home: homedir(), caps });
  const { manifest } = await readManifest({ kind: "folder", path: place, names: [] }, caps, around);
  if (manifest === null) return NO_REQUIREMENTS;
  const { specs } = await readSpecs(manifest, caps, around);
  const { tasks } = planTasks(manifest, specs);
  const coverage = await readFolderCoverage({ manifest, tasks }, around);
  if (coverage === null) return NO_REQUIREMENTS;
  if ("set" in coverage) {
    const requirements = integrateRequirements({ ...work, contents: coverage.contents });
    return { requirements, findings: requirementFindings(requirements) };
  }
  const isSaid = manifest.sources.outOfScope.length > 0 || tasks.some(({ covers }) => covers.length > 0);
  return isSaid ? { requirements: null, findings: [lostDocument(coverage)] } : NO_REQUIREMENTS;
}

function lostDocument({ path, problem }: LostDocument): FoundFinding {
  return {
    ...{ area: "requirements", code: "requirement-unclear", weight: "cannot-tell", about: path, at: null },
    message: `it ${problem}, so requirements cannot be checked`,
  };
}
