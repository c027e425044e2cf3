import type { Fact } from "../core/facts.ts";
import { parseFact } from "../core/parse-fact.ts";
import { type ProposalScope, WHOLE_RUN } from "../core/proposal.ts";
import { assumePublished } from "../core/published.ts";
import type { RunState } from "../core/run-state.ts";
import { progress } from "../core/select/progress.ts";
import { formatCounts } from "../core/select/run-status-text.ts";
import { taskRows } from "../core/select/task-rows.ts";
import type { EndOfRun } from "../engines/local/local-run.ts";
import { readTaskTitle } from "../engines/local/task-title.ts";
import type { Repository } from "../git/index.ts";
import { readJournal } from "../journal/read.ts";
import { mermaidEdges, mermaidGraph } from "../report/graph-mermaid.ts";
import { type RunGraph, runGraph } from "../report/graph-text.ts";
import { MERMAID_EDGE_LIMIT } from "../report/mermaid-limits.ts";
import type { RunReport } from "../report/model.ts";
import { pullRequestReport } from "../report/pull-request.ts";
import { checkResult } from "../report/result-checks.ts";
import type { Host } from "./host.ts";
import { maskTexts } from "./mask-texts.ts";
import { runMask } from "./run-mask.ts";
import { graphOfRun } from "./run-picture.ts";
import type { FoundRun } from "./runs.ts";
import { reportAt, reportOf } from "./write-report.ts";

/** The report of a run as the body of a pull request. */
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
