import type { Box, GraphLayout, Piece } from "../../../report/graph-layout.ts";
import { curve } from "../../../report/graph-layout.ts";
import type { PlanPicture } from "./plan-picture.ts";
import { meets } from "./view.ts";

/** How an edge is drawn. All edges of one look are one path: hundreds of elements would be slow to move. */
export type EdgeLook = {
  /** Merged, not yet, or never because its need failed. */
  readonly kind: "done" | "waiting" | "blocked";
  readonly isCritical: boolean;
  readonly isDimmed: boolean;
};

export type EdgePath = { readonly className: string; readonly d: string };

export type EdgeInput = {
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
