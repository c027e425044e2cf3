import { useMemo, useState } from "preact/hooks";
import type { TaskId } from "../../core/ids.ts";
import { isSelected } from "../../core/run-tasks.ts";
import { criticalWay } from "../../core/select/forecast.ts";
import { groupNames, isGrouped, taskGroups } from "../../core/select/task-groups.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import { formatNode } from "../../core/select/task-status-text.ts";
import { hourAndMinute } from "../../report/local-times.ts";
import { navigate, useMoment } from "../context.ts";
import { taskRoute } from "../route.ts";
import { pageMeasure } from "./picture/measure.ts";
import type { EdgeLook } from "./picture/paths.ts";
import { planPicture, related } from "./picture/plan-picture.ts";

export type GraphModel = ReturnType<typeof useGraph>;

/** The run as the graph shows it; tasks are the indices of the picture. Whatever changes with time is a function. */
export function useGraph(selectedTask: TaskId | null) {
  const moment = useMoment();
  const { state, rows } = moment;
  const { plan } = state.index;
  const tasks = useMemo(
    () => plan.tasks.filter(({ id }) => isSelected(state, id) && !state.gone.has(id)),
    [plan, state.selected, state.gone],
  );
  const picture = useMemo(() => planPicture(tasks, pageMeasure()), [tasks]);
  const selected = selectedTask === null ? null : (picture.indexOf.get(selectedTask) ?? null);
  const [focused, focus] = useState<number | null>(null);
  const byTask = new Map(rows.map((row) => [row.task, row]));
  const rowOf = (i: number): TaskRow | undefined => byTask.get(picture.ids[i] as TaskId);
  const nameOf = (i: number): string => picture.ids[i] ?? "";
  const near = useMemo(() => (selected === null ? null : related(picture, selected)), [picture, selected]);
  const { behind, ahead } = criticalWay(moment);
  const way = [...behind.map(({ task }) => task), ...ahead];
  const critical = new Set<string>(way);
  const look = { now: moment.now, timeOfDay: hourAndMinute };
  const run = state.run;
  return {
    ...{ moment, picture, selected, rowOf, focus },
    ...useFolds(rows, tasks),
    /** Describes the picture to screen readers. */
    name: `${plan.name}: graph of ${picture.ids.length} tasks in ${picture.layout.columns.length} ranks`,
    nodeText: (row: TaskRow) => formatNode(state, row, look),
    flags: (i: number) => ({
      isSelected: i === selected,
      isFocused: i === focused && i !== selected,
      isDimmed: near !== null && !near.has(i),
      isCritical: critical.has(nameOf(i)),
    }),
    isCritical: (task: TaskId) => critical.has(task),
    edgeLook: buildEdgeLook({ rowOf, nameOf, way, near }),
    /** While it stays the same, so does the look of every edge. */
    edgeKey: `${rows.map(({ status, actor }) => (actor === "done" ? "." : status.kind)).join()} ${way.join()}`,
    names: (list: readonly number[]) => list.map(nameOf).join(", "),
    select: (i: number | null) =>
      navigate(
        { view: "graph", run, selected: i === null ? null : (nameOf(i) as TaskId) },
        { instead: true },
      ),
    open: (i: number) => navigate(taskRoute(run, nameOf(i) as TaskId)),
  };
}

type EdgeSources = {
  readonly rowOf: (i: number) => TaskRow | undefined;
  readonly nameOf: (i: number) => string;
  readonly way: readonly TaskId[];
  readonly near: ReadonlySet<number> | null;
};

function buildEdgeLook({ rowOf, nameOf, way, near }: EdgeSources) {
  const next = new Map<string, string>(way.slice(1).map((task, i) => [way[i] as string, task]));
  return (from: number, to: number): EdgeLook => {
    const need = rowOf(from);
    return {
      kind: need?.actor === "done" ? "done" : need?.status.kind === "failed" ? "blocked" : "waiting",
      isCritical: next.get(nameOf(from)) === nameOf(to),
      isDimmed: near !== null && !(near.has(from) && near.has(to)),
    };
  };
}

/** Groups are collapsed until a person opens them, except those with tasks that need a person. */
function useFolds(rows: readonly TaskRow[], tasks: Parameters<typeof groupNames>[0]["tasks"]) {
  const names = useMemo(() => groupNames({ tasks }), [tasks]);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isByGroups = useMemo(() => isGrouped({ tasks }), [tasks]);
  const groups = isByGroups ? taskGroups(rows, names) : null;
  const needsYou = new Set(groups?.filter(({ actors }) => actors.you > 0).map(({ name }) => name));
  return {
    /** Null where there are too few tasks for it. */
    groups,
    isFolded: (group: string) => chosen.get(group) ?? !needsYou.has(group),
    fold: (group: string, isFolded: boolean) => setChosen(new Map(chosen).set(group, isFolded)),
  };
}
