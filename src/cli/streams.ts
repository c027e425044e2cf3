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

/** What is known about where a stream leads. */
export type StreamFacts = { readonly isTerminal: boolean; readonly width: number };

/** The width that text has when nobody says otherwise: a file, a pipe. */
const DEFAULT_WIDTH = 80;

export function resultStream(): StreamFacts {
  return factsOf(process.stdout);
}

export function errorStream(): StreamFacts {
  return factsOf(process.stderr);
}

/** A full disk is a failure, a closed pipe is not; nobody can be told about a broken stderr. */
export function failWriting(onFailure: (error: Error) => void): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") onFailure(error);
  });
  process.stderr.on("error", () => {});
}

function factsOf(stream: NodeJS.WriteStream): StreamFacts {
  const isTerminal = stream.isTTY === true;
  return { isTerminal, width: isTerminal && stream.columns > 0 ? stream.columns : DEFAULT_WIDTH };
}
