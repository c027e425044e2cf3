import type { Caps } from "../../core/caps.ts";
import type { Diagnostic } from "../../core/source.ts";
import { readTasks } from "../../formats/cpo/folder.ts";
import type { PlanFiles, PlanInput } from "../../formats/format.ts";
import { promptFolderOf, readRecord } from "../prompt-folder.ts";
import { checkFolderCoverage } from "./check-coverage.ts";
import { checkFolderContracts } from "./check-folder-contracts.ts";
import { checkGraph } from "./check-graph.ts";
import { checkMetadata } from "./check-metadata.ts";
import { checkPrompts, findStalePrompts } from "./check-prompts.ts";
import { checkSpecSource } from "./check-spec-source.ts";
import { checkWhole } from "./check-whole.ts";

/**
 * What is wrong in an artefact folder beyond what a run has to know: contracts, prompts, the graph, the metadata, what is missing.
 * What reading it as a plan tells is not told again.
 */
export async function checkFolder(input: PlanInput, caps: Caps, around: PlanFiles): Promise<Diagnostic[]> {
  const read = await readTasks(input, caps, around);
  const agreed = await checkFolderContracts(around);
  if (read.manifest === null) return agreed;
  const { manifest } = read;
  const source = await checkSpecSource(manifest, around);
  const whole = [...(await checkWhole(manifest.at.file, around)), ...source];
  if (manifest.hasLostTasks) return [...whole, ...agreed]; // which tasks there are, nobody knows
  const { tasks } = read.planned;
  const { folder } = await promptFolderOf(read, caps, around);
  return [
    ...whole,
    ...checkMetadata(manifest, tasks),
    ...(await checkGraph(tasks, around)),
    ...(await checkFolderCoverage({ manifest, tasks }, around)),
    ...agreed,
    ...(await checkPrompts(tasks, folder, around)),
  ];
}

/** What keeps a folder from being run although it can be read as a plan. */
export async function checkRunnable(input: PlanInput, caps: Caps, around: PlanFiles): Promise<Diagnostic[]> {
  const read = await readTasks(input, caps, around);
  if (read.manifest === null || read.manifest.hasLostTasks) return [];
  const { folder, diagnostics } = await promptFolderOf(read, caps, around);
  if (folder === null && (await readRecord(around)).size > 0) return diagnostics.filter(isSourceGone);
  return findStalePrompts(read.planned.tasks, folder, around);
}

/** A source that generated prompts were made of and that is not there any more. */
function isSourceGone({ code }: Diagnostic): boolean {
  return code === "context-missing" || code === "contracts-missing" || code === "task-section-missing";
}
