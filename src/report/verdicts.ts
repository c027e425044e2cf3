import type { Fact, GateAsker, GateJudged } from "../core/facts.ts";
import type { AttemptId } from "../core/ids.ts";
import type { GateFigures, GateVerdict } from "./model.ts";

/** A verdict with all that the fact says: when it was, and where its output is. */
export type Judged = { readonly on: GateVerdict["on"]; readonly fact: GateJudged & Pick<Fact, "at"> };

export type AllJudged = ReturnType<typeof foldJudged>;

/** By whom they were asked for, each in the order in which they came; `base` is before anything was done. */
export function foldJudged(facts: Iterable<Fact>) {
  const byAttempt = new Map<AttemptId, Judged[]>();
  const whole: { readonly [K in "base" | "landing"]: Judged[] } = { base: [], landing: [] };
  const carried = new Map<string, readonly AttemptId[]>();
  const give = (attempt: AttemptId, judged: Judged): void => {
    const all = byAttempt.get(attempt);
    if (all === undefined) byAttempt.set(attempt, [judged]);
    else all.push(judged);
  };
  const toAsker = (asker: GateAsker, fact: Judged["fact"]): void => {
    if (asker.kind === "attempt") give(asker.attempt, { on: "work", fact });
    else if (asker.kind === "candidate")
      for (const attempt of carried.get(asker.commit) ?? []) give(attempt, { on: "merge", fact });
    else whole[asker.kind].push({ on: asker.kind, fact });
  };
  for (const fact of facts) {
    if (fact.type === "candidate.built")
      carried.set(
        fact.result.commit,
        fact.tasks.map(({ attempt }) => attempt),
      );
    if (fact.type === "gate.judged") for (const asker of fact.asked) toAsker(asker, fact);
  }
  return { of: (attempt: AttemptId): readonly Judged[] => byAttempt.get(attempt) ?? [], ...whole };
}

export type Verdicts = ReturnType<typeof foldVerdicts>;

/** What the gates said. A state remembers only what is green; the facts have all of it. The dearest gate is first in the figures; `reds`: how many attempts each failed. */
export function foldVerdicts(facts: readonly Fact[], reds: ReadonlyMap<string, number>) {
  const { of, landing, base } = foldJudged(facts);
  const figures = new Map<string, GateFigures>();
  for (const fact of facts) {
    if (fact.type !== "gate.judged") continue;
    figures.set(fact.name, counted(figures.get(fact.name) ?? nothing(fact.name), fact));
  }
  return {
    of: (attempt: AttemptId): readonly GateVerdict[] => of(attempt).map(verdictOf),
    landing: landing.map(verdictOf),
    base: base.map(verdictOf),
    figures: [...figures.values()]
      .map((one) => ({ ...one, red: reds.get(one.name) ?? 0 }))
      .sort((a, b) => b.totalMs - a.totalMs),
  };
}

export function verdictOf({ on, fact }: Judged): GateVerdict {
  const { name, verdict, how, tries, durationMs, summary } = fact;
  return { name, on, verdict, how, runs: tries, durationMs, summary };
}

const nothing = (name: string): GateFigures => ({
  ...{ name, green: 0, red: 0, flaky: 0, unaffected: 0, knownRed: 0, totalMs: 0, longestMs: 0 },
});

function counted(so: GateFigures, { verdict, how, tries, durationMs }: GateJudged): GateFigures {
  const isGreen = verdict === "green";
  return {
    ...so,
    green: so.green + Number(isGreen && how === "ran"),
    flaky: so.flaky + Number(isGreen && tries > 1),
    unaffected: so.unaffected + Number(how === "unaffected"),
    knownRed: so.knownRed + Number(how === "no-new-failures"),
    totalMs: so.totalMs + durationMs,
    longestMs: Math.max(so.longestMs, durationMs),
  };
}
