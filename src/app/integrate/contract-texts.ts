import { join } from "node:path";
import type { Caps } from "../../core/caps.ts";
import { findContracts } from "../../formats/cpo/folder.ts";
import { findContractFiles } from "../../spec/folder/check-folder-contracts.ts";
import { buildFinding } from "../../spec/integrate/catalog/catalog.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import type { ContractText } from "../../spec/integrate/read-contracts.ts";
import { planFiles } from "../plan-files.ts";
import type { ArtifactFolder } from "./artifact-folder.ts";
import type { ReadFolder } from "./planned-folder.ts";

/** From the artifact folder. */
export const CONTRACTS = "contracts";

/** All contracts of a folder; those that cannot be read are findings. */
export async function contractTexts(
  { path: folder, place }: ArtifactFolder,
  caps: Caps,
): Promise<{
  readonly contracts: readonly ContractText[];
  readonly findings: readonly FoundFinding[];
}> {
  const around = planFiles({ named: place, folder, cwd: folder, home: null, caps });
  const { files } = await findContractFiles(around);
  const contracts: ContractText[] = [];
  const findings: FoundFinding[] = [];
  for (const path of files) {
    const read = await around.read(path);
    const file = join(place, path);
    if (read.ok) contracts.push({ path, file, text: read.text });
    else
      findings.push(
        buildFinding(
          "contract-unreadable",
          { problem: `the file ${read.problem}` },
          { area: findArea(path), about: path, at: { file, line: null } },
        ),
      );
  }
  return { contracts, findings };
}

/** Missing contracts that tasks name: one finding for each. */
export async function findAbsentContracts({ tasks, around }: ReadFolder): Promise<FoundFinding[]> {
  const byPath = new Map<string, { readonly problem: string; readonly tasks: string[] }>();
  for (const task of tasks)
    for (const { path, problem } of (await findContracts(task, around)).missing) {
      const known = byPath.get(path) ?? { problem, tasks: [] };
      known.tasks.push(task.id.value);
      byPath.set(path, known);
    }
  return Array.from(byPath, ([path, { problem, tasks: by }]) =>
    buildFinding(
      "contract-absent",
      { path, problem, tasks: by },
      { area: findArea(path), about: CONTRACTS, at: null },
    ),
  );
}

const findArea = (path: string): FoundFinding["area"] =>
  /\.(?:ya?ml|json)$/i.test(path) ? "endpoints" : "types";
