import type { FixAssignments } from "../../app/integrate/fix/assign-findings.ts";
import { count } from "../../core/select/preview/words.ts";
import type { Glyphs } from "./glyphs.ts";
import { bold, dim, type Line } from "./line.ts";
import { shown } from "./visible.ts";
import { cells, pad } from "./width.ts";

type FixLook = { readonly round: number; readonly glyphs: Glyphs };

/** Who gets what, before anyone is started. */
export function fixLines({ sent, left }: FixAssignments, { round, glyphs }: FixLook): Line[] {
  const total = sent.reduce((sum, { findings }) => sum + findings.length, 0);
  const names = Math.max(...sent.map(({ task }) => cells(task.id))) + 2;
  const rows = sent.map(({ task, findings, run }): Line => {
    const agent = task.work.kind === "agent" ? task.work.agent.use : "";
    const how = run === null ? "starts anew with its prompt" : `continues in ${run.run}`;
    return [
      "  ",
      pad(shown(task.id, glyphs), names),
      shown(`${agent}, ${count(findings.length, "finding")}; ${how}`, glyphs),
    ];
  });
  const reasons = new Map<string, number>();
  for (const { reason } of left) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return [
    [bold(`round ${round}: send ${count(total, "finding")} to ${count(sent.length, "task")}`)],
    ...rows,
    ...Array.from(
      reasons,
      ([reason, n]): Line => [dim(shown(`  left to you: ${count(n, "finding")}, ${reason}`, glyphs))],
    ),
  ];
}
