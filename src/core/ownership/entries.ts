import { type Alternative, compile, undecided } from "./compile.ts";
import type { PathPattern } from "./pattern.ts";

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

export function sortedByPrefix(entries: Entry[]): Entry[] {
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
