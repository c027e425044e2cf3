import type { TaskId } from "../../core/ids.ts";
import type { QueueEntry } from "../../core/select/merge-queue.ts";
import { offered } from "../../core/select/offers.ts";
import { useAsk } from "../context.ts";
import { useOffers } from "../use-offers.ts";

/** What a person can do about a task that does not merge. */
export function EntryActions({
  entry: { task, shown, isClash },
  onBothSides,
}: {
  readonly entry: QueueEntry;
  readonly onBothSides: (task: TaskId) => void;
}) {
  const ask = useAsk();
  const wished = ACTIONS[shown];
  const action = offered(useOffers(task), wished?.kind ?? "retry");
  const isOffered = wished !== undefined && action !== null;
  if (!isClash && !isOffered) return null;
  return (
    <p class="queue-actions">
      {isClash && (
        <button type="button" class="button" onClick={() => onBothSides(task)}>
          See both sides
        </button>
      )}
      {isOffered && (
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
