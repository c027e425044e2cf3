import type { RunState } from "../core/run-state.ts";
import { countsText } from "../core/select/end-words.ts";
import { progress } from "../core/select/progress.ts";
import { taskRows } from "../core/select/task-rows.ts";
import type { EndOfRun } from "../engines/local/local-run.ts";
import type { Repository } from "../git/index.ts";
import { mermaidEdges, mermaidGraph } from "../report/graph-mermaid.ts";
import { MERMAID_EDGE_LIMIT } from "../report/mermaid-limits.ts";
import type { RunReport } from "../report/model.ts";
import { pullRequestReport } from "../report/pull-request.ts";
import { type RunGraph, runGraph } from "../report/run-graph.ts";
import { maskTexts } from "./mask-texts.ts";
import { reportAt } from "./write-report.ts";

/** The report of a run as the body of a pull request. */
export function pullRequestText(report: RunReport, { preview, words }: RunGraph): string {
  const edges = mermaidEdges(preview);
  if (edges === 0) return pullRequestReport(report, ""); // the table says as much
  return pullRequestReport(report, edges > MERMAID_EDGE_LIMIT ? null : mermaidGraph(preview, words));
}

/** The same by its driver, which is about to propose what the run made: all that can be merged is. */
export async function proposalText(repository: Repository, end: EndOfRun): Promise<string> {
  const { state, mask } = end;
  const report = await reportAt(repository, end, { isDriven: true });
  const says = proposedSentence(state);
  const rows = taskRows(state, state.clock);
  const graph = runGraph(maskTexts({ plan: state.index.plan, rows, run: state.run, says }, mask));
  return pullRequestText({ ...report, says }, graph);
}

function proposedSentence(state: RunState): string {
  const counts = countsText(taskRows(state, state.clock), progress(state));
  return state.index.plan.gates.length > 0 ? `${counts}, every gate green` : counts;
}
