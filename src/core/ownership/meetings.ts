import { type Alternative, compile, undecided } from "./compile.ts";
import type { Budget } from "./meet-segments.ts";
import { both, meetAlternatives, type Overlap, WORK_FOR_ONE_PAIR } from "./overlap.ts";
import type { PathPattern } from "./pattern.ts";

/** Two patterns that meet or may meet, by their places in the list; a is before b. */
export type Meeting = { readonly a: number; readonly b: number; readonly overlap: Overlap };

/** One or two seconds of work at worst; honest plans need a hundredth of it. A caller with many lists shares one. */
export const workForAll = (): Budget => ({ left: 10_000_000 });

/** What keeping a meeting costs, so that their number stays bounded too. */
const WORK_OF_A_MEETING = 50;
const MAX_ALTERNATIVES_OF_ALL = 200_000;

/**
 * All pairs of different patterns that meet, without comparing all pairs. Patterns are sorted by the text that all their
 * paths begin with; going through them, a stack holds exactly those whose text begins the current one's. Only these
 * can meet it. `complete` is false when the work ran out, which only a plan made for it can bring about.
 */
export function findMeetings(
  patterns: readonly PathPattern[],
  work: Budget = workForAll(),
): { meetings: Meeting[]; complete: boolean } {
  const found = new Map<number, Overlap>();
  const stack: Entry[] = [];
  let complete = true;
  for (const entry of sortedEntries(patterns)) {
    while (stack.length > 0 && !entry.prefix.startsWith((stack.at(-1) as Entry).prefix)) stack.pop();
    for (const other of stack) {
      if (other.index === entry.index) continue;
      complete &&= work.left > 0;
      if (!complete) break;
      const meeting = compare(other.alternative, entry.alternative, work);
      if (meeting.kind === "disjoint") continue;
      const key = Math.min(entry.index, other.index) * patterns.length + Math.max(entry.index, other.index);
      const before = found.get(key);
      found.set(key, before === undefined ? meeting : both(before, meeting));
    }
    stack.push(entry);
  }
  const meetings = Array.from(found, ([key, overlap]) => {
    return { a: Math.floor(key / patterns.length), b: key % patterns.length, overlap };
  });
  return { meetings, complete };
}

function compare(a: Alternative, b: Alternative, work: Budget): Overlap {
  const budget = { left: WORK_FOR_ONE_PAIR };
  const overlap = meetAlternatives(a, b, budget);
  work.left -= WORK_FOR_ONE_PAIR - Math.max(0, budget.left);
  if (overlap.kind !== "disjoint") work.left -= WORK_OF_A_MEETING;
  return overlap;
}

/** One entry for each way in which a pattern can match. */
type Entry = { readonly prefix: string; readonly index: number; readonly alternative: Alternative };

function sortedEntries(patterns: readonly PathPattern[]): Entry[] {
  const entries: Entry[] = [];
  patterns.forEach((pattern, index) => {
    for (const alternative of alternativesOf(pattern, entries.length)) {
      entries.push({ prefix: alternative.prefix, index, alternative });
    }
  });
  return entries.sort((x, y) => (x.prefix < y.prefix ? -1 : x.prefix > y.prefix ? 1 : x.index - y.index));
}

/** Braces multiply: past a limit for the whole list a pattern is not taken apart any more. */
function alternativesOf(pattern: PathPattern, before: number): readonly Alternative[] {
  const isTooMuch = before > MAX_ALTERNATIVES_OF_ALL && pattern.includes("{");
  return isTooMuch ? [undecided(pattern, "comes after too many braces in this plan")] : compile(pattern);
}
