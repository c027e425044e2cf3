import type { TaskId } from "../../core/ids.ts";
import type { Geometry } from "./geometry.ts";

/** Describes the bar that has the pointer or the focus. */
export type Tip = { readonly task: TaskId; readonly text: string; readonly x: number; readonly y: number };

const MOST_WIDTH = 320;

export function TipBox({
  tip,
  geometry: { width, nameWidth },
}: {
  readonly tip: Tip;
  readonly geometry: Geometry;
}) {
  const left = Math.max(8, Math.min(width - MOST_WIDTH - 8, nameWidth + tip.x));
  // The bar itself has a name for screen readers.
  return (
    <div
      class="timeline-tip wrap small quiet"
      aria-hidden="true"
      style={{ left: `${left}px`, top: `${tip.y + 2}px` }}
    >
      <b class="mono">{tip.task}</b> {tip.text}
    </div>
  );
}
