import { posix } from "node:path";
import { isImplementation } from "./project.ts";

/** Which file of a project an import means; null where it is none of them, as with packages. */
export type Resolve = (from: string, importer: string) => string | null;

/**
 * By the files that are there. Python looks from the root, from `src/`, and from the folders above the file that imports; TypeScript
 * and JavaScript have names for files, too.
 */
export function moduleResolver(paths: readonly string[], aliases: readonly Alias[] = []): Resolve {
  const known = new Set(paths);
  const found = new Map<string, string | null>();
  const candidates = (from: string, importer: string) =>
    /\.pyi?$/.test(importer)
      ? pythonCandidates(from, importer)
      : [...aliasCandidates(aliases, from, importer), ...scriptCandidates(from, importer)];
  return (from, importer) => {
    const key = `${from} in ${importer}`; // types and routes ask for the same, again and again
    const before = found.get(key);
    if (before !== undefined) return before;
    const path = candidates(from, importer).find((one) => known.has(one)) ?? null;
    found.set(key, path);
    return path;
  };
}

/** Declarations of what is no code of the project, and what is built of it, are not meant. */
function aliasCandidates(aliases: readonly Alias[], from: string, importer: string): string[] {
  if (RELATIVE.test(from)) return [];
  return aliasedTo(aliases, from, importer).flatMap(({ path, isPackage }) =>
    scriptFiles(path).filter((one) => isImplementation(one) && (isPackage || !/\.d\.[cm]?ts$/.test(one))),
  );
}

const RELATIVE = /^\.{1,2}(?:\/|$)/;

function pythonCandidates(from: string, importer: string): string[] {
  const dots = /^\.*/.exec(from)?.[0].length ?? 0;
  const rest = from.slice(dots).split(".").filter(Boolean);
  const folder = posix.dirname(importer);
  if (dots > 0) {
    const base = posix.join(folder, ...Array.from({ length: dots - 1 }, () => ".."));
    return base.startsWith("..") ? [] : pythonFiles(posix.join(base, ...rest));
  }
  return ["", "src", ...foldersAbove(folder)].flatMap((root) => pythonFiles(posix.join(root, ...rest)));
}

/** The folder itself first. */
function foldersAbove(folder: string): string[] {
  return folder.split("/").map((_, i, all) => all.slice(0, all.length - i).join("/"));
}

function pythonFiles(module: string): string[] {
  const inside = posix.join(module, "__init__");
  return [`${module}.py`, `${inside}.py`, `${module}.pyi`, `${inside}.pyi`];
}

/**
 * As compilers and bundlers do: the ending may be that of the built file, or be left out. `@/` is a usual name of `src/`, and `src/`
 * itself is written as well; of the packages of one repository, the nearest is meant.
 */
function scriptCandidates(from: string, importer: string): string[] {
  const folder = posix.dirname(importer);
  if (RELATIVE.test(from)) {
    const base = posix.join(folder, from);
    return base.startsWith("..") ? [] : scriptFiles(base);
  }
  const inside = /^(?:@|~|src)\/(.*)$/.exec(from)?.[1];
  if (inside === undefined) return [];
  const folders = from.startsWith("src/") ? ["src"] : ["src", "", "app"];
  return [...foldersAbove(folder), ""].flatMap((root) =>
    folders.flatMap((one) => scriptFiles(posix.join(root, one, inside))),
  );
}

const ENDINGS = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "d.ts"];

function scriptFiles(base: string): string[] {
  const source = /^(.*)\.(m|c)?jsx?$/.exec(base);
  const meant = source === null ? [] : [`${source[1]}.${source[2] ?? ""}ts`, `${source[1]}.tsx`];
  const inside = posix.join(base, "index");
  return [base, ...meant, ...[base, inside].flatMap((one) => ENDINGS.map((e) => `${one}.${e}`))];
}

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
function aliasedTo(
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
