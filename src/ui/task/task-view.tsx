import type { JSX } from "preact";
import { useCallback } from "preact/hooks";
import type { RunAction } from "../../core/decide.ts";
import type { TaskId } from "../../core/ids.ts";
import { formatAction } from "../../core/select/action-text.ts";
import { agentText } from "../../core/select/actor-text.ts";
import { formatAttemptNumber } from "../../core/select/attempt-number.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import { formatTaskNote, formatTaskStatus } from "../../core/select/task-status-text.ts";
import { capital, countdown } from "../../core/text/figures.ts";
import { capitalize, isEmpty, withPeriod } from "../../core/text/sentence.ts";
import { hourAndMinute } from "../../report/local-times.ts";
import type { DiffDocument } from "../../report/page/wire.ts";
import { navigate, useAsk, useMoment, useOffers, usePage } from "../context.ts";
import { useKeys } from "../keys.ts";
import { Blank } from "../parts/blank.tsx";
import { StateBadge, StateIcon } from "../parts/icon.tsx";
import { CopyText, SentenceText } from "../parts/sentence-text.tsx";
import { type Loaded, useLoaded } from "../parts/use-loaded.ts";
import {
  formatRoute,
  linkRun,
  parseRoute,
  type TaskRoute,
  type TaskTab,
  taskRoute,
  taskTabs,
} from "../route.ts";
import { taskTabKeys } from "../task-keys.ts";
import { DiffView } from "./diff/diff-view.tsx";
import { GatesView } from "./gates/gates-view.tsx";
import { LogView } from "./log/log-view.tsx";
import { PromptView } from "./prompt-view.tsx";
import { Rail } from "./rail/rail.tsx";
import { TranscriptView } from "./transcript/transcript-view.tsx";
import { type ShownTask, type TabProps, useTask } from "./use-task.ts";
import "./task.css";

type TaskViewProps = { readonly task: TaskId; readonly tab: TaskTab; readonly attempt: number | null };

/** One task: its attempts and gates on the left; transcript, log, diff and prompt of one attempt on the right. */
export function TaskView({ task, tab, attempt }: TaskViewProps) {
  const moment = useMoment();
  const shown = useTask(moment, task, attempt);
  const route = taskRoute(moment.state.run, task, { tab, attempt });
  useTaskKeys(route, shown);
  const of = shown?.attempt ?? null;
  const Tab = TABS[tab];
  const base = useBaseDiff(shown, route);
  if (shown === null) {
    return (
      <Blank title={`No task ${task} in this run`}>
        <a class="button" href={linkRun(route.run)}>
          All tasks
        </a>
      </Blank>
    );
  }
  const files = base.kind === "loaded" && base.value.kind === "diff" ? base.value.stat.length : null;
  return (
    <article class="task" aria-label={`Task ${task}`}>
      <TaskHead shown={shown} />
      <Rail shown={shown} route={route} diff={base} />
      <div class="task-main">
        <TaskTabs route={route} files={files} attempt={of?.n ?? null} />
        {of === null ? (
          <NoAttempt shown={shown} wanted={attempt} />
        ) : (
          <Tab key={`${of.attempt} ${tab}`} shown={shown} attempt={of} route={route} base={base} />
        )}
      </div>
    </article>
  );
}

const TABS: { readonly [T in TaskTab]: (props: TabProps) => JSX.Element } = {
  transcript: TranscriptView,
  log: LogView,
  diff: DiffView,
  gates: GatesView,
  prompt: PromptView,
};

function NoAttempt({ shown, wanted }: { readonly shown: ShownTask; readonly wanted: number | null }) {
  const { row } = shown;
  return (
    <div class="task-pane">
      <Blank title={wanted === null ? "No attempts yet" : `Attempt ${wanted} has not started`}>
        <p>
          <SentenceText text={withPeriod(capitalize(formatTaskStatus(row.status)))} />
        </p>
      </Blank>
    </div>
  );
}

/** Saved work does not change; before that there is none. */
function useBaseDiff(shown: ShownTask | null, { run, task }: TaskRoute): Loaded<DiffDocument> {
  const { source } = usePage();
  const of = shown?.attempt ?? null;
  const key = of === null || of.ref === null ? null : of.attempt;
  const ask = useCallback(
    () => source.diff({ run, task, n: of?.n ?? 1 }, "base"),
    [source, run, task, of?.n],
  );
  return useLoaded(key, ask);
}

function useTaskKeys(route: TaskRoute, shown: ShownTask | null): void {
  // Keys come faster than the page renders: the address is current.
  const current = (): TaskRoute => {
    const now = parseRoute(location.hash);
    return now.view === "task" ? now : route;
  };
  const move = (by: 1 | -1) => () => {
    const all = shown?.report.attempts ?? [];
    const now = current();
    const at = now.attempt === null ? all.length - 1 : all.findIndex(({ n }) => n === now.attempt);
    const next = all[at + by];
    if (next === undefined) return false;
    // The last one has no number in the address, so that the next one is shown when it starts.
    return navigate({ ...now, attempt: next === all.at(-1) ? null : next.n });
  };
  useKeys({
    ...taskTabKeys((tab) => navigate({ ...current(), tab })),
    ...{ "[": move(-1), "]": move(1) },
  });
}

type TaskTabsProps = {
  readonly route: TaskRoute;
  readonly files: number | null;
  readonly attempt: number | null;
};

function TaskTabs({ route, files, attempt }: TaskTabsProps) {
  return (
    <div class="task-tabs ruled row">
      <nav aria-label="Views of the task">
        {taskTabs.map((tab) => (
          <a
            key={tab}
            href={formatRoute({ ...route, tab })}
            class="task-tab quiet row"
            aria-current={tab === route.tab ? "page" : undefined}
          >
            {capital(tab)}
            {tab === "diff" && files !== null && (
              <span class="tab-count quiet">
                {files}
                <span class="unseen"> files</span>
              </span>
            )}
          </a>
        ))}
      </nav>
      {attempt !== null && (
        <span class="task-which quiet">
          attempt <span class="task-number framed mono">#{attempt}</span>
        </span>
      )}
    </div>
  );
}

function TaskHead({ shown: { row, task, state } }: { readonly shown: ShownTask }) {
  const moment = useMoment();
  const ask = useAsk();
  const actions = useOffers(row.task);
  const note = formatTaskNote(row.status);
  return (
    <header class="task-head ruled row">
      <StateIcon shown={row.status.kind} />
      <h2 class="task-id">
        <CopyText text={row.task} what="the task id" />
        {task.title !== row.task && <span class="task-title quiet">{task.title}</span>}
      </h2>
      <StateBadge shown={row.status.kind}>{formatBadge(row, moment.now)}</StateBadge>
      {!isEmpty(note) && (
        <p class="task-note quiet cut">
          <SentenceText text={capitalize(note)} />
        </p>
      )}
      <span class="task-who push quiet">{agentText(row.agent)}</span>
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
