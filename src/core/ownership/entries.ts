import { type Alternative, compile, undecided } from "./compile.ts";
import type { Overlap } from "./overlap.ts";
import type { PathPattern } from "./pattern.ts";
import { ANY_SEGMENT } from "./segment.ts";

/** One way in which a pattern of a list can match, and the text that all its paths begin with. */
export type Entry = {
  readonly prefix: string;
  readonly index: number;
  readonly alternative: Alternative;
};

const MAX_ALTERNATIVES_OF_ALL = 200_000;

/** Sorted by prefix, so that going through them a stack can hold exactly those whose prefix begins the current one's. */
export function entriesOf(patterns: readonly PathPattern[]): Entry[] {
  const entries: Entry[] = [];
  patterns.forEach((pattern, index) => {
    for (const alternative of alternativesOf(pattern, entries.length)) {
      entries.push({ prefix: alternative.prefix, index, alternative });
    }
  });
  return sortedByPrefix(entries);
}

function sortedByPrefix(entries: Entry[]): Entry[] {
  return entries.sort((x, y) => (x.prefix < y.prefix ? -1 : x.prefix > y.prefix ? 1 : x.index - y.index));
}

/** Leaves on the stack what can meet a path that begins with the prefix. */
export function popOthers(stack: Entry[], prefix: string): void {
  while (stack.length > 0 && !prefix.startsWith((stack.at(-1) as Entry).prefix)) stack.pop();
}

/** Braces multiply: past a limit for the whole list a pattern is not taken apart any more. */
function alternativesOf(pattern: PathPattern, before: number): readonly Alternative[] {
  const isTooMuch = before > MAX_ALTERNATIVES_OF_ALL && pattern.includes("{");
  return isTooMuch ? [undecided(pattern, "comes after too many braces in this plan")] : compile(pattern);
}

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
