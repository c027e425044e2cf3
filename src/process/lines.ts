// Bytes in, lines out, whatever comes: the memory is one line's, and a line has a cap (I10). Lines are cut as bytes and
// decoded whole, so a character that two chunks share is never broken.

/** One line without its line break. `cutBytes` is how much of it was left out at its end because it was too long. */
export type Line = { readonly text: string; readonly cutBytes: number };

export type LineSplitter = {
  /**
   * The lines that these bytes complete, each made when it is asked for: a chunk may hold tens of thousands. To be gone through
   * to the end before the next.
   */
  readonly push: (chunk: Buffer) => Iterable<Line>;
  /** The last line, if it has no line break. */
  readonly end: () => Line[];
};

export const DEFAULT_MAX_LINE_BYTES = 1024 * 1024;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const FIRST_CAPACITY = 4096;
const KEPT_CAPACITY = 65_536;

export function createLineSplitter(maxLineBytes = DEFAULT_MAX_LINE_BYTES): LineSplitter {
  // The beginning of the line that is not complete yet. Copied, because a slice of a chunk would keep all of the chunk, and a
  // line may come in a million chunks.
  let begun = Buffer.allocUnsafe(0);
  let length = 0;
  let dropped = 0;

  function keep(chunk: Buffer, from: number, to: number): void {
    const room = Math.min(to - from, maxLineBytes - length);
    if (length + room > begun.length) {
      const capacity = Math.min(maxLineBytes, Math.max(FIRST_CAPACITY, 2 * begun.length, length + room));
      const larger = Buffer.allocUnsafeSlow(capacity);
      begun.copy(larger, 0, 0, length);
      begun = larger;
    }
    chunk.copy(begun, length, from, from + room);
    length += room;
    dropped += to - from - room;
  }

  function finish(): Line {
    const line = lineOf(begun, 0, length, dropped);
    length = 0;
    dropped = 0;
    if (begun.length > KEPT_CAPACITY) begun = Buffer.allocUnsafe(0);
    return line;
  }

  return {
    *push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        if (length > 0) {
          keep(chunk, from, at);
          yield finish();
        } else {
          const to = Math.min(at, from + maxLineBytes);
          yield lineOf(chunk, from, to, at - to);
        }
        from = at + 1;
      }
      if (from < chunk.length) keep(chunk, from, chunk.length);
    },
    end: () => (length > 0 ? [finish()] : []),
  };
}

function lineOf(bytes: Buffer, from: number, to: number, cutBytes: number): Line {
  if (cutBytes === 0) {
    const end = to > from && bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to;
    return { text: bytes.toString("utf8", from, end), cutBytes: 0 };
  }
  const end = wholeCharacters(bytes, from, to);
  return { text: bytes.toString("utf8", from, end), cutBytes: cutBytes + (to - end) };
}

/** Where to cut so that no character is cut in two: before the last one if it is not all there. */
function wholeCharacters(bytes: Buffer, from: number, to: number): number {
  let lead = to - 1;
  while (lead > from && lead > to - 4 && ((bytes[lead] ?? 0) & 0xc0) === 0x80) lead -= 1;
  const first = bytes[lead] ?? 0;
  const needed = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return lead >= from && lead + needed > to ? lead : to;
}
