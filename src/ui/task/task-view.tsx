import { useCallback } from "preact/hooks";
import type { TaskId } from "../../core/ids.ts";
import type { DiffDocument } from "../../report/page/wire.ts";
import { navigate, useMoment, usePage } from "../context.ts";
import { useKeys } from "../keys.ts";
import { Blank } from "../parts/blank.tsx";
import { type Loaded, useLoaded } from "../parts/use-loaded.ts";
import { formatRoute, parseRoute, type TaskTab } from "../route.ts";
import { taskTabKeys } from "../task-tab-keys.ts";
import { DiffView } from "./diff/diff-view.tsx";
import { GatesView } from "./gates/gates-view.tsx";
import { LogView } from "./log/log-view.tsx";
import { PromptView } from "./prompt-view.tsx";
import { Rail } from "./rail/rail.tsx";
import type { TabProps, TaskRoute } from "./tab-props.ts";
import { TaskTabs } from "./tabs.tsx";
import { TaskHead } from "./task-head.tsx";
import { TranscriptView } from "./transcript/transcript-view.tsx";
import { type ShownTask, useTask } from "./use-task.ts";
import "./task.css";

export type TaskViewProps = { readonly task: TaskId; readonly tab: TaskTab; readonly attempt: number | null };

/** One task: what came of it on the left, and what an attempt did, printed, changed and was told on the right. */
export function TaskView({ task, tab, attempt }: TaskViewProps) {
  const moment = useMoment();
  const shown = useTask(moment, task, attempt);
  const route: TaskRoute = { view: "task", run: moment.state.run, task, tab, attempt };
  useTaskKeys(route, shown);
  const of = shown?.attempt ?? null;
  const base = useBaseDiff(shown, route);
  if (shown === null) {
    return (
      <Blank title={`There is no task ${task} in this run`}>
        <a class="button" href={formatRoute({ view: "graph", run: route.run, selected: null })}>
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

function Tab(props: TabProps) {
  switch (props.route.tab) {
    case "transcript":
      return <TranscriptView {...props} />;
    case "log":
      return <LogView {...props} />;
    case "diff":
      return <DiffView {...props} />;
    case "gates":
      return <GatesView {...props} />;
    case "prompt":
      return <PromptView {...props} />;
  }
}

function NoAttempt({ shown, wanted }: { readonly shown: ShownTask; readonly wanted: number | null }) {
  const { row } = shown;
  const after = row.after.length === 0 ? null : `It starts after ${row.after.join(", ")}.`;
  return (
    <div class="task-pane">
      <Blank title={wanted === null ? "No attempt yet" : `Attempt ${wanted} has not begun`}>
        <p>{after ?? row.note ?? "It shows up here as soon as it starts."}</p>
      </Blank>
    </div>
  );
}

/** What is saved does not change any more; before that there is nothing to ask for. */
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
  // Keys come faster than the page is drawn: where one is stands in the address.
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
    // The last is shown by no number, so that the one that comes after it is shown when it begins.
    return navigate({ ...now, attempt: next === all.at(-1) ? null : next.n });
  };
  useKeys({
    ...taskTabKeys((tab) => navigate({ ...current(), tab })),
    ...{ "[": move(-1), "]": move(1) },
  });
}
