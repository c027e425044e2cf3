import type { EpochMs } from "../core/facts.ts";
import type { Diffstat } from "../core/landing-types.ts";
import { GATE_TREES } from "../core/select/fact-text.ts";
import { count, dollars, elapsed, sizeText } from "../core/text/figures.ts";
import type { GateVerdict, KeptFiles, TaskReport } from "./model.ts";
import type { ChangedConfig } from "./task-report.ts";

/** Figures of a report in words, the same in every form of it. */

/** `2026-11-15 09:10:22`, the same on every machine. */
export const momentText = (at: EpochMs): string => new Date(at).toISOString().slice(0, 19).replace("T", " ");

/** `3 files, +120 -4`. */
export const diffText = ({ files, added, removed }: Diffstat): string =>
  `${count(files, "file")}, +${added} -${removed}`;

const MOST_CHANGES = 10;

/** `.git/config changed: core.hookspath = .husky/_`. */
export function changedText({ file, says: changes }: ChangedConfig): string {
  const more = changes.length - MOST_CHANGES;
  return `${file} changed: ${changes.slice(0, MOST_CHANGES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** `green on a retry (flaky), 0:12`. */
export function verdictText({ verdict, how, runs, durationMs, summary }: GateVerdict): string {
  if (how === "remembered") return `green, ${summary}`;
  if (how === "unaffected") return "green, no relevant files changed";
  if (how === "known") return "green, same tree as before";
  const time = `, ${elapsed(durationMs)}`;
  if (how === "no-new-failures") return `known red, no new failures${time}`;
  if (verdict === "red") return `red${runs > 1 ? ` in all ${runs} runs` : ""}${time}: ${summary}`;
  return `green${runs > 1 ? " on a retry (flaky)" : ""}${time}`;
}

export const PLACES: { readonly [P in GateVerdict["on"]]: string } = {
  ...GATE_TREES,
  work: GATE_TREES.attempt,
  merge: GATE_TREES.candidate,
};

/** `3 files, 1.2 MiB`. */
export function keptText({ count: kept, bytes, leftOut }: KeptFiles): string {
  const { files: lost, why } = leftOut;
  const rest = lost === 0 ? "" : `; ${count(lost, "file")} left out: ${why.join(", ")}`;
  return `${count(kept, "file")}, ${sizeText(bytes)}${rest}`;
}

export const TASKS_HEAD = [
  "## Tasks",
  "",
  "| task | state | attempts | time | cost | changed | commit or why |",
  "|---|---|---|---|---|---|---|",
] as const;

/** The row of a task below that head. */
export function taskCells(task: TaskReport, name: string, why: string): string {
  const { status, attempts, times, usage, diff } = task;
  const tried = attempts.length > 0;
  const cells = [
    ...[name, status],
    tried ? String(attempts.at(-1)?.n ?? 0) : "",
    tried ? elapsed(times.agentMs + times.gatesMs) : "",
    usage.costUsd === null ? "" : dollars(usage.costUsd),
    diff === null ? "" : diffText(diff),
    why,
  ];
  return `| ${cells.join(" | ")} |`;
}
