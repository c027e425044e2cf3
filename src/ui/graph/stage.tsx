import { useMemo, useRef, useState } from "preact/hooks";
import type { Box } from "../../report/graph-layout.ts";
import { stripAnsi } from "../parts/ansi.ts";
import { useSize } from "../parts/measured.ts";
import { type Point, spread } from "./picture/view.ts";
import { Picture } from "./picture.tsx";
import type { GraphModel } from "./use-graph.ts";
import { useGraphKeys } from "./use-graph-keys.ts";
import { useView, type ViewControl } from "./use-view.ts";

/** The graph itself, as an image that can be moved. Whoever cannot see it has the list beside it. */
export function Stage({ model }: { readonly model: GraphModel }) {
  const stage = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const dots = useRef<HTMLDivElement>(null);
  const window = useSize(stage);
  const layout = useMemo(() => spread(model.picture.layout, window), [model.picture, window]);
  const [hovered, setHovered] = useState<number | null>(null);
  const view = useView({
    ...{ moved: { stage, picture, dots }, window, layout },
    tap: (at) => model.select(taskAt(layout.nodes, at)),
    open: (at) => {
      const task = taskAt(layout.nodes, at);
      if (task !== null) model.open(task);
    },
    hover: (at) => setHovered(at === null ? null : taskAt(layout.nodes, at)),
  });
  useGraphKeys({ model, view, layout });
  const { scale } = view.drawn;
  return (
    <div ref={stage} class="graph-stage">
      <div ref={dots} class="graph-dots" />
      <div ref={picture} class="graph-moved">
        <svg
          class="graph-svg"
          role="img"
          aria-label={model.name}
          width={layout.width * scale}
          height={layout.height * scale}
          style={{ "--zoom": scale }}
        >
          <g transform={`scale(${scale})`}>
            <Picture model={model} layout={layout} drawn={view.drawn} />
          </g>
        </svg>
      </div>
      {hovered !== null && <Hint model={model} task={hovered} box={layout.nodes[hovered]} view={view} />}
      <Controls view={view} />
      <Legend />
    </div>
  );
}

/** The task whose box is there; what failed is drawn larger from afar, so a little beside it counts, too. */
function taskAt(nodes: readonly Box[], { x, y }: Point): number | null {
  const found = nodes.findIndex(
    (box) => x >= box.x - 4 && x <= box.x + box.width + 4 && y >= box.y - 4 && y <= box.y + box.height + 4,
  );
  return found < 0 ? null : found;
}

const STEP = 1.25;

function Controls({ view }: { readonly view: ViewControl }) {
  const buttons = [
    ["Zoom out", "−", () => view.zoom(1 / STEP)],
    ["Fit the graph", "Fit", view.fit],
    ["Zoom in", "+", () => view.zoom(STEP)],
  ] as const;
  return (
    <div class="graph-controls choices">
      {buttons.map(([name, sign, press]) => (
        <button key={name} type="button" aria-label={name} onClick={press}>
          {sign}
        </button>
      ))}
    </div>
  );
}

const LINES = [
  ["is-done is-critical", "critical path"],
  ["is-waiting", "waiting"],
  ["is-blocked", "failed"],
] as const;

function Legend() {
  return (
    <ul class="graph-legend small quiet" aria-label="Legend">
      {LINES.map(([look, word]) => (
        <li key={word}>
          <svg width="22" height="4" aria-hidden="true">
            <path class={`graph-edge ${look}`} d="M0 2h22" />
          </svg>
          {word}
        </li>
      ))}
    </ul>
  );
}

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
function Hint({ model, task, box, view }: HintProps) {
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
