import { startOf } from "../../core/analyze/findings.ts";
import type { Diagnostic } from "../../core/source.ts";
import type { PlanFiles } from "../../formats/format.ts";
import { GRAPH } from "../task-graph-text.ts";
import { buildFolderFinding } from "./catalog.ts";

const CONTEXT = "context.md";

/** Files that a whole folder has. A missing prompt or task file is told where it is asked for. */
export async function checkWhole(manifest: string, around: PlanFiles): Promise<Diagnostic[]> {
  const names = await around.names(".");
  const missing = [CONTEXT, "architecture.md", GRAPH].filter((name) => !names.includes(name));
  const hasContracts = (await around.names("contracts")).length > 0;
  const all = [...missing, ...(hasContracts ? [] : ["contracts"])];
  const lacking =
    all.length === 0
      ? []
      : [buildFolderFinding("folder-incomplete", { kind: "missing", missing: all }, startOf(manifest))];
  const context = missing.includes(CONTEXT) ? null : await around.read(CONTEXT);
  if (!context?.ok || context.text.trim() !== "") return lacking; // an unreadable one is reported elsewhere
  return [
    ...lacking,
    buildFolderFinding("folder-incomplete", { kind: "empty", empty: CONTEXT }, startOf(context.file)),
  ];
}
