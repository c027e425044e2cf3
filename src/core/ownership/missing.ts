import { matcher } from "./match.ts";
import type { Claim, PathPattern } from "./pattern.ts";

/** What a task was to create and did not: its `create` claims that no path of the tree fits. */
export function findMissingCreations(owns: readonly Claim[], paths: readonly string[]): PathPattern[] {
  return listCreations(owns).filter((pattern) => {
    const covers = matcher(pattern);
    return !paths.some((path) => covers(path) !== false);
  });
}

/** Whole files and folders: a symbol is a part of a file that exists. */
export function listCreations(owns: readonly Claim[]): PathPattern[] {
  return owns
    .filter(({ mode, symbol }) => mode === "create" && symbol === null)
    .map(({ pattern }) => pattern);
}

/** It stands for files whose names are not known. */
export function isGlob(pattern: PathPattern): boolean {
  return /[*?[{\\]/.test(pattern);
}
