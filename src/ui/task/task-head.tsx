import type { RunAction } from "../../core/run-action.ts";
import { offers } from "../../core/select/offers.ts";
import { countdown } from "../../core/select/run-words.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import { isLater } from "../../core/select/turns.ts";
import { useAsk, useMoment, usePage } from "../context.ts";
import { StateBadge } from "../parts/badge.tsx";
import { StateIcon } from "../parts/icon.tsx";
import { hourAndMinute } from "../parts/times.ts";
import { CopyText } from "./copy-text.tsx";
import { plainText } from "./log/ansi.ts";
import type { ShownTask } from "./use-task.ts";

export function TaskHead({ shown: { row, task, state } }: { readonly shown: ShownTask }) {
  const moment = useMoment();
  const { session } = usePage();
  const ask = useAsk();
  const isShown = session.canAct && moment.replay === null;
  const actions = isShown ? offers(state, row.task, { isDriven: moment.isDriven }).filter(isOfTask) : [];
  const who =
    row.agent === null
      ? "command"
      : [row.agent.use, row.agent.name, row.agent.model].filter(Boolean).join(", ");
  return (
    <header class="task-head">
      <StateIcon shown={row.shown} />
      <h2 class="task-id">
        <CopyText text={row.task} what="the id of the task" />
        {task.title !== row.task && <span class="task-title">{task.title}</span>}
      </h2>
      <StateBadge shown={row.shown}>{badgeWords(row, moment.now)}</StateBadge>
      {row.note !== null && <p class="task-note">{plainText(row.note)}</p>}
      <span class="task-who">{who}</span>
      <div class="task-actions">
        {actions.map((action, n) => (
          <button
            key={action.kind}
            type="button"
            class={n === 0 && MAIN.has(action.kind) ? "button primary" : "button"}
            onClick={() => ask(action)}
          >
            {LABELS[action.kind]}
          </button>
        ))}
      </div>
    </header>
  );
}

type TaskAction = Extract<RunAction, { kind: keyof typeof LABELS }>;

const LABELS = {
  approve: "Approve…",
  accept: "Accept…",
  retry: "Retry…",
  open: "Open worktree…",
  hold: "Hold…",
  cancel: "Cancel task…",
} as const;

/** What is waited for; to hold or cancel is for those who look for it. */
const MAIN: ReadonlySet<TaskAction["kind"]> = new Set(["approve", "accept", "retry"]);

const isOfTask = (action: RunAction): action is TaskAction => Object.hasOwn(LABELS, action.kind);

function badgeWords({ shown, chance, until }: TaskRow, now: number): string {
  if (shown === "backoff" && until !== null) return `, ${countdown(until - now)}`;
  if (shown === "parked" && until !== null) return `until ${hourAndMinute(until)}`;
  return isLater(chance) ? `, ${chance.kind === "fix" ? "fix " : ""}${chance.n} of ${chance.of}` : "";
}
