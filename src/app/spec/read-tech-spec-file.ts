import type { Caps } from "../../core/caps.ts";
import { type ReadTechSpec, readTechSpec } from "../../spec/tech-spec/tech-spec.ts";
import { readText } from "../read-text.ts";
import { buildTextFinding, CURRENT_FOLDER } from "../text-finding.ts";

/** A tech spec as it lies on the disk. */
export type ReadSpecFile = ReadTechSpec & {
  /** Null where it could not be read. */
  readonly text: string | null;
};

/** `file` is what findings call it, `path` where it is. */
export async function readTechSpecFile(
  { file, path }: { readonly file: string; readonly path: string },
  caps: Caps,
): Promise<ReadSpecFile> {
  const found = await readText(path, caps.maxPlanBytes);
  if (!found.ok) {
    const diagnostics = [buildTextFinding(found, TECH_SPEC, file)];
    return { spec: null, said: { id: null, title: null }, diagnostics, text: null };
  }
  const { text } = found;
  return { ...readTechSpec({ file, text }, caps), text };
}

const TECH_SPEC = { noun: "tech spec", tooLarge: "tech-spec-too-large", from: CURRENT_FOLDER } as const;
