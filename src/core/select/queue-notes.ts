import type { AttemptFailure } from "../failure.ts";
import { splitAttemptId, type TaskId } from "../ids.ts";
import { chainEnd } from "../queries.ts";
import type { Candidate, RunState, TaskState } from "../run-state.ts";
import { listing, name, paragraph, path, type Sentence, sentence, task } from "../text/sentence.ts";

/** Sentences about the merge queue. */

/** `a`, `b` and 3 more. */
const some = (ids: readonly TaskId[]): Sentence => listing(ids.map(task), 2);

const formatTogether = (others: readonly TaskId[]): Sentence =>
  others.length === 0 ? "" : sentence`Together with ${some(others)}.`;

/** For the one on the tip. */
export function headNote(
  { missing }: Candidate,
  { tip, others }: { readonly tip: string; readonly others: readonly TaskId[] },
): Sentence {
  const then = missing.length === 0 ? "Every gate is green; merging now." : "Merges when green.";
  return paragraph([sentence`On the tip ${name(tip)}.`, then, formatTogether(others)]);
}

/** For those on top of one that is not merged yet. */
export function aheadNote(
  { missing, red }: Candidate,
  { ahead, others }: { readonly ahead: readonly TaskId[]; readonly others: readonly TaskId[] },
): Sentence {
  const on = sentence`the tip with ${some(ahead)}`;
  if (red !== null) {
    const gate = red.reason === "gate" ? sentence`Gate ${name(red.gate)} red` : "Red";
    const then = "Checked again if a task before it fails.";
    return paragraph([sentence`${gate} on ${on}.`, then, formatTogether(others)]);
  }
  if (missing.length > 0) return paragraph([sentence`Checking on ${on}.`, formatTogether(others)]);
  const waits = ahead.length === 1 ? "the task before it" : `${ahead.length} tasks before it`;
  return paragraph([sentence`Green on ${on}. Waiting only for ${waits}.`, formatTogether(others)]);
}

/** For a queued task that is in no candidate yet. */
export function notBuiltNote(
  state: RunState,
  { isNext, isRunning }: { readonly isNext: boolean; readonly isRunning: boolean },
): Sentence {
  const { stopping, held, candidates, policy, stalledAt } = state;
  if (!isRunning || (stopping !== null && stopping !== "drain")) return "Continues on resume.";
  if (held !== null) return `Needs you: ${held}.`;
  const [last] = candidates.slice(-1);
  if (last?.red) return "Waiting for the red task before it.";
  if (isNext && stalledAt === chainEnd(state) && last !== undefined)
    return sentence`Conflicts with ${some(last.tasks.map((one) => one.task))}. Tried again after that is merged.`;
  if (candidates.length >= policy.mergeAhead)
    return `Waiting: ${candidates.length} of ${policy.mergeAhead} are being checked.`;
  return isNext ? "Merging." : "Waiting for the tasks before it.";
}

export const ownGatesNote = ({ isStopped }: { readonly isStopped: boolean }): Sentence =>
  isStopped
    ? "Not queued yet: its own gates run after a resume."
    : "Not queued yet: its own gates run first.";

/** For a task that left the queue and will return, or is green and held; null for all others. */
export function comesBack(of: TaskState): { readonly note: Sentence; readonly isClash: boolean } | null {
  const { phase, past, open } = of;
  if (phase.kind === "held" && phase.proven !== null)
    return { note: `Green, and needs you: ${phase.why}.`, isClash: false };
  const isBack = phase.kind === "backoff" || phase.kind === "active" || phase.kind === "failed";
  if (!isBack && open === null) return null;
  const failure = past.findLast(({ author }) => author === "agent")?.failure ?? null;
  const reason = formatQueueFailure(failure);
  if (reason === null) return null;
  return { note: paragraph([reason, formatNext(of)]), isClash: failure?.reason === "conflict" };
}

/** Why it left the queue: a conflict, or a gate that was red on the merged tree. */
function formatQueueFailure(failure: AttemptFailure | null): Sentence | null {
  if (failure?.reason === "conflict") {
    const others = failure.with.length === 0 ? "merged work" : some(failure.with);
    const where = failure.paths.length === 0 ? "" : sentence` in ${listing(failure.paths.map(path), 2)}`;
    return sentence`Conflict with ${others}${where}. Both sides are saved.`;
  }
  if (failure?.reason !== "gate" || failure.on !== "merge") return null;
  return sentence`Gate ${name(failure.gate)} was red on the merged tree.`;
}

function formatNext({ phase, live, started, fix, open }: TaskState): string {
  if (open !== null) return "The task is open.";
  if (phase.kind === "failed") return "No attempts left.";
  const [now] = live;
  if (now !== undefined) return `Attempt #${splitAttemptId(now.id).n} is running.`;
  return `Attempt #${started + 1} ${fix === null ? "starts" : "continues"} on the new tip.`;
}
