import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import type { Manifest } from "../../formats/cpo/manifest.ts";
import type { PlannedTask } from "../../formats/cpo/planned-tasks.ts";
import { taskNumber } from "../../formats/cpo/prompt.ts";
import { technologies } from "../spec-contents.ts";
import type { FolderCode } from "./codes.ts";

/** What the manifest says of its own tasks. */
export function checkMetadata(
  { totalTasks, criticalPath, technology }: Manifest,
  tasks: readonly PlannedTask[],
): Diagnostic[] {
  const ids = tasks.map(({ id }) => id.value);
  const stale = { code: "metadata-stale" satisfies FolderCode, severity: "warning" } as const;
  const found: Diagnostic[] = [...checkTechnology(technology)];
  if (totalTasks !== null && totalTasks.value !== ids.length) {
    const there = ids.length === 1 ? "one task" : `${ids.length} tasks`;
    const message = `the metadata counts ${totalTasks.value}, but the manifest has ${there}`;
    found.push(diagnostic({ ...stale, message, at: totalTasks.at, hint: `write ${ids.length}` }));
  }
  const isKnown = (name: string) => ids.some((id) => id === name || taskNumber(id) === name);
  for (const { value, at } of criticalPath.filter((step) => !isKnown(step.value))) {
    const near = nearest(value, ids);
    const message = `the critical path has ${quoted(value)}, which is no task of the manifest`;
    const hint = near === null ? "delete it" : `did you mean ${quoted(near)}?`;
    found.push(diagnostic({ ...stale, message, at, hint }));
  }
  return found;
}

function checkTechnology(technology: Manifest["technology"]): Diagnostic[] {
  if (technology === null || technologies.some((one) => one === technology.value)) return [];
  const near = nearest(technology.value, technologies);
  const code: FolderCode = "technology-unknown";
  const message = `unknown technology ${quoted(technology.value)}`;
  const hint =
    near === null ? `write ${technologies.join(", ")}, or delete it` : `did you mean ${quoted(near)}?`;
  return [diagnostic({ code, severity: "warning", message, at: technology.at, hint })];
}
