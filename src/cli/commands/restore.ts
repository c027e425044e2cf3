import { type RestoredConfig, restoreConfig } from "../../app/index.ts";
import { plait } from "../../core/text/command.ts";
import { exitCodes } from "../exit-codes.ts";
import { createHost, granted } from "../host.ts";
import type { Glyphs } from "../render/glyphs.ts";
import { bold, dim, type Line, styled } from "../render/line.ts";
import { shown } from "../render/visible.ts";
import type { RunCommand } from "../request.ts";

/** `plait restore [run]`: restores hooks and git config from the start of the run. */
export const restore: RunCommand = async (request) => {
  const { options, output, args } = request;
  const { dryRun = false, force = false } = options;
  const asked = { run: args[0] ?? null, dryRun, force };
  const { run, restored, left, keptIn } = granted(
    await restoreConfig(createHost(request, plait("restore")), asked),
  );
  if (options.json === true) output.json({ v: 1, run, dryRun, restored, left, keptIn });
  else output.result(restoredLines({ run, restored, left, keptIn }, dryRun, output.glyphs));
  return left.length > 0 ? exitCodes.incomplete : exitCodes.ok;
};

/** Each file, what was other in it, and where the replaced ones are. */
function restoredLines(
  { run, restored, left, keptIn }: RestoredConfig,
  dryRun: boolean,
  glyphs: Glyphs,
): Line[] {
  const changes = (says: readonly string[]): Line[] =>
    says.map((text): Line => [dim("  was changed  "), shown(text, glyphs)]);
  const back = restored.flatMap(({ file, says }): Line[] => [
    [dryRun ? "would restore " : "restored ", bold(shown(file, glyphs))],
    ...changes(says),
  ]);
  const stays = left.flatMap(({ file, says, why, hint }): Line[] => [
    [
      styled("yellow", glyphs.warning),
      " ",
      bold(shown(file, glyphs)),
      ` not restored: ${shown(why, glyphs)}`,
    ],
    ...changes(says),
    [dim("  next         "), shown(hint, glyphs)],
  ]);
  if (back.length + stays.length === 0)
    return [[`nothing to restore: hooks and config are as they were when ${run} started`]];
  const kept: Line[] =
    back.length === 0 || dryRun ? [] : [[dim("copies of the replaced files are in "), shown(keptIn, glyphs)]];
  return [...back, ...stays, ...kept];
}
