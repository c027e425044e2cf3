import type { EachSource } from "../draft.ts";
import { matcher } from "../ownership/match.ts";
import { parsePattern } from "../ownership/parse.ts";
import { nearest } from "../suggest.ts";
import type { EmptyFiles } from "./catalog.ts";

export type FileSource = Extract<EachSource, { kind: "files" }>;

/** The paths that a source means, sorted by their characters, so that every machine has the same order. */
export function matchingFiles({ patterns, exclude }: FileSource, paths: readonly string[]): string[] {
  const isWanted = anyOf(patterns.map(({ value }) => value));
  const isExcluded = anyOf(exclude.map(({ value }) => value));
  return paths.filter((path) => isWanted(path) && !isExcluded(path)).sort();
}

/** Patterns that cannot be used have been reported, and their variable is not looked up. */
function anyOf(texts: readonly string[]): (path: string) => boolean {
  const covers = texts.flatMap((text) => {
    const parsed = parsePattern(text);
    return parsed.ok ? [matcher(parsed.pattern)] : [];
  });
  return (path) => covers.some((one) => one(path) === true);
}

/** Why patterns match nothing: the first folder on their way that does not exist. */
export function explainNoFiles({ patterns, exclude }: FileSource, paths: readonly string[]): EmptyFiles {
  const [first] = patterns;
  if (exclude.length > 0 && matchingFiles({ kind: "files", patterns, exclude: [] }, paths).length > 0)
    return { kind: "all-excluded" };
  if (first !== undefined && /^[\w-]+$/.test(first.value)) return { kind: "plain-word", word: first.value };
  return (first && findWrongFolder(first.value, paths)) ?? { kind: "unknown" };
}

function findWrongFolder(pattern: string, paths: readonly string[]): EmptyFiles | null {
  let above = "";
  for (const segment of pattern.replace(/^\.\//, "").split("/")) {
    if (segment === "" || /[*?[{]/.test(segment)) return null;
    const beside = new Set<string>();
    for (const path of paths) {
      if (path.startsWith(above)) beside.add(path.slice(above.length).split("/")[0] as string);
    }
    if (!beside.has(segment)) {
      const near = nearest(segment, [...beside]);
      const rest = pattern.slice(above.length + segment.length);
      const suggestion = near && `${above}${near}${rest}`;
      return { kind: "no-folder", folder: `${above}${segment}`, suggestion };
    }
    above += `${segment}/`;
  }
  return null;
}
