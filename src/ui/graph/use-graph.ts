import { useMemo, useState } from "preact/hooks";
import type { TaskId } from "../../core/ids.ts";
import { isSelected } from "../../core/run-tasks.ts";
import { criticalWay } from "../../core/select/forecast.ts";
import { groupNames, isGrouped, type TaskGroup, taskGroups } from "../../core/select/task-groups.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import { formatNode, type NodeText } from "../../core/select/task-status-text.ts";
import { hourAndMinute } from "../../report/local-times.ts";
import { navigate, useMoment } from "../context.ts";
import type { Moment } from "../run/run-store.ts";
import type { EdgeLook } from "./picture/edge-paths.ts";
import { pageMeasure } from "./picture/measure.ts";
import { type PlanPicture, planPicture, related } from "./picture/plan-picture.ts";

/** The run as the graph shows it; tasks are the indices of the picture. Whatever changes with time is a function. */
export type GraphModel = {
  readonly moment: Moment;
  readonly picture: PlanPicture;
  /** Describes the picture to screen readers. */
  readonly name: string;
  readonly selected: number | null;
  readonly rowOf: (i: number) => TaskRow | undefined;
  readonly nodeText: (row: TaskRow) => NodeText;
  readonly flags: (i: number) => {
    readonly isSelected: boolean;
    readonly isFocused: boolean;
    readonly isDimmed: boolean;
    readonly isCritical: boolean;
  };
  readonly isCritical: (task: TaskId) => boolean;
  readonly edgeLook: (from: number, to: number) => EdgeLook;
  /** While it stays the same, so does the look of every edge. */
  readonly edgeKey: string;
  /** Null where there are too few tasks for it. */
  readonly groups: readonly TaskGroup[] | null;
  readonly isFolded: (group: string) => boolean;
  readonly fold: (group: string, isFolded: boolean) => void;
  readonly names: (tasks: readonly number[]) => string;
  readonly select: (i: number | null) => void;
  readonly open: (i: number) => void;
  readonly focus: (i: number | null) => void;
};

export function useGraph(selectedTask: TaskId | null): GraphModel {
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
    name: `${plan.name}: graph of ${picture.ids.length} tasks in ${picture.layout.columns.length} ranks`,
    nodeText: (row) => formatNode(state, row, look),
    flags: (i) => ({
      isSelected: i === selected,
      isFocused: i === focused && i !== selected,
      isDimmed: near !== null && !near.has(i),
      isCritical: critical.has(nameOf(i)),
    }),
    isCritical: (task) => critical.has(task),
    edgeLook: buildEdgeLook({ rowOf, nameOf, way, near }),
    edgeKey: `${rows.map(({ status, actor }) => (actor === "done" ? "." : status.kind)).join()} ${way.join()}`,
    names: (list) => list.map(nameOf).join(", "),
    select: (i) =>
      navigate(
        { view: "graph", run, selected: i === null ? null : (nameOf(i) as TaskId) },
        { instead: true },
      ),
    open: (i) => navigate({ view: "task", run, task: nameOf(i) as TaskId, tab: "transcript", attempt: null }),
  };
}

type EdgeSources = {
  readonly rowOf: (i: number) => TaskRow | undefined;
  readonly nameOf: (i: number) => string;
  readonly way: readonly TaskId[];
  readonly near: ReadonlySet<number> | null;
};

function buildEdgeLook({ rowOf, nameOf, way, near }: EdgeSources): GraphModel["edgeLook"] {
  const next = new Map<string, string>(way.slice(1).map((task, i) => [way[i] as string, task]));
  return (from, to) => {
    const need = rowOf(from);
    return {
      kind: need?.actor === "done" ? "done" : need?.status.kind === "failed" ? "blocked" : "waiting",
      isCritical: next.get(nameOf(from)) === nameOf(to),
      isDimmed: near !== null && !(near.has(from) && near.has(to)),
    };
  };
}

type Folds = Pick<GraphModel, "groups" | "isFolded" | "fold">;

/** Groups are collapsed until a person opens them, except those with tasks that need a person. */
function useFolds(rows: readonly TaskRow[], tasks: Parameters<typeof groupNames>[0]["tasks"]): Folds {
  const names = useMemo(() => groupNames({ tasks }), [tasks]);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isByGroups = useMemo(() => isGrouped({ tasks }), [tasks]);
  const groups = isByGroups ? taskGroups(rows, names) : null;
  const needsYou = new Set(groups?.filter(({ actors }) => actors.you > 0).map(({ name }) => name));
  return {
    groups,
    isFolded: (group) => chosen.get(group) ?? !needsYou.has(group),
    fold: (group, isFolded) => setChosen(new Map(chosen).set(group, isFolded)),
  };
}
