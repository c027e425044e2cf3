import type { TimelineSegment } from "../core/select/timeline/segment.ts";
import type { Timeline, TimelineRow } from "../core/select/timeline.ts";
import { mermaidText } from "../util/mermaid-text.ts";
import { STRETCH_WORDS, timelineTitle } from "./timeline-text.ts";

/** What takes less would be a hairline. */
const LEAST_MS = 1_000;

/**
 * The timeline as a Mermaid gantt chart, for Markdown pages: a section a task. Red gates, conflicts and failed attempts are
 * critical in Mermaid's words, what lasts is active, what is over is done. Times are shown in the zone of the reader.
 */
export function timelineMermaid(timeline: Timeline): string {
  const { seen, to, from } = timeline;
  return [
    // Segments of one task side by side, not below each other.
    "---",
    "displayMode: compact",
    "---",
    "gantt",
    `  title ${mermaidText(`${seen.state.run}, ${timelineTitle(timeline)}`)}`,
    "  dateFormat x",
    `  axisFormat ${axisFormat(to - from)}`,
    // Whoever reads it next week would see a line at that day.
    "  todayMarker off",
    ...timeline.rows.flatMap(section),
    "",
  ].join("\n");
}

/** As fine as neighbouring times differ. */
function axisFormat(ms: number): string {
  if (ms > 86_400_000) return "%m-%d %H:%M";
  return ms < 600_000 ? "%H:%M:%S" : "%H:%M";
}

function section(row: TimelineRow): string[] {
  const lines = [...row.segments.flatMap((one) => segmentLine(row, one)), ...row.expected.map(expectedLine)];
  const end = row.ends.at(-1);
  const mark =
    end === undefined
      ? []
      : [`    ${end.kind} :milestone, ${end.kind === "failed" ? "crit" : "done"}, ${end.at}, 0s`];
  return lines.length + mark.length === 0
    ? []
    : [`  section ${mermaidText(row.row.task)}`, ...lines, ...mark];
}

function segmentLine(
  { row }: TimelineRow,
  { kind, attempt, count, from, to, result }: TimelineSegment,
): string[] {
  if (kind === "ready" || (to - from < LEAST_MS && result !== "bad")) return [];
  const n = attempt === null || row.attempts < 2 ? "" : ` ${attempt.slice(attempt.lastIndexOf("/") + 1)}`;
  const who = row.agent === null ? "command" : "agent";
  const name =
    kind !== "agent"
      ? STRETCH_WORDS[kind]
      : count?.kind === "fix"
        ? `fix ${count.n} of ${count.of}`
        : `${who}${n}`;
  const state = result === "bad" ? "crit" : result === "under-way" ? "active" : "done";
  return [`    ${name} :${state}, ${from}, ${seconds(from, to)}`];
}

const expectedLine = ({ kind, from, to }: TimelineRow["expected"][number]): string =>
  `    expected ${kind} :${from}, ${seconds(from, to)}`;

/** A length is read the same by all versions, whatever the format of dates. */
const seconds = (from: number, to: number): string => `${Math.max(1, Math.round((to - from) / 1_000))}s`;
