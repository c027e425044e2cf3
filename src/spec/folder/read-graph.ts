import { basename } from "node:path";
import type { Caps } from "../../core/caps.ts";
import type { Diagnostic } from "../../core/source.ts";
import { readTasks } from "../../formats/cpo/folder.ts";
import type { PlannedTask } from "../../formats/cpo/planned-tasks.ts";
import type { PlanFiles, PlanInput } from "../../formats/format.ts";
import type { GraphContents, GraphTask } from "../task-graph-text.ts";

type ReadGraph = {
  /** Null where it is not known which tasks there are, or what they need. */
  readonly contents: GraphContents | null;
  readonly diagnostics: readonly Diagnostic[];
};

/** What task-graph.md shows, from the manifest and the task files of a folder. */
export async function readGraph(input: PlanInput, caps: Caps, around: PlanFiles): Promise<ReadGraph> {
  const read = await readTasks(input, caps, around);
  if (read.manifest === null) return { contents: null, diagnostics: read.diagnostics };
  const { manifest, planned, specs } = read;
  const found = [...read.diagnostics, ...planned.diagnostics, ...specs.diagnostics];
  if (found.some(({ severity }) => severity === "error")) return { contents: null, diagnostics: found };
  const folder = basename(around.folder);
  const contents = {
    techSpecId: manifest.techSpecId ?? folder,
    name: manifest.name ?? folder,
    tasks: planned.tasks.map(graphTask).toSorted((a, b) => a.wave - b.wave),
  };
  return { contents, diagnostics: found };
}

const HOUR_MS = 3_600_000;

function graphTask({ id, wave, needs, spec }: PlannedTask): GraphTask {
  return {
    id: id.value,
    title: spec?.title ?? spec?.component ?? id.value,
    wave: wave?.value ?? 1,
    deps: needs.map(({ value }) => value),
    hours: spec?.estimateMs == null ? null : spec.estimateMs / HOUR_MS,
  };
}
