import type { TimeLimits } from "../plan.ts";
import type { Check } from "../run-index.ts";
import type { Candidate, LiveAttempt, OpenTask, RunState } from "../run-state.ts";
import type { Block } from "./blocking.ts";
import { failureText, limitText } from "./failure-text.ts";
import { count } from "./preview/words.ts";
import { ordinal } from "./run-words.ts";

/** What plait itself is doing with a task, and what keeps one from starting, as clauses for a column. */

/** `test:unit, gate 2 of 3`; null while no gate is asked. */
export function gateNote(state: RunState, i: number, live: LiveAttempt | null): string | null {
  if (live?.stage.kind !== "gate") return null;
  const { missing } = live.stage;
  const total = state.index.checks[i]?.length ?? missing.length;
  return missing.length === 0 ? null : `${nameOf(missing)}, ${placeOf(missing, total)}`;
}

/** For the one whose turn it is. */
export function mergeNote(candidate: Candidate | undefined): string | null {
  if (candidate === undefined) return null;
  const { missing, tasks } = candidate;
  const together = tasks.length > 1 ? `, ${tasks.length} together` : "";
  if (missing.length === 0) return `gates green${together}`;
  const more = missing.length > 1 ? ` and ${count(missing.length - 1, "more gate")}` : "";
  return `gating merged tree, ${nameOf(missing)}${more}${together}`;
}

/** For those behind it: `2nd, gated ahead: green`. */
export function queueNote(block: Block | null, candidate: Candidate | undefined): string | null {
  if (block?.kind !== "queue") return null;
  const place = ordinal(block.ahead + 1);
  if (candidate === undefined) return place;
  if (candidate.red !== null) return `${place}, gated ahead: red`;
  if (candidate.missing.length === 0) return `${place}, gated ahead: green`;
  return `${place}, gating ahead, ${nameOf(candidate.missing)}`;
}

/** For one that a person has: what is wrong with it, and where it is. */
export function openNote({ worktree, after }: OpenTask, limits: TimeLimits): string {
  const where = worktree === null ? "to be opened for you" : `open at ${worktree}`;
  return after?.because == null ? where : `${failureText(after.because, limits)}; ${where}`;
}

const nameOf = (missing: readonly Check[]): string => missing[0]?.gate.name ?? "";

const placeOf = (missing: readonly Check[], total: number): string =>
  `gate ${Math.max(1, total - missing.length + 1)} of ${Math.max(total, missing.length)}`;

/** Why a task with all its needs met has not started; null when it is about to. */
export function blockText(block: Block | null): string | null {
  switch (block?.kind) {
    case "slots":
      return `a slot, all ${block.of} are taken`;
    case "base":
      return "the base to be checked";
    case "group":
      return `room in group ${block.group}, ${block.max} at once`;
    case "account":
      return limitText(null, block.why);
    case "person":
      return `you: ${block.why}`;
    case "saving":
      return "its last attempt is being saved";
    case "landing":
      return "the landing";
    case "paused":
      return "the pause to end";
    case "stopping":
      return "a resume, the run stops";
    case "budget":
      return "a larger budget";
    default:
      return null;
  }
}
