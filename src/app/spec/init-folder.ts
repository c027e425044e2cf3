import type { SpecFile } from "../../spec/spec-contents.ts";
import { type SpecFolder, specFolder } from "../../spec/spec-folder.ts";
import type { OrRefusal } from "../host.ts";
import { makeFolder } from "../make-folder.ts";
import { placeOf } from "./folder-place.ts";

/** An artefact folder that is valid from the first moment, all of it or nothing. `folder` is absolute. */
export async function initFolder(
  folder: string,
  spec: Omit<SpecFolder, "generatedAt">,
): Promise<OrRefusal<{ readonly files: readonly SpecFile[] }>> {
  const generatedAt = new Date().toISOString();
  const files = specFolder({ ...spec, generatedAt }, await placeOf(folder));
  const made = await makeFolder(folder, files);
  return made.ok ? { ok: true, files } : made;
}
