// The report of a run: what lies beside its facts is gathered (last words, outputs, diffstats, artefacts), the rest is pure. It
// is written by itself whenever a driver comes to its end, and made anew from the journal whenever somebody asks.

import { rm } from "node:fs/promises";
import { replay } from "../core/evolve.ts";
import type { Fact } from "../core/facts.ts";
import type { AttemptId } from "../core/ids.ts";
import type { Diffstat } from "../core/landing-types.ts";
import { parseFact } from "../core/parse-fact.ts";
import { assumePublished, type ProposalScope, WHOLE_RUN } from "../core/proposal.ts";
import { taskAt } from "../core/run-index.ts";
import type { PastAttempt, RunState } from "../core/run-state.ts";
import { pickShownAttempt } from "../core/select/attempt-number.ts";
import { type Overview, overview } from "../core/select/overview.ts";
import { progress, timeShown } from "../core/select/progress.ts";
import { formatCounts } from "../core/select/run-status-text.ts";
import { taskRows } from "../core/select/task-rows.ts";
import { type Timeline, timelineOf } from "../core/select/timeline.ts";
import { entries, values } from "../core/sorted-map.ts";
import { readAgentSummary } from "../engines/local/agent-summary.ts";
import { artifactsOf } from "../engines/local/artifacts.ts";
import type { Collected } from "../engines/local/collect-files.ts";
import { readTaskTitle } from "../engines/local/commit-message.ts";
import type { EndOfRun, Reported } from "../engines/local/local-run.ts";
import { reportsOf } from "../engines/local/reports.ts";
import { type RunFolder, writeWhole } from "../engines/local/run-folder.ts";
import { diffStats, type Repository } from "../git/index.ts";
import { readJournal } from "../journal/read.ts";
import { MOST_FILES } from "../report/caps.ts";
import { mermaidEdges, mermaidGraph } from "../report/graph-mermaid.ts";
import { type RunGraph, runGraph } from "../report/graph-text.ts";
import { jsonReport } from "../report/json.ts";
import { markdownReport } from "../report/markdown.ts";
import { MERMAID_EDGE_LIMIT } from "../report/mermaid-limits.ts";
import type { Artifacts, KeptFiles, RunReport } from "../report/model.ts";
import { pullRequestReport } from "../report/pull-request.ts";
import { checkResult } from "../report/result-checks.ts";
import { runReport } from "../report/run-report.ts";
import type { Beside } from "../report/task-report.ts";
import { clockOf, type Host } from "./host.ts";
import { changedConfig } from "./restore-config.ts";
import { type Mask, maskTexts, runMask } from "./run-mask.ts";
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
async function reportAt(
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
    summaries: masked(await readSummaries(folder, state, told), mask),
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

async function readSummaries(
  folder: RunFolder,
  state: RunState,
  told: readonly PastAttempt[],
): Promise<Map<AttemptId, string>> {
  const all = told.map(async (one) => [one.id, await readAgentSummary(folder, state, one)] as const);
  return new Map((await Promise.all(all)).filter(([, text]) => text !== ""));
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

export async function graphOfRun(host: Host, found: FoundRun): Promise<RunGraph> {
  const { seen } = await maskedRun(host, found);
  const { state, rows, progress } = seen;
  return runGraph({ plan: state.index.plan, rows, run: state.run, summary: formatCounts(rows, progress) });
}

/** What happened when, ready to be drawn. */
export async function timelineOfRun(host: Host, found: FoundRun): Promise<Timeline> {
  const { facts, seen } = await maskedRun(host, found);
  return timelineOf(facts, seen);
}

type MaskedRun = { readonly facts: readonly Fact[]; readonly seen: Overview };

/** What a picture is made of is no plain data, so the facts are masked and folded again (I13). */
async function maskedRun(host: Host, found: FoundRun): Promise<MaskedRun> {
  const { known } = found;
  const facts = maskTexts(
    known.facts,
    await runMask(host, { repository: found.repository, folder: known.folder }),
  );
  const state = replay(facts) ?? known.state;
  const isRunning = known.driver !== null;
  const now = timeShown(state, clockOf(host).now(), isRunning);
  return { facts, seen: overview(state, now, { isRunning }) };
}

export async function readPullRequestText(host: Host, found: FoundRun): Promise<string> {
  const { repository, known } = found;
  const { folder, state } = known;
  const mask = await runMask(host, { repository, folder });
  const report = await nameTasks(await reportOf(host, found), { folder, state, mask });
  return pullRequestText(report, await graphOfRun(host, found));
}

/** A reviewer does not know ids: tasks without a title are called as in their commits. */
async function nameTasks(report: RunReport, { folder, state, mask }: EndOfRun): Promise<RunReport> {
  const { plan, indexOf } = state.index;
  const tasks = report.tasks.map(async (one) => {
    const task = plan.tasks[indexOf.get(one.task) ?? -1];
    return task === undefined ? one : { ...one, title: await readTaskTitle({ folder, mask }, task) };
  });
  return { ...report, tasks: await Promise.all(tasks) };
}

function pullRequestText(
  report: RunReport,
  { preview, words }: RunGraph,
  scope: ProposalScope = WHOLE_RUN,
): string {
  const edges = mermaidEdges(preview);
  if (edges === 0) return pullRequestReport(report, "", scope); // the table says as much
  return pullRequestReport(report, edges > MERMAID_EDGE_LIMIT ? null : mermaidGraph(preview, words), scope);
}

/** The same by its driver, which is about to propose what the run made: all that can be merged is. */
export async function proposalText(
  repository: Repository,
  end: EndOfRun,
): Promise<(scope: ProposalScope) => string> {
  const { mask } = end;
  const state = assumePublished(end.state);
  const { facts } = await readJournal<Fact>(end.folder.journal, { parse: parseFact });
  const report = await reportAt(repository, { ...end, state }, { isRunning: true });
  const named = await nameTasks(report, { ...end, state });
  const summary = proposedSentence(state);
  const rows = taskRows(state, state.clock);
  const graph = runGraph(maskTexts({ plan: state.index.plan, rows, run: state.run, summary }, mask));
  return (scope) => {
    const checks = maskTexts(checkResult(state, facts, scope.tree ?? undefined), mask);
    return pullRequestText({ ...named, text: summary, checks }, graph, scope);
  };
}

function proposedSentence(state: RunState): string {
  const counts = formatCounts(taskRows(state, state.clock), progress(state));
  return state.index.plan.gates.length > 0 ? `${counts}, every gate green` : counts;
}
