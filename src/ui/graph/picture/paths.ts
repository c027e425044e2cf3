import type { TaskRow } from "../../../core/select/task-rows.ts";
import { type Box, curve, type GraphLayout, type Piece } from "../../../report/graph-layout.ts";
import type { PlanPicture } from "./plan-picture.ts";
import { meets } from "./view.ts";

/** How an edge is drawn. All edges of one look are one path: hundreds of elements would be slow to move. */
export type EdgeLook = {
  /** Merged, not yet, or never because its need failed. */
  readonly kind: "done" | "waiting" | "blocked";
  readonly isCritical: boolean;
  readonly isDimmed: boolean;
};

type EdgePath = { readonly className: string; readonly d: string };

type EdgeInput = {
  readonly picture: PlanPicture;
  readonly layout: GraphLayout;
  readonly look: (from: number, to: number) => EdgeLook;
  /** Its edges are drawn although other needs imply them; null where no task is selected. */
  readonly selected: number | null;
  /** Edges that pass nowhere near are left out. */
  readonly drawn: Box;
  /** Where nodes are drawn narrower than their boxes, edges reach further; null where they are not. */
  readonly nodeWidth: number | null;
};

/** In the order in which they are drawn: the critical path comes last and lies on top. */
export function edgePaths({ picture, layout, look, selected, drawn, nodeWidth }: EdgeInput): EdgePath[] {
  const paths = new Map<string, string[]>();
  const add = (from: number, to: number, pieces: readonly Piece[]) => {
    if (!meets(around(pieces), drawn)) return;
    const name = className(look(from, to));
    const d = curve(nodeWidth === null ? pieces : reaching(pieces, nodeWidth));
    const list = paths.get(name);
    if (list === undefined) paths.set(name, [d]);
    else list.push(d);
  };
  picture.edges.forEach(({ from, to }, i) => {
    add(from, to, layout.edges[i] ?? []);
  });
  if (selected !== null) {
    for (const [from, to] of impliedEdges(picture, selected)) add(from, to, straight(layout, from, to));
  }
  return [...paths]
    .map(([name, parts]) => ({ className: name, d: parts.join("") }))
    .sort((a, b) => weight(a.className) - weight(b.className));
}

/** The same edge between narrower nodes: level up to where its box would have ended. */
function reaching(pieces: readonly Piece[], nodeWidth: number): readonly Piece[] {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first === undefined || last === undefined) return pieces;
  const shorter = ({ x1, x2 }: Piece): number => Math.max(0, (x2 - x1 - nodeWidth) / 2);
  return [
    { ...first, x2: first.x2 - shorter(first) },
    ...pieces.slice(1, -1),
    { ...last, x1: last.x1 + shorter(last) },
  ];
}

/** Needs and dependents of the task that are not drawn, because others imply them. */
function impliedEdges({ needs, dependents, edges }: PlanPicture, task: number): [number, number][] {
  const drawn = new Set(edges.filter(({ from, to }) => from === task || to === task).map(formatKey));
  const all: [number, number][] = [
    ...(needs[task] ?? []).map((from): [number, number] => [from, task]),
    ...(dependents[task] ?? []).map((to): [number, number] => [task, to]),
  ];
  return all.filter(([from, to]) => !drawn.has(formatKey({ from, to })));
}

const formatKey = ({ from, to }: { readonly from: number; readonly to: number }): string => `${from} ${to}`;

function straight({ nodes }: GraphLayout, from: number, to: number): Piece[] {
  return [from, to].flatMap((node) => {
    const box = nodes[node];
    return box === undefined ? [] : [{ x1: box.x, x2: box.x + box.width, y: box.y + box.height / 2 }];
  });
}

const className = ({ kind, isCritical, isDimmed }: EdgeLook): string =>
  `graph-edge is-${kind}${isCritical ? " is-critical" : ""}${isDimmed ? " is-dimmed" : ""}`;

const weight = (name: string): number =>
  (name.includes("is-critical") ? 4 : 0) +
  (name.includes("is-blocked") ? 2 : 0) -
  (name.includes("is-dimmed") ? 1 : 0);

function around(pieces: readonly Piece[]): Box {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x1, x2, y } of pieces) {
    [left, right] = [Math.min(left, x1), Math.max(right, x2)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return { x: left, y: top - 1, width: right - left, height: bottom - top + 2 };
}

/** Very many tasks as tiles, 16 × 8 px at a fifth of their size; all of one look are one path. Shapes differ, not only colors. */
type TilePath = { readonly className: string; readonly d: string };

export const TILE_WIDTH = 88;
const TILE_HEIGHT = 44;
const LARGE = { width: 116, height: 64 };

export function tilePaths(
  tiles: readonly { readonly row: TaskRow; readonly box: Box; readonly isDimmed: boolean }[],
): TilePath[] {
  const paths = new Map<string, string>();
  const add = (name: string, d: string) => paths.set(name, (paths.get(name) ?? "") + d);
  for (const { row, box, isDimmed } of tiles) {
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const dim = isDimmed ? " is-dimmed" : "";
    for (const [name, d] of shapes(row, middle)) add(`graph-tile actor-${row.actor} ${name}${dim}`, d);
  }
  // What failed is larger than its place: it lies on top.
  return [...paths]
    .map(([className, d]) => ({ className, d }))
    .sort((a, b) => Number(a.className.includes("actor-you")) - Number(b.className.includes("actor-you")));
}

type Middle = { readonly x: number; readonly y: number };

function shapes({ actor, status: { kind } }: TaskRow, at: Middle): [name: string, d: string][] {
  const whole = block(at, TILE_WIDTH, TILE_HEIGHT);
  switch (actor) {
    case "done":
      return [["is-solid", block(at, TILE_WIDTH, TILE_HEIGHT / 2)]];
    case "agents":
      return [["is-solid", whole]];
    case "plait":
      return [
        ["is-solid", whole],
        ["is-cut", `M${at.x - TILE_WIDTH / 4} ${at.y}h${TILE_WIDTH / 2}`],
      ];
    case "clock":
      return [["is-outline", whole]];
    case "you":
      return [
        ["is-solid", block(at, LARGE.width, LARGE.height)],
        ["is-cut", kind === "held" ? mark(at) : cross(at)],
      ];
    default:
      return [[kind === "waiting" ? "is-hollow" : "is-hollow is-dashed", whole]];
  }
}

const block = ({ x, y }: Middle, width: number, height: number): string =>
  `M${x - width / 2} ${y - height / 2}h${width}v${height}h${-width}z`;

const cross = ({ x, y }: Middle): string => `M${x - 14} ${y - 14}l28 28m0 -28l-28 28`;

const mark = ({ x, y }: Middle): string => `M${x} ${y - 18}v20m0 12v4`;
