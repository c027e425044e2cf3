import type { Cleaned } from "../../app/index.ts";
import { count } from "../../core/select/preview/words.ts";
import type { Glyphs } from "./glyphs.ts";
import { bold, dim, type Line, styled } from "./line.ts";
import { shown } from "./visible.ts";

export type CleanSaid = {
  readonly dryRun: boolean;
  /** Null when one run was named. */
  readonly days: number | null;
};

/** Every folder and ref that went, and what stays with the reason. */
export function cleanedLines(
  { removed, stays }: Cleaned,
  { dryRun, days }: CleanSaid,
  glyphs: Glyphs,
): Line[] {
  const word = dryRun ? "would remove" : "removed";
  const runs = removed.flatMap(({ run, folder, refs }): Line[] => [
    [`${word} `, bold(run)],
    ...(folder === null ? [] : [[dim("  folder  "), shown(folder, glyphs)] as Line]),
    ...refs.map((ref): Line => [dim("  ref     "), shown(ref, glyphs)]),
  ]);
  const left = stays.flatMap(({ run, why, hint }): Line[] => [
    [styled("yellow", glyphs.warning), " ", bold(run), ` stays: ${shown(why, glyphs)}`],
    [dim("  next  "), shown(hint, glyphs)],
  ]);
  if (runs.length + left.length > 0) return [...runs, ...left];
  return [[`nothing to remove: no run ended more than ${count(days ?? 0, "day")} ago`]];
}
