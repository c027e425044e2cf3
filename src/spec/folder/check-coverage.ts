import type { Diagnostic } from "../../core/source.ts";
import type { Manifest } from "../../formats/cpo/manifest.ts";
import type { PlanFiles } from "../../formats/format.ts";
import { lineIn } from "../../formats/text-index.ts";
import { buildCoverageFinding } from "../coverage/catalog.ts";
import { type ApiCoverage, checkApiCoverage } from "../coverage/check-operations.ts";
import { checkRequirements, checkValidations } from "../coverage/check-requirements.ts";
import { COVERAGE_FILE, formatCoverage } from "../coverage/coverage-text.ts";
import { buildFolderFinding } from "./catalog.ts";
import {
  type FolderCoverage,
  type PlannedFolder,
  readFolderCoverage,
  saysCoverage,
} from "./folder-coverage.ts";

/**
 * What the folder leaves out of its documents and contracts. A folder from a time when tasks did not say what they cover is only told so,
 * and only where its documents have ids.
 */
export async function checkFolderCoverage(planned: PlannedFolder, around: PlanFiles): Promise<Diagnostic[]> {
  const { manifest, tasks } = planned;
  const { outOfScope } = manifest.sources;
  const operations = tasks.map(({ id, spec }) => ({
    id: id.value,
    operations: spec?.coverage.operations ?? [],
  }));
  const isSaid = saysCoverage(planned);
  const read = await readFolderCoverage(planned, around);
  const coverage = read !== null && "set" in read ? read : null;
  const left =
    coverage === null
      ? lostDocument(isSaid ? read : null, manifest)
      : checkRequirements({
          set: coverage.set,
          tasks: tasks.map(({ id, covers }) => ({ id: id.value, covers })),
          outOfScope: outOfScope.map(({ id }) => id),
          isRequired: false,
          addTo: "`covers` of the task file that builds it",
        });
  return [
    ...left,
    ...(isSaid && coverage !== null ? await checkTable(coverage, manifest, around) : []),
    ...checkValidations(
      manifest.waves
        .filter((wave) => wave.tasks.length > 0)
        .map(({ number, validation }) => ({
          ...{ number: number.value, isValidated: validation !== null, at: number.at },
        })),
      "warning",
    ),
    ...(await checkContracts(operations, isSaid, around)),
  ];
}

/** Only where tasks say what they cover: else nothing would be compared with it. */
function lostDocument(read: Awaited<ReturnType<typeof readFolderCoverage>>, { at }: Manifest): Diagnostic[] {
  if (read === null || "set" in read) return [];
  return [buildCoverageFinding("requirement-unchecked", { path: read.path, problem: read.problem }, at)];
}

const API = ["contracts/api-schema.yaml", "contracts/api-schema.yml", "contracts/api-schema.json"];
const TYPES = ["contracts/types.py", "contracts/types.ts"];

async function checkContracts(
  tasks: ApiCoverage["tasks"],
  isSaid: boolean,
  around: PlanFiles,
): Promise<Diagnostic[]> {
  const api = await readFirst(API, around);
  if (api === null) return [];
  return checkApiCoverage({
    ...{ api, types: await readFirst(TYPES, around), tasks },
    ...{ severity: { unowned: "error", unsaid: isSaid ? "warning" : null }, differing: "warning" },
    addTo: "`operations` of the task file that implements it",
  });
}

async function readFirst(paths: readonly string[], around: PlanFiles) {
  for (const path of paths) {
    const read = await around.read(path);
    if (read.ok) return { path, file: read.file, text: read.text };
  }
  return null;
}

/** Lines of documents move with every change above them, so they are not compared. */
async function checkTable(
  { contents }: FolderCoverage,
  { at }: Manifest,
  around: PlanFiles,
): Promise<Diagnostic[]> {
  if (contents.requirements.length === 0) return [];
  const read = await around.read(COVERAGE_FILE);
  const stale = (problem: string | null, place: Diagnostic["at"]) => [
    buildFolderFinding("coverage-stale", { problem, folder: around.named }, place),
  ];
  if (!read.ok) return stale(read.problem, at);
  const [there, due] = [read.text, formatCoverage(contents)].map(withoutLineNumbers) as [string[], string[]];
  const row = due.findIndex((line, i) => line !== there[i]);
  const first = row === -1 && there.length > due.length ? due.length : row;
  if (first === -1) return [];
  return stale(null, lineIn(read.file, Math.min(first, there.length - 1) + 1));
}

function withoutLineNumbers(text: string): string[] {
  return text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.replace(/:\d+`/g, "`"));
}
