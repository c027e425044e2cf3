import { relative } from "node:path";
import { type RunFiles, runFiles } from "../app/index.ts";

/** Relative to where the user stands, where that is shorter. */
export async function filesToShow(folder: string): Promise<RunFiles> {
  const { report, artifacts, changed } = await runFiles(folder);
  return {
    report: report === null ? null : shorter(report),
    artifacts: artifacts === null ? null : { ...artifacts, folder: shorter(artifacts.folder) },
    changed: changed.map(({ file, says }) => ({ file: shorter(file), says })),
  };
}

function shorter(path: string): string {
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
}
