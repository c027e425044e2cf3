import { stat } from "node:fs/promises";
import { say, useTool } from "./demo-agent-output.ts";
import { pathFor } from "./demo-agent-path.ts";
import { leaveTrace, type TracePlace } from "./demo-agent-trace.ts";

export type DefaultWork = {
  readonly task: string;
  readonly access: string;
  /** What the task owns: patterns, some with `::symbol` behind them. */
  readonly owns: readonly string[];
};

/** What it does without a script: a small file, or a harmless comment, for each claim of its task. It commits nothing. */
export async function defaultWork({ task, access, owns }: DefaultWork): Promise<void> {
  if (access === "read-only") {
    return say(`Report of ${task}: the demo agent found nothing to report.`);
  }
  const places = await Promise.all(owns.map((claim) => placeFor(claim, task)));
  const asked = places.length === 0 ? [{ path: `notes/${task}.md`, symbol: null }] : places;
  const unique = [...new Map(asked.map((place) => [JSON.stringify(place), place])).values()];
  for (const place of unique) await useTool("Write", place.path, () => leaveTrace(place, task));
  await say(`Done: ${task} changed ${[...new Set(unique.map(({ path }) => path))].join(", ")}.`);
}

async function placeFor(claim: string, task: string): Promise<TracePlace> {
  const [pattern = claim, symbol = null] = claim.split("::");
  return { path: await pathFor(pattern, task, isFolder), symbol };
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false; // not there: a file to be made
}
