// The requirements behind an artifact folder, and what the merged work of its tasks did for each.

import { type LostDocument, readFolderCoverage, saysCoverage } from "../../spec/folder/folder-coverage.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import {
  type IntegratedRequirement,
  integrateRequirements,
  type RequirementQuestion,
  requirementFindings,
} from "../../spec/integrate/requirements.ts";
import type { ReadFolder } from "./planned-folder.ts";

export type RequirementCoverage = {
  /** Null where the folder does not say what its tasks cover, or its documents cannot be read. */
  readonly requirements: IntegratedRequirement[] | null;
  readonly findings: readonly FoundFinding[];
};

const NO_REQUIREMENTS: RequirementCoverage = { requirements: null, findings: [] };

export async function readRequirementCoverage(
  folder: ReadFolder | null,
  work: Omit<RequirementQuestion, "contents">,
): Promise<RequirementCoverage> {
  const coverage =
    folder !== null && saysCoverage(folder) ? await readFolderCoverage(folder, folder.around) : null;
  if (coverage === null) return NO_REQUIREMENTS;
  if (!("set" in coverage)) return { requirements: null, findings: [lostDocument(coverage)] };
  const requirements = integrateRequirements({ ...work, contents: coverage.contents });
  return { requirements, findings: requirementFindings(requirements) };
}

function lostDocument({ path, problem }: LostDocument): FoundFinding {
  return {
    ...{ area: "requirements", code: "requirement-unclear", weight: "cannot-tell", about: path, at: null },
    message: `it ${problem}, so requirements cannot be checked`,
  };
}
