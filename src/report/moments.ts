import { evolve } from "../core/evolve.ts";
import type { Fact } from "../core/facts.ts";
import type { RunState } from "../core/run-state.ts";
import { formatNotice } from "../core/select/notice-text.ts";
import { findNotices, type Notice } from "../core/select/notices.ts";
import { dollars, elapsed } from "../core/text/figures.ts";
import { plainText } from "../core/text/sentence.ts";
import type { Moment } from "./model.ts";
import { momentText } from "./report-text.ts";

/** What happened when, in words: one line for each thing that a person would have seen. */
export function buildTimeline(facts: Iterable<Fact>): Moment[] {
  const found: Moment[] = [];
  let state: RunState | null = null;
  for (const fact of facts) {
    const before: RunState | null = state;
    state = evolve(before, fact);
    if (before === null || state === null) continue;
    for (const one of findNotices(fact, before, state))
      if (!isBeginning(one, found)) found.push({ at: one.at, task: one.task, text: formatMoment(one) });
  }
  return found;
}

/** A run in the background is taken on by its driver before anything happens: that is how it starts, and no coming back. */
const isBeginning = (one: Notice, told: readonly Moment[]): boolean =>
  told.length === 0 && one.kind === "resumed";

/** With figures of finished work: it is read where nothing else shows them. */
function formatMoment(one: Notice): string {
  const text = plainText(formatNotice(one).text, (at, lead) => `${lead ?? "at"} ${momentText(at)}`);
  if (one.kind !== "merged" && one.kind !== "passed") return text;
  const { workMs, costUsd } = one;
  return [text, elapsed(workMs), ...(costUsd === null ? [] : [dollars(costUsd)])].join(", ");
}
