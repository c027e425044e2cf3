// Before a worktree goes: what a failed attempt left that its plan wants to see is copied. It is no part of the work, so
// whatever goes wrong here (a full disk) costs the copies and nothing else.

import { evolve } from "../../../core/evolve.ts";
import { FACT_VERSION, type FactBody, type GateAsker } from "../../../core/facts.ts";
import { FAILURE_RULES } from "../../../core/failure.ts";
import { type AttemptId, splitAttemptId } from "../../../core/ids.ts";
import { unreachable } from "../../../core/queries.ts";
import type { RunState } from "../../../core/run-state.ts";
import { keepArtifacts, type ToKeep } from "../artifacts.ts";
import type { EffectContext } from "../driver.ts";
import { pastAttempt, type RunContext, taskOf } from "../run-context.ts";

type SavedBody = Extract<FactBody, { type: "attempt.saved" }>;

/** From the worktree of an attempt that fails with this fact: what it means is the core's to say. */
export async function keepOfFailed(
  site: RunContext,
  hands: EffectContext,
  saved: SavedBody,
  worktree: string,
): Promise<void> {
  const { attempt } = saved;
  if (patternsOf(hands.state(), attempt).length === 0) return;
  const after = evolve(hands.state(), { v: FACT_VERSION, at: hands.now(), ...saved });
  const failure = after === null ? null : (pastAttempt(after, attempt)?.failure ?? null);
  if (failure === null || FAILURE_RULES[failure.reason].kind === "again") return;
  await keep(site, hands.state(), { attempt, place: "work", from: worktree });
}

/** From the tree where a gate was red, and from the worktrees of those whose work it judged. */
export async function keepOfRed(
  site: RunContext,
  state: RunState,
  { asked, tree }: { readonly asked: readonly GateAsker[]; readonly tree: string },
): Promise<void> {
  for (const attempt of new Set(asked.flatMap((asker) => judged(state, asker)))) {
    const worktree = site.pool.leaseOf(attempt)?.slot.path ?? null;
    if (worktree !== null) await keep(site, state, { attempt, place: "work", from: worktree });
    await keep(site, state, { attempt, place: "gate", from: tree });
  }
}

/** Neither the base nor a landing is one attempt's own. */
function judged(state: RunState, asker: GateAsker): readonly AttemptId[] {
  switch (asker.kind) {
    case "attempt":
      return [asker.attempt];
    case "candidate": {
      const candidate = state.candidates.find(({ result }) => result.commit === asker.commit);
      return candidate?.tasks.map(({ attempt }) => attempt) ?? [];
    }
    case "base":
    case "landing":
      return [];
    default:
      return unreachable(asker);
  }
}

function patternsOf(state: RunState, attempt: AttemptId): ToKeep["patterns"] {
  const { task } = splitAttemptId(attempt);
  return state.index.indexOf.has(task) ? taskOf(state, task).task.artifacts : [];
}

async function keep({ folder }: RunContext, state: RunState, what: Omit<ToKeep, "patterns">): Promise<void> {
  const patterns = patternsOf(state, what.attempt);
  await keepArtifacts(folder.path, { ...what, patterns }).catch(() => null); // as said above
}
