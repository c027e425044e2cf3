// The report of a run: what lies beside its facts is gathered (last words, outputs, diffstats, artefacts), the rest is pure. It
// is written by itself whenever a driver comes to its end, and made anew from the journal whenever somebody asks.

import { rm } from "node:fs/promises";
import type { Fact } from "../core/facts.ts";
import type { AttemptId } from "../core/ids.ts";
import { parseFact } from "../core/parse-fact.ts";
import { taskAt } from "../core/run-index.ts";
import type { PastAttempt, RunState } from "../core/run-state.ts";
import { pickShownAttempt } from "../core/select/attempt-number.ts";
import { timeShown } from "../core/select/progress.ts";
import { entries, values } from "../core/sorted-map.ts";
import { artifactsOf } from "../engines/local/artifacts.ts";
import type { Collected } from "../engines/local/collect-files.ts";
import type { EndOfRun, Reported } from "../engines/local/local-run.ts";
import { reportsOf } from "../engines/local/reports.ts";
import { type RunFolder, writeWhole } from "../engines/local/run-folder.ts";
import { diffStats, type Repository } from "../git/index.ts";
import { readJournal } from "../journal/read.ts";
import { MOST_FILES } from "../report/caps.ts";
import { jsonReport } from "../report/json.ts";
import { markdownReport } from "../report/markdown.ts";
import type { Artifacts, Diffstat, KeptFiles, RunReport } from "../report/model.ts";
import { runReport } from "../report/run-report.ts";
import type { Beside } from "../report/task-report.ts";
import { clockOf, type Host } from "./host.ts";
import { maskTexts } from "./mask-texts.ts";
import { changedConfig } from "./restore-config.ts";
import { type Mask, runMask } from "./run-mask.ts";
import type { FoundRun } from "./runs.ts";
import { failureEnds } from "./tails.ts";

/** Whatever goes wrong is told and changes nothing else: the run is what it is without its report. */
export async function writeReport(repository: Repository, end: EndOfRun): Promise<Reported> {
  const { folder, mask } = end;
  try {
    const report = await reportAt(repository, end);
    await writeWhole(folder.report.json, jsonReport(report));
    await writeWhole(folder.report.markdown, markdownReport(report));
    return { ok: true, path: folder.report.markdown, warnings: [] };
  } catch (error) {
    // What an earlier end left must not be taken for a report of this one.
    await Promise.allSettled(Object.values(folder.report).map((path) => rm(path, { force: true })));
    return { ok: false, problem: mask(error instanceof Error ? error.message : String(error)) };
  }
}

/** The report by the driver of a run: at its end, or while it still drives. */
export async function reportAt(
  repository: Repository,
  { folder, state, mask }: EndOfRun,
  { isRunning = false } = {},
): Promise<RunReport> {
  const { facts } = await readJournal<Fact>(folder.journal, { parse: parseFact });
  return gathered({ repository, folder, facts, state, now: state.clock, isRunning, mask });
}

/** The report of a run as it is now, whether it has ended or not. */
export async function reportOf(host: Host, found: FoundRun): Promise<RunReport> {
  const { repository, known } = found;
  const { folder, facts, state, driver } = known;
  const isRunning = driver !== null;
  const now = timeShown(state, clockOf(host).now(), isRunning);
  const mask = await runMask(host, { repository, folder });
  return gathered({ repository, folder, facts, state, now, isRunning, mask });
}

type Source = {
  readonly repository: Repository;
  readonly folder: RunFolder;
  readonly facts: readonly Fact[];
  readonly state: RunState;
  readonly now: number;
  readonly isRunning: boolean;
  readonly mask: Mask;
};

async function gathered(source: Source): Promise<RunReport> {
  const { repository, folder, facts, state, now, isRunning, mask } = source;
  const told = [...values(state.tasks)].flatMap((task) => pickShownAttempt(task) ?? []);
  const { diffs, landed } = await diffsOf(repository, state, told);
  const beside: Beside = {
    // Before anything of them is cut: half a secret is found by nobody (I13).
    said: masked(await saidBy(folder, told), mask),
    outputs: masked(await outputsOf(folder, state, facts), mask),
    diffs,
    artifacts: await allArtifacts(folder, state),
    reports: await reportsBy(folder, told),
    changed: await changedConfig(folder),
    files: (attempt) => ({
      log: folder.log(attempt),
      transcript: folder.transcript(attempt),
      prompt: folder.prompt(attempt),
    }),
  };
  const report = runReport({ facts, state, now, isRunning, folder: folder.path, beside, landed });
  return maskTexts(report, mask);
}

function masked<K>(texts: ReadonlyMap<K, string>, mask: Mask): Map<K, string> {
  const clean = maskTexts([...texts.values()], mask);
  return new Map([...texts.keys()].map((key, n) => [key, clean[n] ?? ""]));
}

async function saidBy(folder: RunFolder, told: readonly PastAttempt[]): Promise<Map<AttemptId, string>> {
  const found = new Map<AttemptId, string>();
  for (const { id, ended } of told) {
    const text = ended.said === null ? null : await folder.text(ended.said);
    if (text !== null) found.set(id, text);
  }
  return found;
}

/** Where no gate was red, what failed last said is in its last words already. */
async function outputsOf(
  folder: RunFolder,
  state: RunState,
  facts: readonly Fact[],
): Promise<Map<AttemptId, string>> {
  const ends = await failureEnds(folder, state, facts);
  const said = new Set(
    [...values(state.tasks)]
      .flatMap(({ past }) => past.filter(({ ended }) => ended.said !== null))
      .map(({ id }) => id),
  );
  return new Map(
    ends.flatMap(({ attempt, printed, red }): [AttemptId, string][] =>
      printed === "" || (red === null && said.has(attempt)) ? [] : [[attempt, printed]],
    ),
  );
}

async function diffsOf(
  repository: Repository,
  { base, tip }: RunState,
  told: readonly PastAttempt[],
): Promise<{ diffs: Map<AttemptId, Diffstat>; landed: Diffstat | null }> {
  const changed = told.filter(({ saved }) => saved.changed);
  const pairs = changed.map((attempt) => ({ from: attempt.base.tree, to: attempt.saved.result.tree }));
  const whole = { from: base.tree, to: tip.tree };
  const stats = await diffStats(repository, [whole, ...pairs], { maxFiles: MOST_FILES });
  const diffs = new Map<AttemptId, Diffstat>();
  for (const [n, { id }] of changed.entries()) {
    const stat = stats[n + 1] ?? null;
    if (stat !== null) diffs.set(id, stat);
  }
  return { diffs, landed: base.commit === tip.commit ? null : (stats[0] ?? null) };
}

async function allArtifacts(folder: RunFolder, state: RunState): Promise<Map<AttemptId, Artifacts[]>> {
  const found = new Map<AttemptId, Artifacts[]>();
  for (const [i, { past, live }] of entries(state.tasks)) {
    if (taskAt(state.index, i).artifacts.length === 0) continue;
    for (const { id } of [...past, ...live]) {
      const kept = await artifactsOf(folder.path, id);
      if (kept.length === 0) continue;
      found.set(
        id,
        kept.map(({ place, ...files }) => ({ place, ...filesIn(files) })),
      );
    }
  }
  return found;
}

async function reportsBy(
  folder: RunFolder,
  told: readonly PastAttempt[],
): Promise<Map<AttemptId, KeptFiles>> {
  const found = new Map<AttemptId, KeptFiles>();
  for (const { id, saved } of told) {
    // Only what has something to say has files.
    const kept = saved.report === null ? null : await reportsOf(folder.path, id);
    if (kept !== null) found.set(id, filesIn(kept));
  }
  return found;
}

function filesIn({ folder, files, leftOut }: Collected): KeptFiles {
  return {
    ...{ folder, count: files.length, leftOut },
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    files: files.slice(0, MOST_FILES).map(({ path }) => path),
  };
}
