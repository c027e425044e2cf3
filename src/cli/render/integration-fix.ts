import type { FixAssignment, FixAssignments } from "../../app/integrate/fix/assign-findings.ts";
import { count } from "../../core/text/figures.ts";
import type { IntegrationFinding } from "../../spec/integrate/finding.ts";
import { formatPlace } from "../../spec/integrate/summary.ts";
import type { Glyphs } from "./glyphs.ts";
import { bold, dim, type Line } from "./line.ts";
import { shown } from "./visible.ts";

type FixLook = { readonly round: number; readonly rounds: number; readonly glyphs: Glyphs };

/** The findings of each task, before agents start. */
export function renderFixRound({ sent, left }: FixAssignments, { round, rounds, glyphs }: FixLook): Line[] {
  const total = sent.reduce((sum, { findings }) => sum + findings.length, 0);
  return [
    [bold(`round ${round} of ${rounds}: send ${count(total, "finding")} to ${count(sent.length, "task")}`)],
    ...sent.flatMap((one) => renderTask(one, glyphs)),
    ...renderLeft(left, glyphs).map((line): Line => ["  ", ...line]),
  ];
}

/** How many findings no agent gets, by reason. */
export function renderLeft(left: FixAssignments["left"], glyphs: Glyphs): Line[] {
  const reasons = new Map<string, number>();
  for (const { reason } of left) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return Array.from(reasons, ([reason, n]): Line => {
    return [dim(shown(`left to you: ${count(n, "finding")}, ${reason}`, glyphs))];
  });
}

const MOST_SHOWN = 5;

function renderTask({ task, findings, run }: FixAssignment, glyphs: Glyphs): Line[] {
  const agent = task.work.kind === "agent" ? task.work.agent.use : "";
  const how = run === null ? "starts fresh with its prompt" : `continues in ${run.run}`;
  const more = findings.length - MOST_SHOWN;
  const texts = [
    ...findings.slice(0, MOST_SHOWN).map(formatFinding),
    ...(more > 0 ? [`and ${count(more, "more finding")}`] : []),
  ];
  return [
    ["  ", bold(shown(task.id, glyphs)), shown(`: ${agent}, ${how}`, glyphs)],
    ...texts.map((text): Line => ["    ", dim(shown(text, glyphs))]),
  ];
}

function formatFinding(finding: IntegrationFinding): string {
  const place = formatPlace(finding);
  return `${place === null ? "" : `${place}: `}${finding.code}: ${finding.about}: ${finding.message}`;
}
