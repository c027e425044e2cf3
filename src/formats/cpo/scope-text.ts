import { isNothing, type ScopeWord } from "./scope.ts";

/** The scope as task files have it. `parseScope` gives back the same paths; of a word without paths nothing is said. */
export function scopeText(scope: { readonly [Word in ScopeWord]: readonly string[] }): string {
  return (["CREATE", "MODIFY", "BOUNDARY"] as const)
    .flatMap((word) => linesFor(word, scope[word]))
    .join("\n");
}

function linesFor(word: ScopeWord, paths: readonly string[]): string[] {
  // Whether something must not be touched is a question that every scope answers.
  if (paths.length === 0) return word === "BOUNDARY" ? ["BOUNDARY: (none)"] : [];
  const entries = paths.map(entryText);
  // A backtick would turn the next one of its line into code.
  const lines = paths.some((path) => path.includes("`")) ? entries : [entries.join(", ")];
  return lines.map((line) => `${word}: ${line}`);
}

const PLAIN = /^[\w./@+*?:-]*(?:\{[\w./*,-]+\}[\w./@+*?:-]*)*$/;

/** In code wherever a sign could mean something else, as commas, blanks and parentheses do. */
function entryText(path: string): string {
  const told = scopePath(path);
  return PLAIN.test(told) || told.includes("`") ? told : `\`${told}\``;
}

/** A path as it comes back: on one line, and no word that says that there is none. */
export function scopePath(path: string): string {
  const told = path.replace(/[\r\n]+/g, " ").trim();
  return isNothing(told) ? `./${told}` : told;
}
