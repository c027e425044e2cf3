import { useMemo, useRef, useState } from "preact/hooks";
import type { Box } from "../../report/graph-layout.ts";
import { Hint } from "./hint.tsx";
import { Controls, Legend } from "./legend.tsx";
import { type Point, spread } from "./picture/view.ts";
import { Picture } from "./picture.tsx";
import type { GraphModel } from "./use-graph.ts";
import { useGraphKeys } from "./use-graph-keys.ts";
import { useView } from "./use-view.ts";
import { useSize } from "./use-window.ts";

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
