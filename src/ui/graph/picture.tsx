import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { countActors } from "../../core/select/overview.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import type { NextActor } from "../../core/select/task-status.ts";
import type { NodeText } from "../../core/select/task-status-text.ts";
import type { Box, GraphLayout } from "../../report/graph-layout.ts";
import { stripAnsi } from "../parts/ansi.ts";
import { ACTORS, StateIcon } from "../parts/icon.tsx";
import { fitted, type Measure, pageMeasure } from "./picture/measure.ts";
import { edgePaths, TILE_WIDTH, tilePaths } from "./picture/paths.ts";
import { PADDING, TEXT_AT } from "./picture/plan-picture.ts";
import { type Level, meets } from "./picture/view.ts";
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

/** Tasks by who moves them next, as parts of a bar inside of an SVG; its numbers are beside it. */
function ActorBarSvg({ actors, width, height }: BarProps) {
  const total = ACTORS.reduce((sum, actor) => sum + actors[actor], 0);
  const parts = ACTORS.filter((actor) => actors[actor] > 0);
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

type NodeLook = {
  readonly row: TaskRow;
  readonly text: NodeText;
  readonly box: Box;
  readonly level: Level;
  readonly isSelected: boolean;
  readonly isFocused: boolean;
  readonly isDimmed: boolean;
  readonly isCritical: boolean;
};

/** Everything that a node is rendered from, as one string: while it stays the same, so does the node. */
const nodeKey = ({ row, text, box, level, ...flags }: NodeLook): string =>
  [
    row.status.kind,
    text.line,
    text.mark,
    text.share?.toFixed(3),
    box.x,
    box.y,
    level,
    ...Object.values(flags),
  ].join("|");

/** A task as a box: its sign, its name, and a line below it. */
function graphNode(look: NodeLook, measure: Measure): JSX.Element {
  const { row, text, box, level } = look;
  const { width, height } = box;
  const isSmall = level !== "full";
  return (
    <g key={row.task} class={className(look)} transform={`translate(${box.x} ${box.y})`}>
      {look.isSelected && <rect {...placeRing(box)} class="graph-ring" />}
      {look.isFocused && <rect {...placeRing(box)} class="graph-focus" />}
      <rect class="graph-box" width={width} height={height} rx="6" />
      {text.share !== null && !isSmall && (
        <rect class="graph-share" x={PADDING} y={height - 3} height="2" width={share(text.share, width)} />
      )}
      {level === "signs" ? (
        <g transform={`translate(${width / 2 - 11} ${height / 2 - 11})`}>
          <StateIcon shown={row.status.kind} size={22} />
        </g>
      ) : (
        <g transform={`translate(${PADDING} ${isSmall ? 15 : 8})`}>
          <StateIcon shown={row.status.kind} />
        </g>
      )}
      {level !== "signs" && nodeName(look, measure)}
      {!isSmall && (
        <text class="graph-line" x={TEXT_AT} y="35">
          {fitted(stripAnsi(text.line), width - TEXT_AT - 4, (one) => measure(one, "line"))}
        </text>
      )}
    </g>
  );
}

function nodeName({ row, text, box, level }: NodeLook, measure: Measure): JSX.Element[] {
  const y = level === "full" ? 19 : 26;
  const mark = text.mark === null ? 0 : measure(text.mark, "mark") + 6;
  const room = box.width - TEXT_AT - PADDING - mark + 1;
  return [
    <text key="id" class="graph-id" x={TEXT_AT} y={y}>
      {fitted(row.task, room, (one) => measure(one, "id"))}
    </text>,
    <text key="mark" class="graph-mark" x={box.width - PADDING} y={y}>
      {text.mark ?? ""}
    </text>,
  ];
}

const share = (part: number, width: number): number => Math.max(2, part * (width - 2 * PADDING));

const placeRing = ({ width, height }: Box) => ({
  ...{ x: -4, y: -4, width: width + 8, height: height + 8, rx: 9 },
});

const className = ({ row, isSelected, isDimmed, isCritical }: NodeLook): string =>
  [
    `graph-node actor-${row.actor} is-${row.status.kind}`,
    isSelected && "is-selected",
    isDimmed && "is-dimmed",
    isCritical && "is-critical",
  ]
    .filter(Boolean)
    .join(" ");
