import type { AttemptFailure } from "../failure.ts";
import { splitAttemptId, type TaskId } from "../ids.ts";
import { chainEnd } from "../queries.ts";
import type { Candidate, RunState, TaskState } from "../run-state.ts";

/** Sentences about the queue. What people would type, ids and paths and gates, is `code`. */
export type Note = readonly NotePart[];
export type NotePart = string | { readonly code: string };

const code = (text: string): NotePart => ({ code: text });

/** `a`, `b` and 3 more. */
function some(names: readonly string[]): NotePart[] {
  const shown = names
    .slice(0, 2)
    .flatMap((name, n): NotePart[] => (n === 0 ? [code(name)] : [", ", code(name)]));
  return names.length > 2 ? [...shown, ` and ${names.length - 2} more`] : shown;
}

const together = (others: readonly TaskId[]): NotePart[] =>
  others.length === 0 ? [] : [" Together with ", ...some(others), "."];

/** For the one that stands on the tip. */
export function headNote(
  { missing }: Candidate,
  { tip, others }: { readonly tip: string; readonly others: readonly TaskId[] },
): Note {
  const then =
    missing.length === 0 ? ". Every gate green: the ref moves now." : ". Moves the ref when green.";
  return ["On the tip ", code(tip), then, ...together(others)];
}

/** For those that stand on one that is not merged yet. */
export function aheadNote(
  { missing, red }: Candidate,
  { ahead, others }: { readonly ahead: readonly TaskId[]; readonly others: readonly TaskId[] },
): Note {
  const on: NotePart[] = ["tip + ", ...some(ahead)];
  if (red !== null) {
    const gate: NotePart[] = red.reason === "gate" ? ["Gate ", code(red.gate), " red"] : ["Red"];
    return [...gate, " on ", ...on, ". Counts once those before it are merged.", ...together(others)];
  }
  if (missing.length > 0) return ["Gating ahead on ", ...on, ".", ...together(others)];
  const waits = ahead.length === 1 ? "1" : `1 to ${ahead.length}`;
  return ["Gated ahead on ", ...on, `. Waits only for ${waits}.`, ...together(others)];
}

/** For what is in the queue, and in no candidate yet. */
export function notBuiltNote(
  state: RunState,
  { isNext, isDriven }: { readonly isNext: boolean; readonly isDriven: boolean },
): Note {
  const { stopping, held, candidates, policy, stalledAt } = state;
  if (!isDriven || (stopping !== null && stopping !== "drain")) return ["Goes on with a resume."];
  if (held !== null) return [`Waits for you: ${held}.`];
  const [last] = candidates.slice(-1);
  if (last?.red) return ["Waits for what is red before it."];
  if (isNext && stalledAt === chainEnd(state) && last !== undefined)
    return [
      "Does not merge onto ",
      ...some(last.tasks.map(({ task }) => task)),
      ". Tried again when that is merged.",
    ];
  if (candidates.length >= policy.mergeAhead)
    return [`Waits for room: ${candidates.length} of ${policy.mergeAhead} are being gated.`];
  return [isNext ? "Is being merged." : "Waits for those before it."];
}

export const ownGatesNote = (): Note => ["Not in the queue yet: its own gates first."];

/** For what left the queue and will be back, or was proven and waits for a word; null for all others. */
export function comesBack(task: TaskState): { readonly note: Note; readonly isClash: boolean } | null {
  const { phase, past, open } = task;
  if (phase.kind === "held" && phase.proven !== null)
    return { note: [`Proven, waits for you: ${phase.why}.`], isClash: false };
  const isBack = phase.kind === "backoff" || phase.kind === "active" || phase.kind === "failed";
  if (!isBack && open === null) return null;
  const failure = past.findLast(({ author }) => author === "agent")?.failure ?? null;
  const why = queueFailure(failure);
  if (why === null) return null;
  return { note: [...why, ...whatFollows(task)], isClash: failure?.reason === "conflict" };
}

/** Why something left the queue: a conflict, or a gate that was red on the merged tree. */
function queueFailure(failure: AttemptFailure | null): NotePart[] | null {
  if (failure?.reason === "conflict") {
    const others = failure.with.length === 0 ? ["what was merged"] : some(failure.with);
    const where = failure.paths.length === 0 ? [] : [" in ", ...some(failure.paths)];
    return ["Clashed with ", ...others, ...where, ". Both sides are kept."];
  }
  if (failure?.reason !== "gate" || failure.on !== "merge") return null;
  return ["Gate ", code(failure.gate), " was red on the merged tree."];
}

function whatFollows({ phase, live, started, fix, open }: TaskState): NotePart[] {
  if (open !== null) return [" It is with you."];
  if (phase.kind === "failed") return [" No attempt is left."];
  const [now] = live;
  if (now !== undefined) return [` Attempt ${splitAttemptId(now.id).n} works on it.`];
  const how = fix === null ? "starts on the new tip" : "goes on with it, on the new tip";
  return [` Attempt ${started + 1} ${how}.`];
}

/** As one text, for readers and titles. */
export const noteText = (note: Note): string =>
  note.map((part) => (typeof part === "string" ? part : part.code)).join("");
