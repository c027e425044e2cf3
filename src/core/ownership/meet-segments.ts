import { contains, DOT, intersect, pick } from "./charset.ts";
import {
  ANY_SEGMENT,
  type Automaton,
  acceptsName,
  automatonOf,
  type Edge,
  type GlobSegment,
  type Segment,
} from "./segment.ts";

/** Work that may still be spent; at zero an answer means nothing and the caller gives the safe one. */
export type Budget = { left: number };

/** Against one comparison of two beginnings. */
const WORK_OF_A_STEP = 4;

/** Room for two segments of 500 characters; longer ones are nothing that a person compares in the head either. */
const MAX_CELLS = 1_000_000;

/** How far the name made so far is a legal one: it is not while empty (0), "." (1) or ".." (2). */
const LEGAL = 3;
const STAGES = 4;

/** A name that both automata accept, or null. Breadth first over pairs of states: each pair is looked at once. */
function meetAutomata(a: Automaton, b: Automaton, budget: Budget): string | null {
  const width = b.states.length;
  const size = a.states.length * width * STAGES;
  if (size > MAX_CELLS || budget.left <= 0) {
    budget.left = 0;
    return null;
  }
  const search: Search = { a, b, cameFrom: new Int32Array(size), by: new Int32Array(size), queue: [0] };
  const goal = cellOf(search, { x: a.accept, y: b.accept, stage: LEGAL });
  for (let head = 0; head < search.queue.length; head += 1) {
    const cell = search.queue[head] as number;
    if (cell === goal) return spelled(search, goal);
    stepFrom(search, cell);
    budget.left -= WORK_OF_A_STEP;
    if (budget.left <= 0) return null;
  }
  return null;
}

/** `cameFrom` counts cells from 1, so that 0 says "not seen"; `by` is the character taken on the way, 0 for none. */
type Search = {
  readonly a: Automaton;
  readonly b: Automaton;
  readonly cameFrom: Int32Array;
  readonly by: Int32Array;
  readonly queue: number[];
};
type Place = { readonly x: number; readonly y: number; readonly stage: number };

function cellOf(search: Search, { x, y, stage }: Place): number {
  return (x * search.b.states.length + y) * STAGES + stage;
}

function placeOf(search: Search, cell: number): Place {
  const pair = Math.floor(cell / STAGES);
  const width = search.b.states.length;
  return { x: Math.floor(pair / width), y: pair % width, stage: cell % STAGES };
}

function stepFrom(search: Search, cell: number): void {
  const { x, y, stage } = placeOf(search, cell);
  const mine = search.a.states[x] as readonly Edge[];
  const theirs = search.b.states[y] as readonly Edge[];
  for (const { on, to } of mine) if (on === null) visit(search, cellOf(search, { x: to, y, stage }), cell, 0);
  for (const { on, to } of theirs)
    if (on === null) visit(search, cellOf(search, { x, y: to, stage }), cell, 0);
  const dotted = Math.min(stage + 1, LEGAL);
  for (const one of mine) {
    for (const other of theirs) {
      if (one.on === null || other.on === null) continue;
      const named = cellOf(search, { x: one.to, y: other.to, stage: LEGAL });
      // A legal name can go on in every way that a dotted one can.
      if (isSeen(search, named)) continue;
      const both = intersect(one.on, other.on);
      const code = pick(both);
      if (code !== null) visit(search, named, cell, code);
      if (contains(both, DOT)) visit(search, named - LEGAL + dotted, cell, DOT);
    }
  }
}

function isSeen(search: Search, cell: number): boolean {
  return search.cameFrom[cell] !== 0;
}

function visit(search: Search, cell: number, from: number, by: number): void {
  if (cell === 0 || isSeen(search, cell)) return;
  search.cameFrom[cell] = from + 1;
  search.by[cell] = by;
  search.queue.push(cell);
}

function spelled({ cameFrom, by }: Search, goal: number): string {
  const codes: number[] = [];
  for (let cell = goal; cell !== 0; cell = (cameFrom[cell] as number) - 1) {
    if (by[cell] !== 0) codes.push(by[cell] as number);
  }
  return String.fromCodePoint(...codes.reverse());
}

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
