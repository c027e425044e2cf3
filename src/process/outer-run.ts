import { ownLine } from "./descendants.ts";
import { RUN_VARIABLE, variableOf } from "./markers.ts";
import { processTable } from "./process-table.ts";

/**
 * The run that this process belongs to, of those named; null where it belongs to none. The processes that it comes from are asked
 * as well: an agent can change its own environment, but not theirs.
 */
export async function findOuterRun(runs: readonly string[]): Promise<string | null> {
  if (runs.length === 0) return null;
  const { entries, carries } = await processTable();
  const line = ownLine(entries);
  const isOuter = (run: string): boolean => line.some((one) => carries(one, variableOf(RUN_VARIABLE, run)));
  return runs.find(isOuter) ?? null;
}
