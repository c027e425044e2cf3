import { expandBraces } from "./braces.ts";
import { compile, normalise } from "./compile.ts";
import type { PathPattern } from "./pattern.ts";

/**
 * A pattern in the words of .gitignore, tied to the root, where there are no braces. A glob there also covers what is below a
 * folder that it matches. Nothing where plait does not take the pattern apart.
 */
export function ignoreLines(pattern: PathPattern): string[] {
  const expansion = expandBraces(pattern);
  if (expansion.kind !== "texts" || compile(pattern).some(({ kind }) => kind === "undecided")) return [];
  return expansion.texts.map(normalise).flatMap((text) => {
    // Brackets may be plain characters of a name, and then both are meant.
    const plain = text.includes("[") && !/[*?]/.test(text) ? [`/${text.replace(/[[\]]/g, "\\$&")}`] : [];
    return [`/${text}`, ...plain];
  });
}
