import type { Fact, GateAsker, GateJudged } from "../core/facts.ts";
import type { AttemptId } from "../core/ids.ts";
import { unreachable } from "../core/queries.ts";
import type { GateFigures, GateVerdict } from "./model.ts";

/** What the gates said. A state remembers only what is green; the facts have all of it. */
export type Verdicts = {
  readonly of: (attempt: AttemptId) => readonly GateVerdict[];
  readonly landing: readonly GateVerdict[];
  /** Before anything was done. */
  readonly base: readonly GateVerdict[];
  /** The dearest first. */
  readonly figures: readonly GateFigures[];
};

export function foldVerdicts(facts: Iterable<Fact>): Verdicts {
  const byAttempt = new Map<AttemptId, GateVerdict[]>();
  const landing: GateVerdict[] = [];
  const base: GateVerdict[] = [];
  const figures = new Map<string, GateFigures>();
  const carried = new Map<string, readonly AttemptId[]>();
  const give = (attempt: AttemptId, verdict: GateVerdict) =>
    byAttempt.set(attempt, [...(byAttempt.get(attempt) ?? []), verdict]);
  const toAsker = (asker: GateAsker, fact: GateJudged): void => {
    switch (asker.kind) {
      case "attempt":
        give(asker.attempt, verdictOf(fact, "work"));
        return;
      case "candidate":
        for (const attempt of carried.get(asker.commit) ?? []) give(attempt, verdictOf(fact, "merge"));
        return;
      case "base":
        base.push(verdictOf(fact, "base"));
        return;
      case "landing":
        landing.push(verdictOf(fact, "landing"));
        return;
      default:
        unreachable(asker);
    }
  };
  for (const fact of facts) {
    if (fact.type === "candidate.built") {
      carried.set(
        fact.result.commit,
        fact.tasks.map(({ attempt }) => attempt),
      );
    }
    if (fact.type !== "gate.judged") continue;
    figures.set(fact.name, counted(figures.get(fact.name) ?? nothing(fact.name), fact));
    for (const asker of fact.asked) toAsker(asker, fact);
  }
  return {
    of: (attempt) => byAttempt.get(attempt) ?? [],
    landing,
    base,
    figures: [...figures.values()].sort((a, b) => b.totalMs - a.totalMs),
  };
}

function verdictOf(fact: GateJudged, on: GateVerdict["on"]): GateVerdict {
  const { name, verdict, how, tries, durationMs, summary } = fact;
  return { name, on, verdict, how, tries, durationMs, summary };
}

const nothing = (name: string): GateFigures => ({
  ...{ name, green: 0, red: 0, flaky: 0, unaffected: 0, knownRed: 0, totalMs: 0, longestMs: 0 },
});

function counted(so: GateFigures, { verdict, how, tries, durationMs }: GateJudged): GateFigures {
  const isGreen = verdict === "green";
  return {
    ...so,
    green: so.green + Number(isGreen && how === "ran"),
    red: so.red + Number(!isGreen),
    flaky: so.flaky + Number(isGreen && tries > 1),
    unaffected: so.unaffected + Number(how === "unaffected"),
    knownRed: so.knownRed + Number(how === "no-new-failures"),
    totalMs: so.totalMs + durationMs,
    longestMs: Math.max(so.longestMs, durationMs),
  };
}
