// One line a task, as scripts read them from the standard output of parallel-orchestra.

import type { Result } from "./results.ts";

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
