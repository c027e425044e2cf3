// The report of parallel-orchestra, as JSON and as Markdown: its keys, its order, its figures. `merge`, `branch`, `returncode`,
// `attempts`, `cost_usd` and `findings` are added; nothing is taken away.

import type { EpochMs } from "../../core/facts.ts";
import type { Result, Status } from "./results.ts";

export type Run = {
  readonly manifest: string;
  readonly startedAt: EpochMs;
  readonly finishedAt: EpochMs;
  readonly results: readonly Result[];
};

export function jsonDocument(run: Run): string {
  const { manifest, results } = run;
  const document = {
    manifest,
    ...timesOf(run),
    duration_sec: tenths(durationOf(run)),
    total: results.length,
    succeeded: count(results, "succeeded"),
    failed: count(results, "failed"),
    skipped: count(results, "skipped") + count(results, "resumed"),
    tasks: results.map((one) => ({
      id: one.id,
      agent: one.agent,
      status: one.status,
      duration_sec: tenths(one.durationSec),
      retry_count: one.retryCount,
      failure_category: one.category,
      merge: one.merge,
      branch: one.branch,
      returncode: one.returncode,
      attempts: one.attempts,
      cost_usd: one.costUsd,
      findings: one.findings,
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const ICONS: { readonly [S in Status]: string } = {
  succeeded: "✓",
  failed: "✗",
  skipped: "⊘",
  resumed: "↩",
};

export function markdownDocument(run: Run): string {
  const { manifest, results } = run;
  const { started_at, finished_at } = timesOf(run);
  const resumed = count(results, "resumed");
  const figures = [
    `${count(results, "succeeded")} succeeded`,
    `${count(results, "failed")} failed`,
    `${count(results, "skipped")} skipped`,
    ...(resumed > 0 ? [`${resumed} resumed`] : []),
  ];
  return [
    `# Run Summary: ${manifest}`,
    "",
    `**Started:** ${started_at}`,
    `**Finished:** ${finished_at}`,
    `**Duration:** ${tenths(durationOf(run)).toFixed(1)}s`,
    "",
    `## Results: ${figures.join(" / ")}`,
    "",
    "| Task | Agent | Status | Duration | Retries | Failure |",
    "|------|-------|--------|----------|---------|---------|",
    ...results.map(row),
    "",
  ].join("\n");
}

function row({ id, agent, status, durationSec, retryCount, category }: Result): string {
  const ran = status === "succeeded" || status === "failed";
  const cells = [
    cell(id),
    cell(agent),
    `${ICONS[status]} ${status}`,
    ran ? `${tenths(durationSec).toFixed(1)}s` : "—",
    ran ? String(retryCount) : "—",
    ran && category !== "none" ? category : "—",
  ];
  return `| ${cells.join(" | ")} |`;
}

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** As Python writes a time of UTC. */
function timesOf({ startedAt, finishedAt }: Run): { started_at: string; finished_at: string } {
  const iso = (at: EpochMs): string => new Date(at).toISOString().replace("Z", "+00:00");
  return { started_at: iso(startedAt), finished_at: iso(finishedAt) };
}

const durationOf = ({ startedAt, finishedAt }: Run): number => Math.max(0, finishedAt - startedAt) / 1000;
const tenths = (seconds: number): number => Math.round(seconds * 10) / 10;
const count = (results: readonly Result[], status: Status): number =>
  results.filter((one) => one.status === status).length;

export function summaryLine(result: Result): string {
  const { id, agent, status, durationSec, returncode, isTimedOut, retryCount, category, says } = result;
  if (status === "resumed") return `[skip] ${id} (${agent}) resumed`;
  const label = isTimedOut ? "timeout" : status === "succeeded" ? "ok" : "fail";
  return [
    `[${label}] ${id} (${agent}) duration=${durationSec.toFixed(2)} returncode=${returncode ?? "None"}`,
    ...(isTimedOut ? ["(total timeout)"] : []),
    ...(retryCount > 0 ? [`retries=${retryCount}`] : []),
    ...(category === "none" ? [] : [`category=${category}`]),
    ...agentPart(says),
  ].join(" ");
}

function agentPart({ status, cycles, report, reason }: Result["says"]): string[] {
  return [
    ...(status === null ? [] : [`status=${status}`]),
    ...(status === null || cycles === null ? [] : [`cycles=${cycles}`]),
    ...(status === null || report === null ? [] : [`report=${report}`]),
    ...(reason === null ? [] : [`reason=${reason}`]),
  ];
}

const TAIL_LINES = 20;

/** What a task that ran out of time printed last. */
export function timeoutTail(stdout: string): string[] {
  const lines = stdout.split("\n").filter((line, i, all) => line !== "" || i < all.length - 1);
  const tail = lines.slice(-TAIL_LINES);
  if (tail.length === 0) return [];
  return [`  Last ${tail.length} lines before timeout:`, ...tail.map((line) => `  > ${line}`)];
}
