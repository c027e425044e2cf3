// The requirements of an artifact folder, and which merged tasks cover each.

import { type LostDocument, readFolderCoverage, saysCoverage } from "../../spec/folder/folder-coverage.ts";
import { buildFinding } from "../../spec/integrate/catalog/catalog.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import {
  type IntegratedRequirement,
  integrateRequirements,
  listRequirementFindings,
  type RequirementQuestion,
} from "../../spec/integrate/requirements.ts";
import type { ReadFolder } from "./planned-folder.ts";

export type RequirementCoverage = {
  /** Null if the tasks list no requirements, or the documents cannot be read. */
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
  return { requirements, findings: listRequirementFindings(requirements) };
}

function lostDocument({ path, problem }: LostDocument): FoundFinding {
  return buildFinding("requirement-unclear", { problem }, { about: path, at: null });
}
