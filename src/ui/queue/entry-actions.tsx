import type { TaskId } from "../../core/ids.ts";
import { formatAction } from "../../core/select/action-text.ts";
import type { QueueEntry } from "../../core/select/merge-queue.ts";
import { offered } from "../../core/select/offers.ts";
import { useAsk, useMoment } from "../context.ts";
import { useOffers } from "../use-offers.ts";

/** What a person can do about a task that left the queue. */
export function EntryActions({
  entry: { task, shown, isClash },
  onBothSides,
}: {
  readonly entry: QueueEntry;
  readonly onBothSides: (task: TaskId) => void;
}) {
  const ask = useAsk();
  const moment = useMoment();
  const kind = ACTIONS[shown];
  const offers = useOffers(task);
  const action = kind === undefined ? null : offered(offers, kind);
  if (!isClash && action === null) return null;
  return (
    <p class="queue-actions">
      {isClash && (
        <button type="button" class="button" onClick={() => onBothSides(task)}>
          Show both sides
        </button>
      )}
      {action !== null && (
        <button type="button" class="button" onClick={() => ask(action)}>
          {formatAction(moment.state, action, moment).verb}…
        </button>
      )}
    </p>
  );
}

const ACTIONS: { readonly [S in QueueEntry["shown"]]?: "retry" | "approve" } = {
  retrying: "retry",
  failed: "retry",
  held: "approve",
};
