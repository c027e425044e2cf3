import { write } from "node:fs";

/**
 * The only place that writes. stdout carries the result and nothing else, stderr everything said about it. A reader
 * that has seen enough (`plait plan x | head`) is no failure.
 */
export function writeResult(text: string): void {
  process.stdout.write(text);
}

export function writeError(text: string): void {
  process.stderr.write(text);
}

/**
 * A stream for what is printed while a run goes on. Node writes to terminals and pipes while everything else waits, so a
 * stopped terminal or a reader that does not read would stop the run. Here a write waits in a thread of its own.
 */
export function patientStream(name: "stdout" | "stderr"): PatientStream {
  const stream = name === "stdout" ? process.stdout : process.stderr;
  let last: Promise<void> = Promise.resolve();
  return {
    settled: async () => {
      for (let seen: Promise<void> | null = null; seen !== last; ) {
        seen = last;
        await seen; // when it is done, more may have been written
      }
    },
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
    write: (text, done) => {
      underWay += 1;
      last = new Promise((resolve) => {
        writeAll(stream.fd, Buffer.from(text), (error) => {
          underWay -= 1;
          done(error);
          resolve();
        });
      });
      return true;
    },
    on: (event, listener) => stream.on(event, listener),
    off: (event, listener) => stream.off(event, listener),
  };
}

export type PatientStream = {
  /** Resolves when everything written is on its way. Perhaps never. */
  readonly settled: () => Promise<void>;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  write(text: string, done: (error?: Error | null) => void): boolean;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
};

/** Waits without keeping the process alive. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

const LONGEST_WAIT_MS = 1_000;

/** A terminal that is stopped, or a reader that does not read, is not waited for. */
export async function settleSoon(settled: Promise<unknown>): Promise<void> {
  await Promise.race([settled, pause(LONGEST_WAIT_MS)]);
}

let underWay = 0;

/** Whether somebody who does not read keeps this process from ending. */
export function isStuck(): boolean {
  return underWay > 0;
}

const FULL_PIPE_MS = 20;

function writeAll(fd: number, bytes: Buffer, done: (error?: Error | null) => void): void {
  write(fd, bytes, (error, written) => {
    // A pipe that somebody made non-blocking says so instead of waiting.
    if (error?.code === "EAGAIN") setTimeout(() => writeAll(fd, bytes, done), FULL_PIPE_MS);
    else if (error !== null) done(error);
    else if (written < bytes.length) writeAll(fd, bytes.subarray(written), done);
    else done();
  });
}

/** What is known about where a stream leads. */
export type StreamFacts = {
  readonly isTerminal: boolean;
  readonly width: number;
  /** Whether the width is only assumed: longer lines are as readable, and other programs search them. */
  readonly isUnbounded: boolean;
};

/** The width that text has when nobody says otherwise: a file, a pipe. */
const DEFAULT_WIDTH = 80;
/** What a variable may say: text in less room cannot be read, in more it is not a terminal's width. */
const NARROWEST = 20;
const WIDEST = 1_000;

/** A terminal knows its width; else the user may have said it, as the variable COLUMNS. */
export function resultStream(columns: number | null): StreamFacts {
  return factsOf(process.stdout, columns);
}

export function errorStream(columns: number | null): StreamFacts {
  return factsOf(process.stderr, columns);
}

/** A full disk is a failure, a closed pipe is not; nobody can be told about a broken stderr. */
export function failWriting(onFailure: (error: Error) => void): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") onFailure(error);
  });
  process.stderr.on("error", () => {});
}

export function factsOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  columns: number | null,
): StreamFacts {
  const isTerminal = stream.isTTY === true;
  const own = isTerminal ? (stream.columns ?? 0) : 0;
  const said = columns !== null && columns >= NARROWEST && columns <= WIDEST ? columns : null;
  const width = own > 0 ? own : (said ?? DEFAULT_WIDTH);
  return { isTerminal, width, isUnbounded: !isTerminal && said === null };
}
