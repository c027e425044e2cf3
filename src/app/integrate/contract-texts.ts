import { join } from "node:path";
import type { Caps } from "../../core/caps.ts";
import { findContracts } from "../../formats/cpo/folder.ts";
import { findContractFiles } from "../../spec/folder/check-folder-contracts.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import type { ContractText } from "../../spec/integrate/read-contracts.ts";
import { planFiles } from "../plan-files.ts";
import type { ArtefactFolder } from "./artefact-folder.ts";
import type { ReadFolder } from "./planned-folder.ts";

/** From the artefact folder. */
export const CONTRACTS = "contracts";

/** All contracts of a folder, as they lie there; what cannot be read is a finding. */
export async function contractTexts(
  { path: folder, place }: ArtefactFolder,
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
      findings.push({
        ...{ area: findArea(path), code: "contract-unreadable" },
        ...{ weight: "must", about: path, at: { file, line: null } },
        message: `it ${read.problem}, and nothing was compared with it`,
      });
  }
  return { contracts, findings };
}

/** Contracts that tasks name and that are not there: one finding for each, however many tasks name it. */
export async function findAbsentContracts({ tasks, around }: ReadFolder): Promise<FoundFinding[]> {
  const byPath = new Map<string, { readonly problem: string; readonly tasks: string[] }>();
  for (const task of tasks)
    for (const { path, problem } of (await findContracts(task, around)).missing) {
      const known = byPath.get(path) ?? { problem, tasks: [] };
      known.tasks.push(`\`${task.id.value}\``);
      byPath.set(path, known);
    }
  return Array.from(byPath, ([path, { problem, tasks: by }]) =>
    absentContract(
      `${by.join(", ")} ${by.length === 1 ? "names" : "name"} the contract \`${path}\`, which ${problem}`,
      findArea(path),
    ),
  );
}

export function absentContract(message: string, area: FoundFinding["area"] = "types"): FoundFinding {
  return { area, code: "contract-absent", weight: "cannot-tell", about: CONTRACTS, at: null, message };
}

const findArea = (path: string): FoundFinding["area"] =>
  /\.(?:ya?ml|json)$/i.test(path) ? "endpoints" : "types";
