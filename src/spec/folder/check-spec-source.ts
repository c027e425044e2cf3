import type { Diagnostic } from "../../core/source.ts";
import type { Manifest } from "../../formats/cpo/manifest.ts";
import type { PlanFiles } from "../../formats/format.ts";
import { buildFolderFinding } from "./catalog.ts";
import { findSpecFile } from "./find-spec-file.ts";

/** Whether the tech spec that a manifest names is there. */
export async function checkSpecSource(manifest: Manifest, around: PlanFiles): Promise<Diagnostic[]> {
  const { techSpec } = manifest.sources;
  const found = await findSpecFile(manifest, around);
  if (techSpec === null || found?.isMoved === false) return [];
  const params = { path: techSpec.value, moved: found?.path ?? null };
  return [buildFolderFinding("tech-spec-missing", params, techSpec.at)];
}
