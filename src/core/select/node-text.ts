import type { EpochMs } from "../facts.ts";
import { taskAt } from "../run-index.ts";
import type { RunState } from "../run-state.ts";
import { taskState } from "../run-tasks.ts";
import type { TaskRow } from "./task-rows.ts";
import { formatTaskLine, type LineLook } from "./task-status-text.ts";

/** A node of the graph, below its name: the panel says it in full. */
export type NodeText = {
  readonly line: string;
  /** `#2` from the second attempt on, `×2` where several race. */
  readonly mark: string | null;
  /** How much of its estimate has passed, from 0 to 1; null where it does not run or has no estimate. */
  readonly share: number | null;
};

export type NodeLook = Pick<LineLook, "timeOfDay"> & { readonly now: EpochMs };

export function formatNode(state: RunState, row: TaskRow, look: NodeLook): NodeText {
  const i = state.index.indexOf.get(row.task);
  if (i === undefined) return { line: row.status.kind, mark: null, share: null };
  const { live } = taskState(state, i);
  const mark = live.length > 1 ? `×${live.length}` : row.attempts > 1 ? `#${row.attempts}` : null;
  const estimateMs = taskAt(state.index, i).estimate?.timeMs ?? null;
  return { line: formatTaskLine(row, { ...look, estimateMs }), mark, share: findShare(row, estimateMs) };
}

function findShare({ actor, lastsMs }: TaskRow, ms: number | null): number | null {
  return actor !== "agents" || ms === null || ms <= 0 ? null : Math.min(1, (lastsMs ?? 0) / ms);
}
