import { posix } from "node:path";

/** Which file of a project an import means; null where it is none of them, as with packages. */
export type Resolve = (from: string, importer: string) => string | null;

/** By the files that are there. Python looks from the root, from `src/`, and from the folders above the file that imports. */
export function moduleResolver(paths: readonly string[]): Resolve {
  const known = new Set(paths);
  const first = (candidates: readonly string[]) => candidates.find((path) => known.has(path)) ?? null;
  return (from, importer) =>
    /\.pyi?$/.test(importer)
      ? first(pythonCandidates(from, importer))
      : first(scriptCandidates(from, importer));
}

function pythonCandidates(from: string, importer: string): string[] {
  const dots = /^\.*/.exec(from)?.[0].length ?? 0;
  const rest = from.slice(dots).split(".").filter(Boolean);
  const folder = posix.dirname(importer);
  if (dots > 0) {
    const base = posix.join(folder, ...Array.from({ length: dots - 1 }, () => ".."));
    return base.startsWith("..") ? [] : pythonFiles(posix.join(base, ...rest));
  }
  const above = folder.split("/").map((_, i, all) => all.slice(0, all.length - i).join("/"));
  return ["", "src", ...above].flatMap((root) => pythonFiles(posix.join(root, ...rest)));
}

function pythonFiles(module: string): string[] {
  const inside = posix.join(module, "__init__");
  return [`${module}.py`, `${inside}.py`, `${module}.pyi`, `${inside}.pyi`];
}

/** As compilers and bundlers do: the ending may be that of the built file, or be left out. `@/` is a usual name of `src/`. */
function scriptCandidates(from: string, importer: string): string[] {
  const isOwn = /^\.{1,2}(?:\/|$)/.test(from);
  const alias = /^(?:@|~)\/(.*)$/.exec(from)?.[1];
  if (!isOwn && alias === undefined) return [];
  const bases = isOwn
    ? [posix.join(posix.dirname(importer), from)]
    : [`src/${alias}`, `${alias}`, `app/${alias}`];
  return bases.filter((base) => !base.startsWith("..")).flatMap(scriptFiles);
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
