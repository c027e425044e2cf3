import { type Budget, meetAutomata } from "./meet-segments.ts";
import {
  ANY_SEGMENT,
  type Automaton,
  acceptsName,
  automatonOf,
  type GlobSegment,
  type Segment,
} from "./segment.ts";

/** A path that both lists of segments match, or null. First it is decided, then made to look like a path people use. */
export function meetPaths(a: readonly Segment[], b: readonly Segment[], budget: Budget): string | null {
  const found = search(a, b, { budget, stars: "may-be-empty" });
  if (found === null) return null;
  return search(a, b, { budget, stars: "filled" }) ?? found;
}

export function samplePath(segments: readonly Segment[], budget: Budget): string | null {
  return meetPaths(segments, [{ kind: "depth" }], budget);
}

/** Against one look at two beginnings. */
const WORK_OF_A_CELL = 8;

type Options = { readonly budget: Budget; readonly stars: "may-be-empty" | "filled" };
type Cell = {
  readonly i: number;
  readonly j: number;
  readonly from: Cell | null;
  readonly name: string | null;
};

/** Breadth first over pairs of places in the two lists: one name more on each step, or one "depth" left behind. */
function search(a: readonly Segment[], b: readonly Segment[], options: Options): string | null {
  const width = b.length + 1;
  const seen = new Uint8Array((a.length + 1) * width);
  const queue: Cell[] = [];
  const go = (i: number, j: number, from: Cell | null, name: string | null) => {
    if (seen[i * width + j] === 1) return;
    seen[i * width + j] = 1;
    queue.push({ i, j, from, name });
  };
  go(0, 0, null, null);
  for (let head = 0; head < queue.length; head += 1) {
    const cell = queue[head] as Cell;
    const { i, j } = cell;
    const [x, y] = [a[i], b[j]];
    if (x === undefined && y === undefined) return pathTo(cell);
    options.budget.left -= WORK_OF_A_CELL;
    if (options.budget.left <= 0) return null;
    if (x?.kind === "depth") go(i + 1, j, cell, null);
    if (y?.kind === "depth") go(i, j + 1, cell, null);
    if (x === undefined || y === undefined || (x.kind === "depth" && y.kind === "depth")) continue;
    const name = meetSegments(x, y, options);
    if (name !== null) go(x.kind === "depth" ? i : i + 1, y.kind === "depth" ? j : j + 1, cell, name);
  }
  return null;
}

/** One name that both segments accept; "depth" accepts any. */
function meetSegments(x: Segment, y: Segment, options: Options): string | null {
  if (x.kind === "depth") return meetSegments(ANY_SEGMENT, y, options);
  if (y.kind === "depth") return meetSegments(x, ANY_SEGMENT, options);
  if (x.kind === "text") return acceptsName(y, x.text) ? x.text : null;
  if (y.kind === "text") return acceptsName(x, y.text) ? y.text : null;
  return meetAutomata(automatonFor(x, options), automatonFor(y, options), options.budget);
}

function automatonFor(segment: GlobSegment, { stars }: Options): Automaton {
  return stars === "filled" ? automatonOf(segment.tokens, stars) : segment.automaton();
}

function pathTo(cell: Cell): string {
  const names: string[] = [];
  for (let at: Cell | null = cell; at !== null; at = at.from) if (at.name !== null) names.push(at.name);
  return names.reverse().join("/");
}
