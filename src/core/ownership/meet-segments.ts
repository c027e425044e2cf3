import { contains, DOT, intersect, pick } from "./charset.ts";
import type { Automaton, Edge } from "./segment.ts";

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
export function meetAutomata(a: Automaton, b: Automaton, budget: Budget): string | null {
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
