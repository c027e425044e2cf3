import type { Alternative } from "./compile.ts";
import { type Entry, popOthers, sortedByPrefix } from "./entries.ts";
import type { Overlap } from "./overlap.ts";
import { ANY_SEGMENT } from "./segment.ts";

/**
 * Paths and folders that are two where letters count as they are written, and one on the file systems that macOS and
 * Windows use. Globs with letters of both cases are not looked at: what they reach nobody can tell by their letters.
 */
export function findOtherLetters(
  entries: readonly Entry[],
  visit: (x: Entry, y: Entry, overlap: Overlap) => boolean,
): void {
  const folded = entries
    .filter(({ alternative }) => alternative.kind === "literal" || isFolder(alternative))
    .map((entry) => ({ ...entry, prefix: fold(entry.prefix) }));
  const stack: Entry[] = [];
  for (const entry of sortedByPrefix(folded)) {
    popOthers(stack, entry.prefix);
    for (const other of stack) {
      if (other.index === entry.index || isSame(other, entry)) continue;
      if (!visit(other, entry, sameInOtherLetters(other, entry))) return;
    }
    stack.push(entry);
  }
}

/** What is equal then is one path on such file systems. */
export function fold(prefix: string): string {
  return prefix.normalize("NFC").toLowerCase();
}

/** Then they have met already. */
function isSame(x: Entry, y: Entry): boolean {
  const [one, other] = [x.alternative.prefix, y.alternative.prefix];
  return one.startsWith(other) || other.startsWith(one);
}

function sameInOtherLetters(x: Entry, y: Entry): Overlap {
  const [one, other] = [shown(x), shown(y)];
  const isByCase = x.alternative.prefix.normalize("NFC") !== y.alternative.prefix.normalize("NFC");
  const where = isByCase ? "if case is ignored" : "if accents are normalized";
  return {
    kind: "may-overlap",
    why: `\`${one}\` and \`${other}\` are the same path ${where}`,
    ifFolders: [],
    advice: "spell both paths the same way",
  };
}

function shown({ alternative }: Entry): string {
  return alternative.kind === "literal" ? alternative.path : alternative.prefix;
}

/** `dir/` or `dir/**`: nothing but names, then all that is below. */
function isFolder(alternative: Alternative): boolean {
  if (alternative.kind !== "glob" || !alternative.prefix.endsWith("/")) return false;
  const named = alternative.segments().filter((segment) => segment !== ANY_SEGMENT);
  const depth = named.findIndex(({ kind }) => kind === "depth");
  return depth !== -1 && named.every(({ kind }, i) => kind === (i < depth ? "text" : "depth"));
}
