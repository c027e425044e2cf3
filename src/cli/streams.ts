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
  const said = columns !== null && columns >= NARROWEST && columns <= WIDEST ? columns : DEFAULT_WIDTH;
  return { isTerminal, width: own > 0 ? own : said };
}
