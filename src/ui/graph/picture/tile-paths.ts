import type { TaskRow } from "../../../core/select/task-rows.ts";
import type { Box } from "../../../report/graph-layout.ts";

/** Very many tasks as tiles, 16 × 8 px at a fifth of their size; all of one look are one path. Shapes differ, not only colors. */
export type TilePath = { readonly className: string; readonly d: string };

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
