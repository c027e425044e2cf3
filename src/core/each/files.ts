import { quoted } from "../analyze/words.ts";
import type { EachSource } from "../draft.ts";
import { matcher } from "../ownership/match.ts";
import { parsePattern } from "../ownership/parse.ts";
import { nearest } from "../suggest.ts";

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

/** What was probably meant by patterns that match nothing: the first folder on their way that is not there. */
export function hintForFiles({ patterns, exclude }: FileSource, paths: readonly string[]): string {
  const [first] = patterns;
  if (exclude.length > 0 && matchingFiles({ kind: "files", patterns, exclude: [] }, paths).length > 0)
    return "everything that matches is excluded";
  if (first !== undefined && /^[\w-]+$/.test(first.value))
    return `a text is a pattern of files; for the value itself write [${first.value}]`;
  return (first && wrongFolder(first.value, paths)) ?? "only committed files count: git add and git commit";
}

function wrongFolder(pattern: string, paths: readonly string[]): string | null {
  let above = "";
  for (const segment of pattern.replace(/^\.\//, "").split("/")) {
    if (segment === "" || /[*?[{]/.test(segment)) return null;
    const beside = new Set<string>();
    for (const path of paths) {
      if (path.startsWith(above)) beside.add(path.slice(above.length).split("/")[0] as string);
    }
    if (!beside.has(segment)) {
      const near = nearest(segment, [...beside]);
      const where = above === "" ? "at the root of the repository" : `in ${quoted(above)}`;
      const rest = pattern.slice(above.length + segment.length);
      return near === null
        ? `there is no ${quoted(segment)} ${where}; only committed files count`
        : `there is no ${quoted(segment)} ${where}; did you mean ${quoted(`${above}${near}${rest}`)}?`;
    }
    above += `${segment}/`;
  }
  return null;
}
