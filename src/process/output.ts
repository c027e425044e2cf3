// What a child prints, on its way from the pipe: masked, written to the log, kept as a tail, given out in lines. The next chunk is
// read when this one is dealt with, so a slow taker slows the child down and nothing piles up here (I10).

import type { Readable } from "node:stream";
import { systemClock } from "../util/clock.ts";
import { deferred } from "../util/deferred.ts";
import type { AttemptLog } from "./attempt-log.ts";
import { createLineSplitter, type Line } from "./lines.ts";
import type { MaskStream } from "./mask/mask-stream.ts";
import type { Masker } from "./mask/masker.ts";
import { pause, turn, waitFor } from "./pause.ts";

/** Who takes what a child prints; all of it masked. A promise holds the child back until it resolves. */
export type Takers = {
  readonly onLine?: ((line: Line) => void | Promise<void>) | undefined;
  readonly onStdout?: ((bytes: Buffer) => void | Promise<void>) | undefined;
  readonly onStderr?: ((bytes: Buffer) => void | Promise<void>) | undefined;
};

/** How one stream is treated. */
export type Treatment = {
  readonly masker: Masker | null;
  readonly log: AttemptLog | null;
  readonly take: ((bytes: Buffer) => void | Promise<void>) | undefined;
  readonly lines: {
    readonly maxBytes: number;
    readonly take: Takers["onLine"];
    readonly heard: () => void;
  } | null;
};

/** A stream that is being read. */
export type Output = {
  /** Resolves when the pipe is closed and everything was taken; rejects when a taker does. */
  readonly ended: Promise<void>;
  /** Resolves when nothing more is read. */
  readonly closed: Promise<void>;
  readonly bytes: () => number;
  readonly isOpen: () => boolean;
  /** For bytes, and not for a taker. */
  readonly isWaiting: () => boolean;
  /** Reads no more. What was read is still taken. */
  readonly cut: () => void;
  readonly wasCut: () => boolean;
};

export function readOutput(stream: Readable, treatment: Treatment): Output {
  const mask: MaskStream = treatment.masker?.stream() ?? { push: (chunk) => chunk, end: () => NOTHING };
  const { take, finish } = taking(treatment);
  const closed = deferred<void>();
  let bytes = 0;
  let isOpen = true;
  let isWaiting = false;
  let wasCut = false;

  /** Nothing: the end. A pipe that breaks has ended, whatever the error: the child's exit says how. */
  async function next(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
    isWaiting = true;
    try {
      const { done, value } = await chunks.next();
      return done ? undefined : value;
    } catch {
      return undefined;
    } finally {
      isWaiting = false;
    }
  }

  function close(): void {
    isOpen = false;
    stream.destroy();
    closed.resolve();
  }

  async function pump(): Promise<void> {
    try {
      const chunks = stream[Symbol.asyncIterator]();
      for (let chunk = await next(chunks); chunk !== undefined; chunk = await next(chunks)) {
        bytes += chunk.length;
        const masked = mask.push(chunk);
        if (masked.length > 0) await take(masked);
      }
    } finally {
      close();
    }
    await take(mask.end());
    await finish();
  }

  return {
    ended: pump(),
    closed: closed.promise,
    bytes: () => bytes,
    isOpen: () => isOpen,
    isWaiting: () => isWaiting,
    cut: () => {
      wasCut ||= isOpen;
      close();
    },
    wasCut: () => wasCut,
  };
}

const NOTHING = Buffer.alloc(0);
const NEWLINE = 10;

function taking({ log, take, lines }: Treatment) {
  const splitter = lines ? createLineSplitter(lines.maxBytes) : null;

  async function giveOut(found: Iterable<Line>): Promise<void> {
    for (const line of found) {
      const pending = lines?.take?.(line);
      if (pending) await pending;
    }
  }

  return {
    take: async (bytes: Buffer): Promise<void> => {
      const isLine = bytes.includes(NEWLINE);
      if (isLine) lines?.heard(); // before anything is waited for: time that we need is not the child's
      await take?.(bytes); // before the log, which may be slow: two streams are told apart by who takes them, in the order of their reading
      await log?.write(bytes);
      await giveOut(splitter?.push(bytes) ?? []);
      if (isLine) lines?.heard();
    },
    finish: async (): Promise<void> => giveOut(splitter?.end() ?? []),
  };
}

const LOOK_MS = 100;
/** What may be in a pipe and on its way, and more. */
const READY_BYTES = 1024 * 1024;

/**
 * Reads pipes to their end, but not for ever: somebody may hold them who cannot be found. Meanwhile it goes on looking, since a
 * pipe that is still open says that there is somebody.
 */
export async function drain(
  outputs: readonly Output[],
  { deadlineMs, look }: { readonly deadlineMs: number; readonly look: () => Promise<unknown> },
): Promise<void> {
  const start = systemClock.monotonic();
  const closed = Promise.all(outputs.map((one) => one.closed));
  const someOpen = (): boolean => outputs.some((one) => one.isOpen());
  try {
    await lookWhileOpen();
  } finally {
    await Promise.all(outputs.map(cutWhenRead)); // also when it cannot look: an open pipe would keep plait from ending
  }

  async function lookWhileOpen(): Promise<void> {
    for (let leftMs = deadlineMs; leftMs > 0; leftMs = deadlineMs - (systemClock.monotonic() - start)) {
      await waitFor(closed, Math.min(leftMs, LOOK_MS));
      if (!someOpen()) return;
      await look();
    }
  }
}

/** Reads what lies ready, since time may have run out because we were busy, and then no more. */
async function cutWhenRead(output: Output): Promise<void> {
  const limit = output.bytes() + READY_BYTES;
  while (output.isOpen() && output.bytes() < limit) {
    const before = output.bytes();
    await turn();
    await turn();
    if (!output.isWaiting()) await pause(5);
    else if (output.bytes() === before) break;
  }
  output.cut();
}
