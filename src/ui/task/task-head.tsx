import type { RunAction } from "../../core/decide.ts";
import { formatAction } from "../../core/select/action-text.ts";
import { agentText } from "../../core/select/actor-text.ts";
import { formatAttemptNumber } from "../../core/select/attempt-number.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import { formatTaskNote } from "../../core/select/task-status-text.ts";
import { countdown } from "../../core/text/figures.ts";
import { capitalize, isEmpty } from "../../core/text/sentence.ts";
import { hourAndMinute } from "../../report/local-times.ts";
import { useAsk, useMoment } from "../context.ts";
import { StateBadge } from "../parts/badge.tsx";
import { CopyText } from "../parts/copy-text.tsx";
import { StateIcon } from "../parts/icon.tsx";
import { SentenceText } from "../parts/sentence-text.tsx";
import { useOffers } from "../use-offers.ts";
import type { ShownTask } from "./use-task.ts";

export function TaskHead({ shown: { row, task, state } }: { readonly shown: ShownTask }) {
  const moment = useMoment();
  const ask = useAsk();
  const actions = useOffers(row.task);
  const note = formatTaskNote(row.status);
  return (
    <header class="task-head">
      <StateIcon shown={row.status.kind} />
      <h2 class="task-id">
        <CopyText text={row.task} what="the task id" />
        {task.title !== row.task && <span class="task-title">{task.title}</span>}
      </h2>
      <StateBadge shown={row.status.kind}>{formatBadge(row, moment.now)}</StateBadge>
      {!isEmpty(note) && (
        <p class="task-note">
          <SentenceText text={capitalize(note)} />
        </p>
      )}
      <span class="task-who">{agentText(row.agent)}</span>
      <div class="task-actions">
        {actions.map((action, n) => (
          <button
            key={action.kind}
            type="button"
            class={n === 0 && MAIN.has(action.kind) ? "button primary" : "button"}
            onClick={() => ask(action)}
          >
            {formatAction(state, action, moment).verb}…
          </button>
        ))}
      </div>
    </header>
  );
}

/** What the task needs from a person. */
const MAIN: ReadonlySet<RunAction["kind"]> = new Set(["approve", "accept", "retry"]);

function formatBadge({ status: { kind }, number, until }: TaskRow, now: number): string {
  if (kind === "retrying" && until !== null) return `, ${countdown(until - now)}`;
  if (kind === "paused" && until !== null) return `until ${hourAndMinute(until)}`;
  return number !== null && number.n > 1 ? `, ${formatAttemptNumber(number)}` : "";
}
