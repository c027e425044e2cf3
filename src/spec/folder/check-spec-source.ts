import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import type { Manifest } from "../../formats/cpo/manifest.ts";
import type { PlanFiles } from "../../formats/format.ts";
import type { FolderCode } from "./codes.ts";
import { findSpecFile } from "./find-spec-file.ts";

/** Whether the tech spec that a manifest names is there. */
export async function checkSpecSource(manifest: Manifest, around: PlanFiles): Promise<Diagnostic[]> {
  const { techSpec } = manifest.sources;
  const found = await findSpecFile(manifest, around);
  if (techSpec === null || found?.isMoved === false) return [];
  return [
    diagnostic({
      code: "tech-spec-missing" satisfies FolderCode,
      severity: "warning",
      message: `the tech spec ${quoted(techSpec.value)} does not exist`,
      at: techSpec.at,
      hint:
        found === null
          ? "write its path from the root of the repository; list tech specs: plait spec list"
          : `${manifest.techSpecId} is in ${found.path}: write that path`,
    }),
  ];
}
