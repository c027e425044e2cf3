import type { PieceChange } from "../syntax/piece-changes.ts";

/** What a task may change in a file. */
export type Permit = {
  readonly symbols: readonly string[];
  /** All names that were in the file before. */
  readonly names: ReadonlySet<string>;
  /** The file was made or taken away with all that is in it. */
  readonly isWhole: boolean;
};

export type Judged = {
  /** Not the task's. */
  readonly foreign: readonly PieceChange[];
  /** Something in it is the task's, which nobody can tell from the rest. */
  readonly inner: readonly PieceChange[];
};

/**
 * A claim on `Cart` covers it and all of its members, one on `Cart.total` only that. Imports are free, since whatever a task writes
 * may need some; so is what a file begins with that comes or goes, and the head of a class that was not there and holds what is owned.
 */
export function judgePieces(changes: readonly PieceChange[], permit: Permit): Judged {
  const { symbols, names, isWhole } = permit;
  const [foreign, inner]: [PieceChange[], PieceChange[]] = [[], []];
  for (const change of changes) {
    const { path, kind } = change;
    if (isFree(change, isWhole) || isCovered(change, symbols)) continue;
    if (path === null || !holdsOwned(path, symbols)) foreign.push(change);
    else if (names.has(path)) (kind === "named" ? inner : foreign).push(change);
  }
  return { foreign, inner };
}

function isFree({ kind, path, withImport }: PieceChange, isWhole: boolean): boolean {
  if (kind === "import" || withImport) return true;
  return isWhole && (kind === "opening" || (kind === "comment" && path === null));
}

/** By its name, by the list that it is in, or by all that it is about. */
function isCovered({ path, within, about }: PieceChange, symbols: readonly string[]): boolean {
  if ([path, within].some((name) => name !== null && covers(name, symbols))) return true;
  return about.length > 0 && about.every((name) => covers(name, symbols));
}

function covers(path: string, symbols: readonly string[]): boolean {
  return symbols.some((symbol) => path === symbol || path.startsWith(`${symbol}.`));
}

function holdsOwned(path: string, symbols: readonly string[]): boolean {
  return symbols.some((symbol) => symbol.startsWith(`${path}.`));
}
