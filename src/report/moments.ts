import { evolve } from "../core/evolve.ts";
import type { Fact } from "../core/facts.ts";
import type { RunState } from "../core/run-state.ts";
import { happeningWords } from "../core/select/happening-words.ts";
import { type Happening, happenings } from "../core/select/happenings.ts";
import { dollars, elapsed } from "../core/select/run-words.ts";
import type { Moment } from "./model.ts";
import { momentText } from "./report-words.ts";

/** What happened when, in words: one line for each thing that a person would have seen. */
export function momentsOf(facts: Iterable<Fact>): Moment[] {
  const found: Moment[] = [];
  let state: RunState | null = null;
  for (const fact of facts) {
    const before: RunState | null = state;
    state = evolve(before, fact);
    if (before === null || state === null) continue;
    for (const one of happenings(fact, before, state))
      if (!isBeginning(one, found)) found.push({ at: one.at, task: one.task, says: wordsOf(one) });
  }
  return found;
}

/** A run in the background is taken on by its driver before anything happens: that is how it starts, and no coming back. */
const isBeginning = (one: Happening, told: readonly Moment[]): boolean =>
  told.length === 0 && one.kind === "resumed";

/** In the words of the page, and with figures of what is done: it is read when nothing else tells them. */
function wordsOf(one: Happening): string {
  const { text } = happeningWords(one, (until) => `until ${momentText(until)}`);
  if (one.kind !== "merged" && one.kind !== "passed") return text;
  const { workMs, costUsd } = one;
  return [text, elapsed(workMs), ...(costUsd === null ? [] : [dollars(costUsd)])].join(", ");
}
