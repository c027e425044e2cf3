import { type Cleaned, cleanRuns } from "../../app/index.ts";
import { formatNotLanded } from "../../core/select/landing-text.ts";
import { plait } from "../../core/text/command.ts";
import { count, sizeText } from "../../core/text/figures.ts";
import { fix } from "../../core/text/sentence.ts";
import { exitCodes } from "../exit-codes.ts";
import { createHost, granted, requireConfig } from "../host.ts";
import type { Glyphs } from "../render/glyphs.ts";
import { bold, dim, type Line, styled } from "../render/line.ts";
import { shown } from "../render/visible.ts";
import type { RunCommand } from "../request.ts";
import { RequestError } from "../request-error.ts";

/** `plait clean [run]`: removes old runs and prints what was removed. */
export const clean: RunCommand = async (request) => {
  const { options, output } = request;
  const [run = null] = request.args;
  if (run !== null && options.days !== undefined) {
    throw new RequestError(
      "--days and a run name cannot be combined",
      fix("remove --days", plait("clean", run)),
    );
  }
  const { dryRun = false, force = false } = options;
  const days = options.days ?? (await requireConfig(request, plait("clean"))).keep.days;
  const host = createHost(request, plait("clean"));
  const { removed, stays, talks, copies } = granted(await cleanRuns(host, { run, days, dryRun, force }));
  if (options.json === true) output.json({ v: 1, dryRun, removed, stays, talks, copies });
  else
    output.result(
      cleanedLines({ removed, stays, talks, copies }, dryRun, run === null ? days : 0, output.glyphs),
    );
  // A named run that was not removed is a failure; without a name, runs that stay are what was asked for.
  return run !== null && stays.length > 0 ? exitCodes.incomplete : exitCodes.ok;
};

/** Every folder and ref that went, and what stays with the reason. */
function cleanedLines(
  { removed, stays, talks, copies }: Cleaned,
  dryRun: boolean,
  days: number,
  glyphs: Glyphs,
): Line[] {
  const word = dryRun ? "would remove" : "removed";
  const runs = removed.flatMap(({ run, folder, worktrees, bytes, refs, unlanded }): Line[] => [
    [`${word} `, bold(run), bytes === 0 ? "" : dim(`  ${sizeText(bytes)}`)],
    ...(unlanded === 0 ? [] : [lostLine(unlanded, glyphs)]),
    ...[folder, worktrees].flatMap((path): Line[] =>
      path === null ? [] : [[dim("  folder  "), shown(path, glyphs)]],
    ),
    ...refs.map((ref): Line => [dim("  ref     "), shown(ref, glyphs)]),
  ]);
  const left = stays.flatMap(({ run, why, hints }): Line[] => [
    [styled("yellow", glyphs.warning), " ", bold(run), ` not removed: ${shown(why, glyphs)}`],
    ...hints.map((hint, n): Line => [dim(n === 0 ? "  next  " : "        "), shown(hint, glyphs)]),
  ]);
  const said = [
    ...folderLines(talks, `${word} answers about tech specs`, glyphs),
    ...folderLines(copies, `${word} copies of dependency folders`, glyphs),
  ];
  if (runs.length + left.length + said.length > 0)
    return [...runs, ...said, ...left, ...(removed.length > 1 ? [totalLine(removed, word)] : [])];
  return [[`nothing to remove: no run ended more than ${count(days, "day")} ago`]];
}

function lostLine(tasks: number, glyphs: Glyphs): Line {
  return [styled("yellow", `${glyphs.warning} ${formatNotLanded(tasks)}`)];
}

function folderLines({ folders, bytes }: Cleaned["talks"], head: string, glyphs: Glyphs): Line[] {
  if (folders.length === 0) return [];
  return [
    [head, dim(`  ${sizeText(bytes)}`)],
    ...folders.map((path): Line => [dim("  folder  "), shown(path, glyphs)]),
  ];
}

function totalLine(removed: Cleaned["removed"], word: string): Line {
  const refs = removed.reduce((sum, one) => sum + one.refs.length, 0);
  const bytes = removed.reduce((sum, one) => sum + one.bytes, 0);
  return [`${word} ${count(removed.length, "run")}, ${count(refs, "ref")}, ${sizeText(bytes)}`];
}
