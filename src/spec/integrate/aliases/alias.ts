/** What an import that is no path may stand for: `@app/*` is `src/*`. Paths are from the root of the project. */
export type Alias = {
  /** It counts for the files in this folder and below; "" is the root. */
  readonly below: string;
  /** A whole name, or one with `*` in it. */
  readonly pattern: string;
  /** Where to look, the first first; `*` is what it was in the name. */
  readonly targets: readonly string[];
  /** A package of the repository may have no more than its declarations; a compiler is told where those of others are, too. */
  readonly isPackage: boolean;
};

/** All that a name may stand for in a file: what is said nearest to it first, and of that what says the most. */
export function aliasedTo(
  aliases: readonly Alias[],
  from: string,
  importer: string,
): { readonly path: string; readonly isPackage: boolean }[] {
  return aliases
    .filter(({ below }) => below === "" || importer.startsWith(`${below}/`))
    .flatMap((alias) => {
      const rest = restOf(alias.pattern, from);
      const { isPackage, targets } = alias;
      return rest === null
        ? []
        : targets.map((target) => ({ path: target.replace("*", () => rest), isPackage }));
    });
}

/** What `*` is; null where the name is another. */
function restOf(pattern: string, from: string): string | null {
  const [start = "", end] = pattern.split("*");
  if (end === undefined) return pattern === from ? "" : null;
  const isSame = from.length >= start.length + end.length && from.startsWith(start) && from.endsWith(end);
  return isSame ? from.slice(start.length, from.length - end.length) : null;
}

export function inOrder(aliases: readonly Alias[]): Alias[] {
  const rank = ({ pattern }: Alias) => (pattern.includes("*") ? pattern.indexOf("*") : pattern.length + 1);
  return aliases.toSorted((a, b) => b.below.length - a.below.length || rank(b) - rank(a));
}
