import { relative } from "node:path";
import { type RunFiles, runFiles } from "../app/index.ts";
import type { RunState } from "../core/run-state.ts";

/** Relative to where the user stands, where that is shorter. */
export async function filesToShow(folder: string, state: RunState): Promise<RunFiles> {
  const { report, artifacts, reports, changed } = await runFiles(folder, state);
  return {
    report: report === null ? null : shorter(report),
    artifacts: artifacts === null ? null : { ...artifacts, folder: shorter(artifacts.folder) },
    reports: reports.map(({ task, paths }) => ({ task, paths: paths.map(shorter) })),
    changed: changed.map(({ file, says }) => ({ file: shorter(file), says })),
  };
}

function shorter(path: string): string {
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
}
