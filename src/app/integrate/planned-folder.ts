import { join } from "node:path";
import type { Caps } from "../../core/caps.ts";
import { readTasks } from "../../formats/cpo/folder.ts";
import type { TaskSpec } from "../../formats/cpo/task-spec.ts";
import type { PlanFiles } from "../../formats/format.ts";
import type { PlannedFolder } from "../../spec/folder/folder-coverage.ts";
import { planFiles } from "../plan-files.ts";
import type { ArtifactFolder } from "./artifact-folder.ts";

export type ReadTaskSpec = {
  readonly spec: TaskSpec;
  /** The whole task file. */
  readonly text: string;
};

/** By task. */
export type TaskSpecs = ReadonlyMap<string, ReadTaskSpec>;

export type ReadFolder = PlannedFolder & { readonly around: PlanFiles; readonly specs: TaskSpecs };

/** The manifest and the task files of an artifact folder; `plait validate` shows what is wrong with them. */
export async function readPlannedFolder(
  { path, place }: ArtifactFolder,
  caps: Caps,
): Promise<ReadFolder | null> {
  const around = planFiles({ named: place, folder: path, cwd: path, home: null, caps });
  const read = await readTasks({ kind: "folder", path: place, names: [] }, caps, around);
  if (read.manifest === null) return null;
  const { tasks } = read.planned;
  const texts = around.texts();
  const specs = tasks.flatMap(({ id, spec }) =>
    spec === null ? [] : [[id.value, { spec, text: texts.get(join(place, spec.path)) ?? "" }] as const],
  );
  return { manifest: read.manifest, tasks, around, specs: new Map(specs) };
}
