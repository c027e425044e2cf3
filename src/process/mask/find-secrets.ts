// Where secrets are in a text: values that are known, and what looks like a secret. Looked for twice, in the bytes and in what a
// person would read (I13): a value may hold what looks like an escape, and an escape may hide a value.

import { type Automaton, mayBegin, skip } from "./automaton.ts";
import { type Pattern, patterns } from "./patterns.ts";
import { type View, viewVisible } from "./visible.ts";

/** Bytes that are to be masked; `pattern`: what they look like, null where their value is known. */
export type Find = { readonly from: number; readonly to: number; readonly pattern: Pattern | null };

/** A run that goes on where the text ends. */
type OpenRun = { readonly pattern: Pattern; readonly from: number };

export type Search = {
  readonly finds: readonly Find[];
  /** What lies before is decided; the rest may become a find with what comes. */
  readonly decided: number;
  readonly open: OpenRuns;
};

export type OpenRuns = { readonly plain: readonly OpenRun[]; readonly visible: readonly OpenRun[] };

export const NO_RUNS: OpenRuns = { plain: [], visible: [] };

export type Text = { readonly bytes: Buffer; readonly isLast: boolean; readonly open: OpenRuns };

export type FindSecrets = (automaton: Automaton, text: Text) => Search;

export const findSecrets: FindSecrets = (automaton, { bytes, isLast, open }) => {
  const view = viewVisible(bytes, isLast);
  if (view !== null) {
    const seen = scanView(automaton, view, { isLast, open: open.visible });
    const isSame =
      !view.hasLeftOut &&
      open.plain.length === 0 &&
      !view.letters.some((at) => mayBegin(automaton, bytes, at) && isFindNear(automaton, bytes, at));
    const plain = isSame
      ? { ...seen, finds: [], open: [] }
      : scan(automaton, { bytes, isLast, open: open.plain });
    return joined(plain, seen);
  }
  const plain = scan(automaton, { bytes, isLast, open: open.plain });
  if (open.visible.length === open.plain.length) {
    return { ...plain, open: { plain: [], visible: plain.open } };
  }
  return joined(plain, scan(automaton, { bytes, isLast, open: open.visible }));
};

/** In the bytes alone. */
export const findPlainSecrets: FindSecrets = (automaton, { bytes, isLast, open }) => {
  const plain = scan(automaton, { bytes, isLast, open: open.plain });
  return { ...plain, open: { plain: plain.open, visible: [] } };
};

/** More than a needle and the least run behind it. */
const NEAR = 128;

function isFindNear(automaton: Automaton, bytes: Buffer, at: number): boolean {
  const near = bytes.subarray(at, at + NEAR);
  const { finds, decided } = scan(automaton, { bytes: near, isLast: false, open: [] });
  return finds.length > 0 || (decided < near.length && at + NEAR >= bytes.length);
}

/** In what a person would read; the places are those of the bytes. */
function scanView(automaton: Automaton, view: View, { isLast, open }: Omit<Scanning, "bytes">): Scanned {
  // A run that goes on has no gap in front, whatever is hidden there.
  const before = new Map(open.map(({ from }) => [view.index(from), from]));
  const start = (index: number): number => before.get(index) ?? view.start(index);
  const runs = open.map(({ pattern, from }) => ({ pattern, from: view.index(from) }));
  const seen = scan(automaton, { bytes: view.bytes, isLast, open: runs });
  // What is hidden behind a run is part of it if the run goes on, which the next bytes show.
  const end = seen.open.length > 0 ? view.end(view.bytes.length) : view.pending;
  return {
    finds: seen.finds.map((find) => ({ ...find, from: start(find.from), to: view.end(find.to) })),
    decided: Math.min(view.start(seen.decided), end, view.pending),
    open: seen.open.map(({ pattern, from }) => ({ pattern, from: start(from) })),
  };
}

type Scanned = Omit<Search, "open"> & { readonly open: readonly OpenRun[] };

type Scanning = { readonly bytes: Buffer; readonly isLast: boolean; readonly open: readonly OpenRun[] };

function joined(plain: Scanned, visible: Scanned): Search {
  return {
    finds: [...plain.finds, ...visible.finds],
    decided: Math.min(plain.decided, visible.decided),
    open: { plain: plain.open, visible: visible.open },
  };
}

const [LF, CR] = [10, 13] as const;
/** So much of a value must end a line before the next line is looked at as its rest. */
const WRAPPED_BYTES = 6;

function scan(automaton: Automaton, { bytes, isLast, open }: Scanning): Scanned {
  const { next, width, classOf, found, foundBeginning, depth } = automaton;
  const runs = new Runs(bytes, isLast);
  for (const one of open) runs.continue(one);
  const finds: Find[] = [];
  let undecided = bytes.length;
  let state = 0;
  for (let i = 0; i < bytes.length; ) {
    if (state === 0) i = skip(automaton, bytes, i);
    const byte = bytes[i] as number;
    if ((byte === LF || byte === CR) && (depth[state] as number) >= WRAPPED_BYTES) {
      const wrapped = findWrapped(automaton, { bytes, state, at: i });
      if (wrapped !== "undecided") finds.push(...wrapped);
      else if (!isLast) undecided = Math.min(undecided, i - (depth[state] as number));
    }
    state = next[state * width + (classOf[byte] as number)] as number;
    i += 1;
    const length = found[state] as number;
    if (length > 0) finds.push({ from: i - length, to: i, pattern: null });
    const beginning = foundBeginning[state] as number;
    if (beginning > 0) runs.begin(patterns[beginning - 1] as Pattern, i);
  }
  if (!isLast) undecided = Math.min(undecided, bytes.length - (depth[state] as number), runs.undecided);
  return { finds: [...finds, ...runs.finds], decided: undecided, open: runs.open };
}

/** A value that was wrapped: its first part ends a line, its rest begins the next one, behind what indents it. */
function findWrapped(
  automaton: Automaton,
  { bytes, state: before, at }: { bytes: Buffer; state: number; at: number },
): Find[] | "undecided" {
  const { next, width, classOf, found, depth } = automaton;
  let i = at;
  while (i < bytes.length && isLayout(bytes[i] as number)) i += 1;
  const start = i;
  for (let state = before; i < bytes.length; ) {
    state = next[state * width + (classOf[bytes[i] as number] as number)] as number;
    i += 1;
    const inRest = i - start;
    if ((depth[state] as number) <= inRest) return []; // what goes on there began there
    const length = found[state] as number;
    if (length > inRest) return [{ from: at - (length - inRest), to: i, pattern: null }];
  }
  return "undecided";
}

const isLayout = (byte: number): boolean => byte === LF || byte === CR || byte === 0x20 || byte === 0x09;

/** The runs of patterns in one text. */
class Runs {
  readonly finds: Find[] = [];
  readonly open: OpenRun[] = [];
  /** Where the first beginning lies whose run is too short so far. */
  undecided: number;
  readonly #bytes: Buffer;
  readonly #isLast: boolean;
  /** By its bytes, where the last run ends: one that begins in it ends there too. */
  readonly #ends = new Map<Uint8Array, number>();

  constructor(bytes: Buffer, isLast: boolean) {
    this.#bytes = bytes;
    this.#isLast = isLast;
    this.undecided = bytes.length;
  }

  /** One that was long enough before. */
  continue({ pattern, from }: OpenRun): void {
    const end = this.#endOf(pattern, from);
    this.#note(pattern, from, end);
  }

  begin(pattern: Pattern, from: number): void {
    const end = this.#endOf(pattern, from);
    if (end - from >= pattern.least) this.#note(pattern, from, end);
    else if (end === this.#bytes.length && !this.#isLast)
      this.undecided = Math.min(this.undecided, from - pattern.begins.length);
  }

  #note(pattern: Pattern, from: number, to: number): void {
    if (to > from) this.finds.push({ from, to, pattern });
    if (to === this.#bytes.length && !this.open.some(({ pattern: { run } }) => run === pattern.run))
      this.open.push({ pattern, from });
  }

  #endOf({ run }: Pattern, from: number): number {
    const known = this.#ends.get(run) ?? 0;
    if (known > from) return known;
    let end = from;
    while (end < this.#bytes.length && run[this.#bytes[end] as number] === 1) end += 1;
    this.#ends.set(run, end);
    return end;
  }
}
