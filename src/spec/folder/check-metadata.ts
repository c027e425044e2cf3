import type { Diagnostic } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import type { Manifest } from "../../formats/cpo/manifest.ts";
import type { PlannedTask } from "../../formats/cpo/planned-tasks.ts";
import { taskNumber } from "../../formats/cpo/prompt.ts";
import { technologies } from "../spec-contents.ts";
import { buildFolderFinding } from "./catalog.ts";

/** What the manifest says of its own tasks. */
export function checkMetadata(
  { totalTasks, criticalPath, technology }: Manifest,
  tasks: readonly PlannedTask[],
): Diagnostic[] {
  const ids = tasks.map(({ id }) => id.value);
  const found: Diagnostic[] = [...checkTechnology(technology)];
  if (totalTasks !== null && totalTasks.value !== ids.length) {
    const params = { kind: "count", written: totalTasks.value, tasks: ids.length } as const;
    found.push(buildFolderFinding("metadata-stale", params, totalTasks.at));
  }
  const isKnown = (name: string) => ids.some((id) => id === name || taskNumber(id) === name);
  for (const { value, at } of criticalPath.filter((step) => !isKnown(step.value))) {
    const params = { kind: "critical-path", task: value, suggestion: nearest(value, ids) } as const;
    found.push(buildFolderFinding("metadata-stale", params, at));
  }
  return found;
}

function checkTechnology(technology: Manifest["technology"]): Diagnostic[] {
  if (technology === null || technologies.some((one) => one === technology.value)) return [];
  const { value, at } = technology;
  const params = { technology: value, suggestion: nearest(value, technologies), known: technologies };
  return [buildFolderFinding("technology-unknown", params, at)];
}
