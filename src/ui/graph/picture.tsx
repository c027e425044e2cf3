import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { countActors } from "../../core/select/overview.ts";
import type { NextActor } from "../../core/select/task-status.ts";
import type { GraphLayout } from "../../report/graph-layout.ts";
import { graphNode, type NodeLook, nodeKey } from "./graph-node.tsx";
import { pageMeasure } from "./picture/measure.ts";
import { edgePaths, TILE_WIDTH, tilePaths } from "./picture/paths.ts";
import { meets } from "./picture/view.ts";
import { type GroupRun, groupRuns } from "./picture/walk.ts";
import type { GraphModel } from "./use-graph.ts";
import type { Drawn } from "./use-view.ts";

type PictureProps = { readonly model: GraphModel; readonly layout: GraphLayout; readonly drawn: Drawn };

/** Edges, then nodes on top of them. Nothing here knows where on the screen it is. */
export function Picture(props: PictureProps) {
  const { model, layout, drawn } = props;
  const runs = useMemo(() => groupRuns(model.picture, layout), [model.picture, layout]);
  const folded = drawn.level === "signs" ? runs.filter(({ group }) => model.isFolded(group)) : [];
  const hidden = new Set(folded.flatMap(({ tasks }) => tasks));
  return (
    <>
      <Waves {...props} />
      <Edges {...props} />
      {drawn.level === "tiles" ? <Tiles {...props} /> : <Nodes {...props} hidden={hidden} />}
      <GroupBoxes runs={folded} model={model} />
    </>
  );
}

function Edges({ model, layout, drawn }: PictureProps) {
  const { picture, edgeLook, edgeKey, selected } = model;
  const isFar = drawn.level === "tiles";
  const nodeWidth = isFar ? TILE_WIDTH : null;
  const paths = useMemo(
    () => edgePaths({ picture, layout, selected, look: edgeLook, drawn: drawn.part, nodeWidth }),
    [picture, layout, selected, edgeKey, drawn.part, nodeWidth],
  );
  return (
    <g class={isFar ? "graph-edges is-far" : "graph-edges"}>
      {paths.map(({ className, d }) => (
        <path key={className} class={className} d={d} />
      ))}
    </g>
  );
}

function Nodes({ model, layout, drawn, hidden }: PictureProps & { readonly hidden: ReadonlySet<number> }) {
  const kept = useRef(new Map<number, { readonly key: string; readonly node: JSX.Element }>());
  const measure = pageMeasure();
  const nodes = layout.nodes.flatMap((box, i): JSX.Element[] => {
    if (hidden.has(i) || !meets(box, drawn.part)) return [];
    const row = model.rowOf(i);
    if (row === undefined) return [];
    const look: NodeLook = { row, text: model.nodeText(row), box, level: drawn.level, ...model.flags(i) };
    const key = nodeKey(look);
    const before = kept.current.get(i);
    // The very same element is not even compared.
    if (before?.key === key) return [before.node];
    const node = graphNode(look, measure);
    kept.current.set(i, { key, node });
    return [node];
  });
  return <g>{nodes}</g>;
}

function Tiles({ model, layout }: PictureProps) {
  const tiles = layout.nodes.flatMap((box, i) => {
    const row = model.rowOf(i);
    return row === undefined ? [] : [{ row, box, isDimmed: model.flags(i).isDimmed }];
  });
  const ring = model.selected === null ? undefined : layout.nodes[model.selected];
  return (
    <g>
      {tilePaths(tiles).map(({ className, d }) => (
        <path key={className} class={className} d={d} />
      ))}
      {ring !== undefined && (
        <rect
          class="graph-ring is-far"
          x={ring.x - 8}
          y={ring.y - 16}
          width={ring.width + 16}
          height={ring.height + 32}
          rx="20"
        />
      )}
    </g>
  );
}

/** A line where one wave ends and the next begins, with its number. */
function Waves({ model: { picture }, layout }: PictureProps) {
  return (
    <g class="graph-waves">
      {picture.waves.map(({ wave, column }, n) => {
        const at = layout.columns[column];
        if (at === undefined) return null;
        const before = layout.columns[column - 1];
        const x = before === undefined ? at.x : (before.x + before.width + at.x) / 2;
        return (
          <g key={wave}>
            {n > 0 && <path d={`M${x} -24V${layout.height}`} />}
            <text x={at.x} y="-12">
              wave {wave}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** Collapsed groups when zoomed out: one box in each column, with its name, its progress, and a bar. */
function GroupBoxes({ runs, model }: { readonly runs: readonly GroupRun[]; readonly model: GraphModel }) {
  return (
    <g>
      {runs.map(({ group, tasks, box }) => {
        const rows = tasks.flatMap((i) => model.rowOf(i) ?? []);
        const actors = countActors(rows);
        return (
          <g key={`${group} ${tasks[0]}`} class="graph-group" transform={`translate(${box.x} ${box.y})`}>
            <rect class="graph-group-box" width={box.width} height={box.height} rx="6" />
            <text class="graph-group-name" x={box.width / 2} y={box.height / 2}>
              {group}
            </text>
            <text class="graph-group-count" x={box.width / 2} y={box.height / 2}>
              {actors.done} of {rows.length}
            </text>
            <g transform={`translate(8 ${box.height - 14})`}>
              <ActorBarSvg actors={actors} width={box.width - 16} height={6} />
            </g>
          </g>
        );
      })}
    </g>
  );
}

type BarProps = {
  readonly actors: { readonly [B in NextActor]: number };
  readonly width: number;
  readonly height: number;
};

const ORDER: readonly NextActor[] = ["done", "agents", "plait", "clock", "you", "later"];

/** Tasks by who moves them next, as parts of a bar inside of an SVG; its numbers are beside it. */
function ActorBarSvg({ actors, width, height }: BarProps) {
  const total = ORDER.reduce((sum, actor) => sum + actors[actor], 0);
  const parts = ORDER.filter((actor) => actors[actor] > 0);
  const gap = 2;
  const room = Math.max(0, width - gap * (parts.length - 1));
  let x = 0;
  return (
    <>
      {parts.map((actor) => {
        const at = x;
        const part = (room * actors[actor]) / total;
        x += part + gap;
        return (
          <rect
            key={actor}
            class={`graph-bar actor-${actor}`}
            x={at}
            width={part}
            height={height}
            rx={Math.min(part, height) / 2}
          />
        );
      })}
    </>
  );
}
