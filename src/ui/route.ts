import type { RunId, TaskId } from "../core/ids.ts";

/** What the page shows. It is in the fragment of the address, which no server sees, so that links and the back key work. */
export type Route =
  | { readonly view: "runs"; readonly compare: readonly [RunId, RunId] | null }
  | { readonly view: RunView; readonly run: RunId; readonly selected: TaskId | null }
  | {
      readonly view: "task";
      readonly run: RunId;
      readonly task: TaskId;
      readonly tab: TaskTab;
      /** Null is the last. */
      readonly attempt: number | null;
    };

export type RunRoute = Exclude<Route, { view: "runs" }>;
export type TaskRoute = Extract<Route, { view: "task" }>;

export const runViews = ["graph", "timeline", "queue", "costs"] as const;
export type RunView = (typeof runViews)[number];

export const taskTabs = ["transcript", "log", "diff", "gates", "prompt"] as const;
export type TaskTab = (typeof taskTabs)[number];

/** `#/run/checkout-k7f2/timeline?task=tax`, `#/run/checkout-k7f2/task/tax/diff?attempt=2`, `#/runs?compare=a,b`. */
export function parseRoute(fragment: string): Route {
  const [path = "", search = ""] = fragment.replace(/^#/, "").split("?", 2);
  const query = new URLSearchParams(search);
  const [first, run, view, task, tab] = path
    .split("/")
    .filter((part) => part !== "")
    .map(decoded);
  if (first !== "run" || run === undefined || run === "") return runsRoute(query.get("compare"));
  if (view === "task" && task !== undefined && task !== "") {
    const n = Number(query.get("attempt") ?? Number.NaN);
    return {
      view,
      run: run as RunId,
      task: task as TaskId,
      tab: taskTabs.find((name) => name === tab) ?? "transcript",
      attempt: Number.isSafeInteger(n) && n > 0 ? n : null,
    };
  }
  const selected = query.get("task");
  return {
    view: runViews.find((name) => name === view) ?? "graph",
    run: run as RunId,
    selected: selected === null || selected === "" ? null : (selected as TaskId),
  };
}

function runsRoute(compare: string | null): Route {
  const [a, b] = compare?.split(",") ?? [];
  return { view: "runs", compare: a && b ? [a as RunId, b as RunId] : null };
}

export function formatRoute(route: Route): string {
  if (route.view === "runs")
    return route.compare === null ? "#/runs" : `#/runs?compare=${route.compare.join(",")}`;
  const run = `#/run/${encodeURIComponent(route.run)}`;
  if (route.view === "task") {
    const attempt = route.attempt === null ? "" : `?attempt=${route.attempt}`;
    return `${run}/task/${encodeURIComponent(route.task)}/${route.tab}${attempt}`;
  }
  const selected = route.selected === null ? "" : `?task=${encodeURIComponent(route.selected)}`;
  return `${run}/${route.view}${selected}`;
}

type TaskPart = Partial<Pick<TaskRoute, "tab" | "attempt">>;

export function taskRoute(run: RunId, task: TaskId, part: TaskPart = {}): TaskRoute {
  return { view: "task", run, task, tab: "transcript", attempt: null, ...part };
}

export const linkTask = (run: RunId, task: TaskId, part: TaskPart = {}): string =>
  formatRoute(taskRoute(run, task, part));

export const linkRun = (run: RunId): string => formatRoute({ view: "graph", run, selected: null });

/** A fragment may be typed by hand: what is no encoding stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return part;
  }
}
