import type { Fact, TypedFact } from "../core/facts.ts";
import type { RunId } from "../core/ids.ts";
import type { RefusedMove } from "../core/landing-types.ts";
import { formatRefusedMove } from "../core/select/run-status-text.ts";
import { type NextStep, plait } from "../core/text/command.ts";
import { plainText } from "../core/text/sentence.ts";
import { askQuietly } from "./ask-quietly.ts";
import { hintForCause } from "./environment-problem.ts";
import { type Host, type OrRefusal, refuse } from "./host.ts";
import type { FoundRun } from "./runs.ts";

export type UndoOutcome =
  | { readonly kind: "undone"; readonly fact: TypedFact<"landing.undone"> }
  /** The branch or the checkout does not allow it. */
  | { readonly kind: "refused"; readonly why: string; readonly next: NextStep };

/** Undoes the last landing of a run. A step that kept failing is refused with what failed; the branch is as it was. */
export async function undoRun(host: Host, found: FoundRun): Promise<OrRefusal<{ outcome: UndoOutcome }>> {
  const facts: Fact[] = [];
  const asked = await askQuietly(host, found, {
    commands: [{ kind: "undo" }],
    isDone: ({ undoAsked }) => !undoAsked,
    onFact: (fact) => facts.push(fact),
  });
  if (!asked.ok) return asked;
  for (const fact of facts.toReversed()) {
    if (fact.type === "landing.undone") return { ok: true, outcome: { kind: "undone", fact } };
    if (fact.type === "undo.refused") return { ok: true, outcome: describeRefused(fact, found.known.run) };
    if (fact.type === "effect.failed" && fact.key.startsWith("undo "))
      return refuse("environment", `cannot undo the landing: ${fact.detail}`, hintForCause(fact.cause));
  }
  const detail = "the run ended before the undo was done";
  return { ok: true, outcome: describeRefused({ detail }, found.known.run) };
}

function describeRefused(refused: RefusedMove, run: RunId): Extract<UndoOutcome, { kind: "refused" }> {
  const next: NextStep =
    refused.worktree === undefined
      ? { command: plait("status", run), purpose: "see the run" }
      : { command: plait("undo", run), purpose: "undo it after you commit, stash or move these files" };
  return { kind: "refused", why: plainText(formatRefusedMove(refused)), next };
}
