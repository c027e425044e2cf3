import type { RunAction } from "../../core/run-action.ts";
import { actionWords } from "../../core/select/action-words.ts";
import { agentText } from "../../core/select/agent-text.ts";
import { countdown } from "../../core/select/run-words.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import { isLater, turnText } from "../../core/select/turns.ts";
import { hourAndMinute } from "../../report/local-times.ts";
import { useAsk, useMoment } from "../context.ts";
import { plainText } from "../parts/ansi.ts";
import { StateBadge } from "../parts/badge.tsx";
import { StateIcon } from "../parts/icon.tsx";
import { useOffers } from "../use-offers.ts";
import { CopyText } from "./copy-text.tsx";
import type { ShownTask } from "./use-task.ts";

export function TaskHead({ shown: { row, task, state } }: { readonly shown: ShownTask }) {
  const moment = useMoment();
  const ask = useAsk();
  const actions = useOffers(row.task);
  return (
    <header class="task-head">
      <StateIcon shown={row.shown} />
      <h2 class="task-id">
        <CopyText text={row.task} what="the id of the task" />
        {task.title !== row.task && <span class="task-title">{task.title}</span>}
      </h2>
      <StateBadge shown={row.shown}>{badgeWords(row, moment.now)}</StateBadge>
      {row.note !== null && <p class="task-note">{plainText(row.note)}</p>}
      <span class="task-who">{agentText(row.agent)}</span>
      <div class="task-actions">
        {actions.map((action, n) => (
          <button
            key={action.kind}
            type="button"
            class={n === 0 && MAIN.has(action.kind) ? "button primary" : "button"}
            onClick={() => ask(action)}
          >
            {actionWords(state, action, moment).verb}…
          </button>
        ))}
      </div>
    </header>
  );
}

/** What is waited for; to hold or cancel is for those who look for it. */
const MAIN: ReadonlySet<RunAction["kind"]> = new Set(["approve", "accept", "retry"]);

function badgeWords({ shown, chance, until }: TaskRow, now: number): string {
  if (shown === "backoff" && until !== null) return `, ${countdown(until - now)}`;
  if (shown === "parked" && until !== null) return `until ${hourAndMinute(until)}`;
  return isLater(chance) ? `, ${turnText(chance)}` : "";
}
