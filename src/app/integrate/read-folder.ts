import { join } from "node:path";
import type { Caps } from "../../core/caps.ts";
import { findContracts, readTasks } from "../../formats/cpo/folder.ts";
import type { TaskSpec } from "../../formats/cpo/task-spec.ts";
import type { PlanFiles } from "../../formats/format.ts";
import { findContractFiles } from "../../spec/folder/check-folder-contracts.ts";
import type { PlannedFolder } from "../../spec/folder/folder-coverage.ts";
import { buildFinding } from "../../spec/integrate/catalog/catalog.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import type { ContractText } from "../../spec/integrate/read-contracts.ts";
import { planFiles } from "../plan-files.ts";
import type { ArtifactFolder } from "./artifact-folder.ts";

export type ReadTaskSpec = {
  readonly spec: TaskSpec;
  /** The whole task file. */
  readonly text: string;
};

/** By task. */
export type TaskSpecs = ReadonlyMap<string, ReadTaskSpec>;

export type ReadFolder = PlannedFolder & { readonly around: PlanFiles; readonly specs: TaskSpecs };

/** The manifest and the task files of an artifact folder; `plait validate` shows what is wrong with them. */
export async function readPlannedFolder(
  { path, place }: ArtifactFolder,
  caps: Caps,
): Promise<ReadFolder | null> {
  const around = planFiles({ named: place, folder: path, cwd: path, home: null, caps });
  const read = await readTasks({ kind: "folder", path: place, names: [] }, caps, around);
  if (read.manifest === null) return null;
  const { tasks } = read.planned;
  const texts = around.texts();
  const specs = tasks.flatMap(({ id, spec }) =>
    spec === null ? [] : [[id.value, { spec, text: texts.get(join(place, spec.path)) ?? "" }] as const],
  );
  return { manifest: read.manifest, tasks, around, specs: new Map(specs) };
}

/** From the artifact folder. */
export const CONTRACTS = "contracts";

/** All contracts of a folder; those that cannot be read are findings. */
export async function contractTexts(
  { path: folder, place }: ArtifactFolder,
  caps: Caps,
): Promise<{ readonly contracts: readonly ContractText[]; readonly findings: readonly FoundFinding[] }> {
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
