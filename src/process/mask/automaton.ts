// Many byte strings looked for at once, each byte of the text looked at once (Aho and Corasick), as one table. The state after
// a byte is the longest end of the text so far that is the beginning of a needle: so it also says how many bytes at the end
// of a chunk may still become a find.

export type Automaton = {
  /** From state and byte to state: `next[state * width + classOf[byte]]`. State 0 is "no needle has begun". */
  readonly next: Uint16Array;
  readonly width: number;
  /** Bytes that occur in no needle share class 0. */
  readonly classOf: Uint8Array;
  /** 1 for a hash of three bytes that some needle begins with. */
  readonly begins: Uint8Array;
  /** How many bytes of a needle each state has seen. */
  readonly depth: Uint16Array;
  /** Length of the longest value that ends in each state; 0: none does. */
  readonly found: Uint16Array;
  /** The number of the longest beginning that ends in each state, from 1; 0: none does. */
  readonly foundBeginning: Uint16Array;
};

/** A needle has at least three bytes: see `skip`. */
const MIN_NEEDLE_BYTES = 3;
/** As many states as 16 bits number; each byte of each needle may need one. */
export const MAX_NEEDLE_BYTES = 65_000;

/** Values are found whole; beginnings say which of them it is, since what follows decides. */
export function buildAutomaton(values: readonly Buffer[], beginnings: readonly Buffer[]): Automaton {
  const needles = [...values, ...beginnings];
  if (needles.some(({ length }) => length < MIN_NEEDLE_BYTES)) throw new RangeError("a needle is too short");
  const classOf = byteClasses(needles);
  const width = Math.max(...classOf) + 1;
  const states = 1 + needles.reduce((sum, needle) => sum + needle.length, 0);
  if (states > MAX_NEEDLE_BYTES + 1) throw new RangeError(`${states} states do not fit the table`);
  const automaton: Automaton = {
    next: new Uint16Array(states * width),
    width,
    classOf,
    begins: new Uint8Array(HASHES),
    depth: new Uint16Array(states),
    found: new Uint16Array(states),
    foundBeginning: new Uint16Array(states),
  };
  addNeedles(automaton, values, beginnings);
  addFallbacks(automaton);
  for (const needle of needles)
    automaton.begins[hashed(hashed(hashed(0, needle, 0), needle, 1), needle, 2)] = 1;
  return automaton;
}

/**
 * For state 0: the next place from which the text may go on like a needle, looked for three bytes at a time because that is
 * several times as fast as going through the states. Less than three bytes at the end always may.
 */
export function skip({ begins }: Automaton, text: Buffer, from: number): number {
  if (text.length - from < 3) return from;
  let hash = hashed(hashed(0, text, from), text, from + 1);
  for (let i = from + 2; i < text.length; i += 1) {
    hash = hashed(hash, text, i);
    if (begins[hash] === 1) return i - 2;
  }
  return text.length - 2;
}

/** Whether a needle may begin there; always where less than three bytes follow. */
export function mayBegin({ begins }: Automaton, text: Buffer, at: number): boolean {
  return (
    text.length - at < 3 || begins[hashed(hashed(hashed(0, text, at), text, at + 1), text, at + 2)] === 1
  );
}

const HASHES = 1 << 15;

/** Of the last three bytes: what came before is shifted out. */
function hashed(hash: number, bytes: Buffer, index: number): number {
  return ((hash << 5) ^ (bytes[index] as number)) & (HASHES - 1);
}

function byteClasses(needles: readonly Buffer[]): Uint8Array {
  const classOf = new Uint8Array(256);
  const used = new Set(needles.flatMap((needle) => [...needle]));
  // 256 classes and class 0 would be one too many: then byte 0 shares the class of the bytes that do not occur, which is none.
  let id = used.size === 256 ? 0 : 1;
  for (const byte of [...used].sort((a, b) => a - b)) {
    classOf[byte] = id;
    id += 1;
  }
  return classOf;
}

/** A tree of all needles: each state has one way to it. */
function addNeedles(automaton: Automaton, values: readonly Buffer[], beginnings: readonly Buffer[]): void {
  const { next, width, classOf, depth, found, foundBeginning } = automaton;
  let last = 0;
  const endOf = (needle: Buffer): number => {
    let state = 0;
    for (const byte of needle) {
      const edge = state * width + at(classOf, byte);
      if (at(next, edge) === 0) {
        last += 1;
        next[edge] = last;
        depth[last] = at(depth, state) + 1;
      }
      state = at(next, edge);
    }
    return state;
  };
  for (const value of values) found[endOf(value)] = value.length;
  for (const [index, beginning] of beginnings.entries()) foundBeginning[endOf(beginning)] = index + 1;
}

/** Level by level: where a needle does not go on, go on with the longest other that the text may be the beginning of. */
function addFallbacks(automaton: Automaton): void {
  const { next, width, found, foundBeginning } = automaton;
  const fallback = new Uint16Array(found.length);
  const queue: number[] = [];
  for (let edge = 0; edge < width; edge += 1) if (at(next, edge) !== 0) queue.push(at(next, edge));
  for (const state of queue) {
    const other = at(fallback, state);
    if (at(found, state) === 0) found[state] = at(found, other);
    if (at(foundBeginning, state) === 0) foundBeginning[state] = at(foundBeginning, other);
    for (let edge = 0; edge < width; edge += 1) {
      const child = at(next, state * width + edge);
      const elsewhere = at(next, other * width + edge);
      if (child === 0) {
        next[state * width + edge] = elsewhere;
      } else {
        fallback[child] = elsewhere;
        queue.push(child);
      }
    }
  }
}

/** Within its bounds by construction. */
function at(table: Uint8Array | Uint16Array, index: number): number {
  return table[index] as number;
}
