import type { Box } from "../../report/graph-layout.ts";
import { stripAnsi } from "../parts/ansi.ts";
import type { GraphModel } from "./use-graph.ts";
import type { ViewControl } from "./use-view.ts";

type HintProps = {
  readonly model: GraphModel;
  readonly task: number;
  readonly box: Box | undefined;
  readonly view: ViewControl;
};

/** As in graph.css. */
const WIDEST = 320;
const TALLEST = 110;

/** What a node has no room for, shown while the pointer is on it. */
export function Hint({ model, task, box, view }: HintProps) {
  const row = model.rowOf(task);
  if (row === undefined || box === undefined) return null;
  const below = view.toScreen({ x: box.x, y: box.y + box.height });
  const above = view.toScreen(box);
  const left = Math.max(8, Math.min(below.x, view.window.width - WIDEST - 8));
  // Below the node, or above it where there is no room.
  const place =
    below.y + TALLEST < view.window.height
      ? { top: `${below.y + 8}px` }
      : { bottom: `${view.window.height - above.y + 8}px` };
  const needs = model.names(model.picture.needs[task] ?? []);
  return (
    <div class="graph-hint" style={{ left: `${left}px`, ...place }}>
      <b class="mono">{row.task}</b>
      {row.title !== row.task && <span>{row.title}</span>}
      <span class="small quiet">
        {row.status.kind}, {stripAnsi(model.nodeText(row).line)}
      </span>
      {needs !== "" && (
        <span class="small quiet">
          needs <span class="mono">{needs}</span>
        </span>
      )}
    </div>
  );
}
