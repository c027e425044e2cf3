import type { RestoredConfig } from "../../app/index.ts";
import type { Glyphs } from "./glyphs.ts";
import { bold, dim, type Line, styled } from "./line.ts";
import { shown } from "./visible.ts";

/** Each file, what was other in it, and where the replaced ones are. */
export function restoredLines(
  { run, restored, left, keptIn }: RestoredConfig,
  { dryRun }: { readonly dryRun: boolean },
  glyphs: Glyphs,
): Line[] {
  const changes = (says: readonly string[]): Line[] =>
    says.map((text): Line => [dim("  was changed  "), shown(text, glyphs)]);
  const back = restored.flatMap(({ file, says }): Line[] => [
    [dryRun ? "would restore " : "restored ", bold(shown(file, glyphs))],
    ...changes(says),
  ]);
  const stays = left.flatMap(({ file, says, why, hint }): Line[] => [
    [styled("yellow", glyphs.warning), " ", bold(shown(file, glyphs)), ` stays: ${shown(why, glyphs)}`],
    ...changes(says),
    [dim("  next         "), shown(hint, glyphs)],
  ]);
  if (back.length + stays.length === 0)
    return [[`nothing to restore: hooks and config are as they were when ${run} started`]];
  const kept: Line[] =
    back.length === 0 || dryRun ? [] : [[dim("copies of what was there are in "), shown(keptIn, glyphs)]];
  return [...back, ...stays, ...kept];
}
