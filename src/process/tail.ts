/** The last bytes of a stream, in memory that does not grow with the stream (I10). */
export type Tail = {
  readonly push: (chunk: Buffer) => void;
  readonly bytes: () => Buffer;
  /** How many bytes came before those that are kept. */
  readonly droppedBytes: () => number;
};

export const DEFAULT_TAIL_BYTES = 65_536;

export function createTail(maxBytes = DEFAULT_TAIL_BYTES): Tail {
  let ring = Buffer.allocUnsafe(0);
  let at = 0; // where the next byte goes, once the ring is full also where the oldest one is
  let length = 0;
  let total = 0;

  function grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(needed, 2 * ring.length, 1024)));
    ring.copy(larger, 0, 0, length);
    ring = larger;
    at = length;
  }

  return {
    push: (chunk) => {
      total += chunk.length;
      const kept = chunk.length > maxBytes ? chunk.subarray(chunk.length - maxBytes) : chunk;
      // Until the ring has its full size nothing wraps: the bytes lie in order from 0.
      if (ring.length < maxBytes && length + kept.length > ring.length) grow(length + kept.length);
      if (ring.length === 0) return;
      const first = Math.min(kept.length, ring.length - at);
      kept.copy(ring, at, 0, first);
      kept.copy(ring, 0, first);
      at = (at + kept.length) % ring.length;
      length = Math.min(length + kept.length, ring.length);
    },
    bytes: () => {
      const start = length < ring.length ? 0 : at;
      return Buffer.concat([ring.subarray(start, length), ring.subarray(0, start)]);
    },
    droppedBytes: () => total - length,
  };
}

/** The last lines of a text, for messages; blank lines at the end are left out. */
export function lastLines(text: string, count: number): string[] {
  const shown = text.trimEnd();
  return shown === "" ? [] : shown.split(/\r?\n/).slice(-count);
}
