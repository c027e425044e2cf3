// `cast-parallel [--dry-run] [--split N] [--dag] <plan>`: the batches of a plan as two streams, each an agent of its own that is
// told which of them are its. The words, lines, logs, rows and exit codes are those of cast-parallel 0.1.0; what runs is a run of
// plait with two tasks, so nothing of the streams' work is lost on the way.

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type BatchList, loadBatches } from "../../app/cast/batches.ts";
import { defaultCaps } from "../../config/settings.ts";
import type { Options } from "../flags.ts";
import { renderDiagnostics } from "../render/diagnostics.ts";
import type { Request } from "../request.ts";
import { requireFolder, toExpectedError } from "../request-error.ts";
import { idsOf, listSevered, type Split, splitAt } from "./cast-parallel/split.ts";
import { castCodes, castTalk, type Talk } from "./cast-parallel/talk.ts";
import { type Asked, parseWords, usage } from "./cast-parallel/words.ts";
import type { Around, CommandLine } from "./command-lines.ts";

export const castParallel: CommandLine = (words, around) => {
  return answerCast(words, around, castTalk(around.env, around.output));
};

export async function answerCast(words: readonly string[], around: Around, talk: Talk): Promise<number> {
  if (around.env.cast.isSubprocess) return castCodes.ok;
  try {
    return await answer(parseWords(words, around.env.home), around, talk);
  } catch (error) {
    const { message, hint } = await toExpectedError(error);
    talk.error(message);
    for (const line of hint?.split("\n") ?? []) talk.error(`  ${line}`);
    // Wrong words are told apart below; who gets here was understood.
    return castCodes.failed;
  } finally {
    await talk.settled();
  }
}

async function answer(asked: Asked, around: Around, talk: Talk): Promise<number> {
  if (asked.kind === "help") {
    for (const line of usage.trimEnd().split("\n")) talk.plain(line);
    return castCodes.ok;
  }
  if (asked.kind === "wrong") return wrongUse(asked.message, talk);
  const path = resolve(requireFolder(around), asked.plan);
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false, // told below
  );
  if (!isFile) return wrongUse(`Plan file not found: ${asked.plan}`, talk);
  const { allowRoot, allowNested } = asked;
  const request = requestFor(asked.plan, around, { concurrency: 2, land: "end", allowRoot, allowNested });
  if (asked.dag) return (await import("./cast-parallel/dag.ts")).runDag(request, asked, talk);
  const manifest = await manifestOf(asked.plan, around, talk);
  if (manifest === null) return castCodes.failed;
  const cut = splitAt(manifest, asked.split);
  if (!cut.ok) {
    talk.error(cut.message);
    return castCodes.failed;
  }
  if (asked.dryRun) tellDryRun(asked.plan, manifest, cut.split, talk);
  for (const warning of listSevered(cut.split)) talk.warn(warning);
  if (asked.dryRun) return castCodes.ok;
  const { runStreams } = await import("./cast-parallel/run.ts");
  return runStreams(request, { manifest, split: cut.split, path, shown: asked.plan, talk });
}

function wrongUse(message: string, talk: Talk): number {
  talk.error(message);
  talk.quote(usage.trimEnd().split("\n"));
  return castCodes.usage;
}

/** As `plait run` would have it. */
function requestFor(plan: string, { env, startedIn, output }: Around, options: Options): Request {
  return { args: [plan], options, env, startedIn, output };
}

/** Null when it was told what is wrong with it. */
async function manifestOf(plan: string, around: Around, talk: Talk): Promise<BatchList | null> {
  const { env, startedIn, output } = around;
  const loaded = await loadBatches(plan, startedIn ?? "/", { ...defaultCaps, ...env.caps });
  const view = { sources: loaded.sources, glyphs: output.glyphs, width: output.sayWidth };
  talk.lines(renderDiagnostics(loaded.diagnostics, view));
  if (loaded.list === null) talk.error(`The dispatch manifest is invalid: ${plan}`);
  return loaded.list;
}

function tellDryRun(plan: string, manifest: BatchList, split: Split, talk: Talk): void {
  talk.header("cast parallel — dry run");
  talk.detail(`  Plan: ${plan}`);
  talk.detail(`  Plan ID: ${manifest.planId}`);
  talk.detail(`  Total batches: ${manifest.batches.length}`);
  talk.detail(`  Split after batch: ${split.at}`);
  talk.plain("");
  talk.plain(`  Stream A (worktree-a): batches ${idsOf(split.a)}`);
  talk.plain(`  Stream B (worktree-b): batches ${idsOf(split.b)}`);
}
