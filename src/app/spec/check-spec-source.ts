import { realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { quoted } from "../../core/analyze/words.ts";
import type { Caps } from "../../core/caps.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import { readManifest } from "../../formats/cpo/folder.ts";
import type { PlanFiles, PlanInput } from "../../formats/format.ts";
import type { FolderCode } from "../../spec/folder/codes.ts";
import { findTechSpec } from "./find-tech-spec.ts";

/** Whether the tech spec that a manifest names is there; one that has moved on is found by its id. */
export async function checkSpecSource(
  input: PlanInput,
  caps: Caps,
  around: PlanFiles,
): Promise<Diagnostic[]> {
  const { manifest } = await readManifest(input, caps, around);
  const named = manifest?.techSpec;
  if (!named) return [];
  const root = await realpath((await around.repositoryAt(around.folder)) ?? join(around.folder, "../.."));
  const isFile = await stat(join(root, named.value)).then(
    (one) => one.isFile(),
    () => false, // not there, or not a name that a file can have
  );
  if (isFile) return [];
  const { techSpecId } = manifest;
  const found = techSpecId === null ? null : await findTechSpec(techSpecId, { root, cwd: root, caps });
  const now = found?.ok ? relative(root, found.found.path) : null;
  return [
    diagnostic({
      code: "tech-spec-missing" satisfies FolderCode,
      severity: "warning",
      message: `the tech spec ${quoted(named.value)} does not exist`,
      at: named.at,
      hint:
        now === null
          ? "write its path from the root of the repository; list tech specs: plait spec list"
          : `${techSpecId} is in ${now}: write that path`,
    }),
  ];
}
