import { decide } from "../../core/decide.ts";
import type { TaskId } from "../../core/ids.ts";
import type { RunAction } from "../../core/run-action.ts";
import type { QueueEntry } from "../../core/select/merge-queue.ts";
import { useAsk, useMoment, usePage } from "../context.ts";

/** What a person can do about a task that does not merge. */
export function EntryActions({
  entry: { task, shown, isClash },
  onBothSides,
}: {
  readonly entry: QueueEntry;
  readonly onBothSides: (task: TaskId) => void;
}) {
  const { state, replay } = useMoment();
  const { session } = usePage();
  const ask = useAsk();
  const wished = ACTIONS[shown];
  const action: RunAction | null = wished === undefined ? null : { kind: wished.kind, task };
  // What the driver would refuse is not offered; nothing is where nobody can be asked.
  const canAsk = session.canAct && replay === null && action !== null && action.kind !== "resume";
  const isAllowed = canAsk && decide(state, action, state.clock).ok;
  if (!isClash && !isAllowed) return null;
  return (
    <p class="queue-actions">
      {isClash && (
        <button type="button" class="button" onClick={() => onBothSides(task)}>
          See both sides
        </button>
      )}
      {isAllowed && wished !== undefined && (
        <button type="button" class="button" onClick={() => ask(action)}>
          {wished.word}
        </button>
      )}
    </p>
  );
}

type Wished = { readonly kind: "retry" | "approve"; readonly word: string };

const ACTIONS: { readonly [S in QueueEntry["shown"]]?: Wished } = {
  backoff: { kind: "retry", word: "Start now" },
  failed: { kind: "retry", word: "Retry…" },
  held: { kind: "approve", word: "Approve…" },
};
