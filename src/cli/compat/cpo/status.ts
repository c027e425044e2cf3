import { followRun, type KnownRun, runsOfFolder } from "../../../app/index.ts";
import type { RunState } from "../../../core/run-state.ts";
import { hasSucceeded, wasCutShort } from "../../../core/select/run-status.ts";
import { formatCommand, otherCommand } from "../../../core/text/command.ts";
import { notLanded } from "../../../report/cpo/next.ts";
import { type CpoWave, outline } from "../../../report/cpo/outline.ts";
import { countLines, nodeText, waveHead } from "../../../report/cpo/progress.ts";
import { exitCodes } from "../../exit-codes.ts";
import { createHost, granted } from "../../host.ts";
import { shown } from "../../render/visible.ts";
import type { Around } from "../command-lines.ts";
import { asked, type CpoFolder } from "./folder.ts";

/** `cpo status <dir>`: the latest run of the folder, from whatever terminal. */
export async function status(folder: CpoFolder, around: Around): Promise<number> {
  const { output } = around;
  const say = (lines: readonly string[]) => output.result(lines.map((line) => [shown(line, output.glyphs)]));
  const host = createHost(asked(around, folder, {}), otherCommand(folder.typed, "status", folder.named));
  const [known] = granted(await runsOfFolder(host, folder.path)).runs;
  if (known === undefined) {
    say([
      `No runs of ${folder.named} yet; start one: ${formatCommand(otherCommand(folder.typed, "run", folder.named))}`,
    ]);
    return exitCodes.incomplete;
  }
  const { state, now } = await latest(known);
  const isRunning = known.driver !== null;
  const why = isRunning ? null : notLanded(state);
  say([
    `${folder.named}: ${executionWord(state, isRunning)} (run ${known.run})`,
    ...waveLines(outline(state, now, { isRunning })),
    ...(why === null ? [] : [why]),
  ]);
  return exitCodes.ok;
}

/** A driver may be a few facts ahead of its journal. */
async function latest(known: KnownRun): Promise<{ state: RunState; now: number }> {
  if (known.driver === null) return { state: known.state, now: known.state.clock };
  const { view, close } = await followRun(known);
  close();
  return { state: view.state(), now: view.now() };
}

function executionWord(state: RunState, isRunning: boolean): string {
  if (isRunning && state.ended === null) return "RUNNING";
  if (hasSucceeded(state)) return "COMPLETED";
  return wasCutShort(state) ? "STOPPED" : "FAILED";
}

function waveLines(waves: readonly CpoWave[]): string[] {
  return [
    ...waves.flatMap(({ number, nodes }) => [waveHead(number), ...nodes.map(nodeText)]),
    ...countLines(waves),
  ];
}
