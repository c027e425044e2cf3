import type { Fact } from "../../core/facts.ts";
import type { AttemptId, TextHash } from "../../core/ids.ts";
import type { Plan, TextRef } from "../../core/plan.ts";
import type { LiveAttempt, PastAttempt, RunState, TaskState } from "../../core/run-state.ts";
import { pickShownAttempt } from "../../core/select/attempt-number.ts";
import { values } from "../../core/sorted-map.ts";

/** What a reader of a run may want to open. */
export type Wanted =
  | { readonly kind: "text"; readonly hash: TextHash }
  | { readonly kind: AttemptPart; readonly attempt: AttemptId };

export type AttemptPart = "diff" | "transcript" | "log" | "prompt";

/** Lower comes first: what failed and needs somebody, other failures and what is under way, what was taken, the rest. */
type Rank = 0 | 1 | 2 | 3 | 4;

/** All of it, the most important first. */
export function wantedOf(facts: readonly Fact[], state: RunState): Wanted[] {
  const ranks = attemptRanks(state);
  const wanted: { readonly rank: number; readonly what: Wanted }[] = [];
  for (const [hash, rank] of textRanks(facts, ranks)) wanted.push({ rank, what: { kind: "text", hash } });
  for (const [attempt, rank] of ranks)
    for (const [n, kind] of PARTS.entries())
      wanted.push({ rank: rank + (n + 1) / 10, what: { kind, attempt } });
  return wanted.sort((a, b) => a.rank - b.rank).map(({ what }) => what);
}

const PARTS: readonly AttemptPart[] = ["diff", "transcript", "log", "prompt"];

function attemptRanks(state: RunState): ReadonlyMap<AttemptId, Rank> {
  const ranks = new Map<AttemptId, Rank>();
  for (const task of values(state.tasks))
    for (const attempt of [...task.past, ...task.live].reverse())
      ranks.set(attempt.id, rankOf(task, attempt));
  return ranks;
}

function rankOf(task: TaskState, attempt: PastAttempt | LiveAttempt): Rank {
  if (!("settledAt" in attempt)) return 1;
  const isReported = pickShownAttempt(task)?.id === attempt.id;
  const needsYou = task.phase.kind === "failed" || task.phase.kind === "held";
  if (isReported) return needsYou ? 0 : 2;
  return attempt.failure === null ? 3 : 1;
}

/** Each text once, where it matters most. */
function textRanks(
  facts: readonly Fact[],
  attempts: ReadonlyMap<AttemptId, Rank>,
): ReadonlyMap<TextHash, Rank> {
  const ranks = new Map<TextHash, Rank>();
  const add = (hash: TextHash | null, rank: Rank): void => {
    if (hash !== null) ranks.set(hash, Math.min(rank, ranks.get(hash) ?? rank) as Rank);
  };
  const of = (attempt: AttemptId): Rank => attempts.get(attempt) ?? 3;
  for (const fact of facts) {
    if (fact.type === "attempt.ended") add(fact.said, of(fact.attempt));
    if (fact.type === "attempt.saved") add(fact.report, of(fact.attempt));
    if (fact.type === "gate.judged") {
      const asked = fact.asked.map((asker): Rank => (asker.kind === "attempt" ? of(asker.attempt) : 1));
      const rank = fact.verdict === "red" ? (Math.min(1, ...asked) as Rank) : 3;
      add(fact.output, rank);
      add(fact.failures, rank);
    }
    if (fact.type === "run.started" || fact.type === "plan.revised")
      for (const { hash } of textsOf(fact.plan)) add(hash, 4);
  }
  return ranks;
}

function textsOf({ context, tasks }: Plan): readonly TextRef[] {
  const own = tasks.flatMap(({ work }) =>
    work.kind === "agent" ? [work.prompt, ...(work.systemPrompt === null ? [] : [work.systemPrompt])] : [],
  );
  return [...context, ...own];
}
