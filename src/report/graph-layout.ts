import { highest, type Layers, layersOf } from "./graph-layers.ts";
import { px } from "./svg-file.ts";

/** Where each node and each edge of a layered graph is drawn, left to right. */
export type GraphLayout = {
  readonly width: number;
  readonly height: number;
  /** From left to right. */
  readonly columns: readonly Span[];
  readonly nodes: readonly Box[];
  /** Per edge, in the order given: the horizontal pieces that it joins, from the right side of its first node. */
  readonly edges: readonly (readonly Piece[])[];
};

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
/** At the height y from x1 to x2; a node's piece is its own width. */
export type Piece = { readonly x1: number; readonly x2: number; readonly y: number };

type LayoutInput = {
  /** Per node its column from 0. */
  readonly column: readonly number[];
  readonly widths: readonly number[];
  readonly edges: readonly { readonly from: number; readonly to: number }[];
  readonly nodeHeight: number;
  /** Between two nodes of a column. */
  readonly nodeGap?: number;
  /** Per node: those of one name stand together in each column. */
  readonly clusters?: readonly (string | null)[];
};

const GAP_BETWEEN_NODES = 16;
const GAP_AROUND_WAY_POINT = 10;
export const GAP_BETWEEN_COLUMNS = 56;
const ROUNDS = 16;

export function layoutGraph(input: LayoutInput): GraphLayout {
  const layers = layersOf(input.column, input.edges, input.clusters);
  const columns = columnBoxes(layers, input.widths);
  const middle = heights(layers, input.nodeHeight, input.nodeGap ?? GAP_BETWEEN_NODES);
  const columnOf = new Map(layers.columns.flatMap((items, c) => items.map((item) => [item, c] as const)));
  // All nodes of a column are as wide as its widest: so no edge leaves a narrow one across its neighbours.
  const boxes = input.widths.map((_, node) => {
    const { x, width } = columns[columnOf.get(node) as number] as Span;
    return { x, y: (middle[node] as number) - input.nodeHeight / 2, width, height: input.nodeHeight };
  });
  const piece = (item: number): Piece => {
    const box = boxes[item] ?? (columns[columnOf.get(item) as number] as Span);
    return { x1: box.x, x2: box.x + box.width, y: middle[item] as number };
  };
  const last = columns.at(-1);
  return {
    width: last === undefined ? 0 : last.x + last.width,
    height: boxes.reduce((most, box) => Math.max(most, box.y + box.height), highest(middle)),
    columns,
    nodes: boxes,
    edges: layers.routes.map((route) => route.map(piece)),
  };
}

export type Span = { readonly x: number; readonly width: number };

/** The same with another distance between columns: what is left of a window is shared by the gaps. */
export function withColumnGap(layout: GraphLayout, gap: number): GraphLayout {
  const by = gap - GAP_BETWEEN_COLUMNS;
  const moved = new Map(layout.columns.map(({ x }, column) => [x, x + column * by]));
  const to = (x: number): number => moved.get(x) ?? x;
  return {
    ...layout,
    width: layout.width + Math.max(0, layout.columns.length - 1) * by,
    columns: layout.columns.map(({ x, width }) => ({ x: to(x), width })),
    nodes: layout.nodes.map((box) => ({ ...box, x: to(box.x) })),
    edges: layout.edges.map((pieces) =>
      pieces.map(({ x1, x2, y }) => ({ x1: to(x1), x2: to(x1) + x2 - x1, y })),
    ),
  };
}

function columnBoxes(layers: Layers, widths: readonly number[]): Span[] {
  let x = 0;
  return layers.columns.map((items) => {
    const width = highest(items.map((item) => widths[item] ?? 0));
    const span = { x, width };
    x += width + GAP_BETWEEN_COLUMNS;
    return span;
  });
}

/**
 * The height of each item's middle: pulled to the mean of its neighbours, order and distances kept. Way points pull
 * harder, so long edges become straight.
 */
function heights(layers: Layers, nodeHeight: number, gap: number): number[] {
  const isWay = (item: number) => layers.items[item]?.kind === "way";
  const room = (item: number) => (isWay(item) ? GAP_AROUND_WAY_POINT : nodeHeight + gap) / 2;
  const neighbours: number[][] = layers.items.map(() => []);
  for (const [left, right] of layers.links) {
    neighbours[left]?.push(right);
    neighbours[right]?.push(left);
  }
  const y = layers.items.map(() => 0);
  const place = (column: readonly number[]) => {
    const wishes = column.map((item) => wish(item, neighbours[item] ?? [], { y, isWay }));
    const offsets = offsetsOf(column.map(room));
    nearestInOrder(wishes, offsets).forEach((value, index) => {
      y[column[index] as number] = value;
    });
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const columns = round % 2 === 0 ? layers.columns : layers.columns.toReversed();
    columns.forEach(place);
  }
  const top = layers.items.reduce((least, _, item) => Math.min(least, (y[item] as number) - room(item)), 0);
  const margin = gap / 2;
  return y.map((value) => Math.round((value - top - margin) * 10) / 10);
}

type Wish = { readonly value: number; readonly weight: number };

function wish(
  item: number,
  neighbours: readonly number[],
  { y, isWay }: { y: readonly number[]; isWay: (item: number) => boolean },
): Wish {
  if (neighbours.length === 0) return { value: y[item] as number, weight: 0.1 };
  const weights = neighbours.map((other) => (isWay(item) || isWay(other) ? 4 : 1));
  const weight = weights.reduce((sum, value) => sum + value, 0);
  const value =
    neighbours.reduce((sum, other, i) => sum + (y[other] as number) * (weights[i] as number), 0) / weight;
  return { value, weight };
}

/** Where each item would stand if the column were packed tightly from 0. */
function offsetsOf(rooms: readonly number[]): number[] {
  let at = 0;
  return rooms.map((room, index) => {
    at += index === 0 ? 0 : (rooms[index - 1] as number) + room;
    return at;
  });
}

/**
 * The places nearest to the wishes (least squares) that keep order and distance: pool adjacent violators. Items that
 * would overlap form a block, and a block stands at the weighted mean of what its items wish.
 */
function nearestInOrder(wishes: readonly Wish[], offsets: readonly number[]): number[] {
  const blocks: { value: number; weight: number; size: number }[] = [];
  wishes.forEach(({ value, weight }, index) => {
    let block = { value: value - (offsets[index] as number), weight, size: 1 };
    for (let above = blocks.at(-1); above !== undefined && above.value > block.value; above = blocks.at(-1)) {
      const total = above.weight + block.weight;
      const joined = (above.value * above.weight + block.value * block.weight) / total;
      block = { value: joined, weight: total, size: above.size + block.size };
      blocks.pop();
    }
    blocks.push(block);
  });
  return blocks
    .flatMap((block) => new Array<number>(block.size).fill(block.value))
    .map((value, i) => value + (offsets[i] as number));
}

/** An edge as the path of an SVG: it leaves to the right, enters from the left, and is level where it passes a column. */
export function curve(pieces: readonly Piece[]): string {
  const [first, ...rest] = pieces;
  if (first === undefined) return "";
  let x = first.x2;
  let y = first.y;
  let path = `M${px(x)} ${px(y)}`;
  rest.forEach((piece, index) => {
    const middle = (x + piece.x1) / 2;
    path += `C${px(middle)} ${px(y)} ${px(middle)} ${px(piece.y)} ${px(piece.x1)} ${px(piece.y)}`;
    if (index < rest.length - 1) path += `H${px(piece.x2)}`;
    x = piece.x2;
    y = piece.y;
  });
  return path;
}
