import { posix } from "node:path";
import { type Alias, aliasedTo } from "./aliases/alias.ts";
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
  return [
    base,
    ...meant,
    ...ENDINGS.map((e) => `${base}.${e}`),
    ...ENDINGS.map((e) => posix.join(base, `index.${e}`)),
  ];
}
