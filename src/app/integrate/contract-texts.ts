import { join } from "node:path";
import type { Caps } from "../../core/caps.ts";
import type { Diagnostic } from "../../core/source.ts";
import { findContractFiles } from "../../spec/folder/check-folder-contracts.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import type { ContractText } from "../../spec/integrate/read-contracts.ts";
import { planFiles } from "../plan-files.ts";
import type { ArtefactFolder } from "./artefact-folder.ts";

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
        ...{ area: /\.(?:ya?ml|json)$/i.test(path) ? "endpoints" : "types", code: "contract-unreadable" },
        ...{ weight: "must", about: path, at: { file, line: null } },
        message: `it ${read.problem}, and nothing was compared with it`,
      });
  }
  return { contracts, findings };
}

/** Contracts that tasks name and that are not there: one sentence for each, however many tasks name it. */
export function absentContracts(findings: readonly Diagnostic[]): string[] {
  const tasks = new Map<string, string[]>();
  for (const { code, message } of findings) {
    if (code !== "contract-missing") continue;
    const [, task = "", rest = message] = /^(`[^`]*`) names (the contract .*)$/s.exec(message) ?? [];
    tasks.set(rest, [...(tasks.get(rest) ?? []), ...(task === "" ? [] : [task])]);
  }
  return Array.from(tasks, ([rest, by]) =>
    by.length === 0 ? rest : `${by.join(", ")} ${by.length === 1 ? "names" : "name"} ${rest}`,
  );
}
