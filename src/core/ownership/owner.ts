import type { TaskId } from "../ids.ts";
import { compile } from "./compile.ts";
import { matcher } from "./match.ts";
import type { Claim, PathPattern } from "./pattern.ts";

/** A task and what it owns. */
export type Owner = { readonly task: TaskId; readonly owns: readonly Claim[] };

/**
 * Whose a part of the tree is: of the claims that cover it for sure the one that says it most exactly — this symbol, one around it, the
 * file, a folder, a glob — and the first of two alike. Null where nobody owns it. A symbol that is null asks for the whole file.
 */
export function ownerSearch(
  owners: readonly Owner[],
): (path: string, symbol: string | null) => TaskId | null {
  const claims = owners.flatMap(({ task, owns }) =>
    owns.map(({ pattern, symbol }) => ({ task, pattern, symbol, covers: matcher(pattern) })),
  );
  return (path, symbol) => {
    let best: { readonly task: TaskId; readonly rank: number } | null = null;
    for (const claim of claims) {
      if (!holdsSymbol(claim.symbol, symbol) || claim.covers(path) !== true) continue;
      const rank = symbolRank(claim.symbol) + pathRank(claim.pattern, path);
      if (best === null || rank > best.rank) best = { task: claim.task, rank };
    }
    return best?.task ?? null;
  };
}

function holdsSymbol(owned: string | null, asked: string | null): boolean {
  return owned === null || owned === asked || asked?.startsWith(`${owned}.`) === true;
}

/** Longer than any path, so that what is said of a symbol counts more than all that is said of paths. */
const MORE = 100_000;

function symbolRank(symbol: string | null): number {
  return symbol === null ? 0 : 10 * MORE + symbol.length * 10 * MORE;
}

/** The file itself, then the nearest folder, then the glob that spells most of the path out. */
function pathRank(pattern: PathPattern, path: string): number {
  if (pattern.endsWith("/")) return MORE + pattern.length;
  const ranks = compile(pattern).map((alternative) => {
    if (alternative.kind !== "literal") return Math.min(alternative.prefix.length, path.length);
    const isFile = alternative.path === path;
    return isFile ? 2 * MORE : path.startsWith(`${alternative.path}/`) ? MORE + alternative.path.length : 0;
  });
  return Math.max(...ranks);
}
