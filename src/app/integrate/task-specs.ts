import { join } from "node:path";
import type { Caps } from "../../core/caps.ts";
import { readSpecs } from "../../formats/cpo/folder.ts";
import { type Manifest, parseManifest } from "../../formats/cpo/manifest.ts";
import { planTasks } from "../../formats/cpo/planned-tasks.ts";
import type { TaskSpec } from "../../formats/cpo/task-spec.ts";
import { planFiles } from "../plan-files.ts";
import type { ArtefactFolder } from "./artefact-folder.ts";

export type ReadTaskSpec = {
  readonly spec: TaskSpec;
  /** The whole task file. */
  readonly text: string;
};

/** By task. */
export type TaskSpecs = ReadonlyMap<string, ReadTaskSpec>;

/** The task files of an artifact folder; what is wrong with them `plait validate` shows. */
export async function readTaskSpecs(
  folder: ArtefactFolder | null,
  caps: Caps,
): Promise<{ readonly specs: TaskSpecs; readonly manifest: Manifest | null }> {
  const found = new Map<string, ReadTaskSpec>();
  if (folder === null) return { specs: found, manifest: null };
  const { path, place } = folder;
  const { manifest } = parseManifest(folder.manifest, caps);
  if (manifest === null) return { specs: found, manifest };
  const around = planFiles({ named: place, folder: path, cwd: path, home: null, caps });
  const { specs } = await readSpecs(manifest, caps, around);
  const texts = around.texts();
  for (const { id, spec } of planTasks(manifest, specs).tasks)
    if (spec !== null) found.set(id.value, { spec, text: texts.get(join(place, spec.path)) ?? "" });
  return { specs: found, manifest };
}
