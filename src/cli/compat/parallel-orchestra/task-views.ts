// The tasks of a run in the words of parallel-orchestra's dashboard. Pure: rows in, lines out.

import type { EpochMs } from "../../../core/facts.ts";
import type { RunState } from "../../../core/run-state.ts";
import { type Activities, type TaskRow, taskRows } from "../../../core/select/task-rows.ts";
import type { StatusKind } from "../../../core/select/task-status.ts";
import { plainText } from "../../../core/text/sentence.ts";
import { shownAction, waitLines, waitsIn } from "../../../report/parallel-orchestra/waits.ts";

export type TaskView = {
  readonly id: string;
  readonly status: "waiting" | "starting" | "running" | "complete" | "failed" | "skipped" | "resumed";
  /** How long its agent has worked; null before it began. */
  readonly seconds: number | null;
  readonly action: string;
  /** What it waits for that could work; null where it does not. */
  readonly waitsFor: string | null;
};

export function taskViews(
  state: RunState,
  now: EpochMs,
  activity: Activities,
  resumed: ReadonlySet<string>,
): TaskView[] {
  const waits = waitsIn(state, now);
  return taskRows(state, now, { activity }).map((row) => {
    const done = row.attempt === null ? undefined : activity.get(row.attempt);
    const seconds = row.attempts === 0 ? null : Math.round(row.workMs / 1000);
    const isResumed = resumed.has(row.task) && statusOf(row) === "complete";
    const status = isResumed ? "resumed" : statusOf(row);
    const act = done?.action == null ? null : plainText(done.action);
    const isSilent = status === "running" && act === null && (seconds ?? 0) < STARTING_SECONDS;
    const shown = isSilent && row.status.kind === "running" ? "starting" : status;
    const waitsFor = shown === "waiting" ? (waits.get(row.task) ?? null) : null;
    return {
      id: row.task,
      status: shown,
      seconds,
      action: actionOf(shown, { row, seconds: seconds ?? 0, act, waitsFor }),
      waitsFor,
    };
  });
}

const STARTING_SECONDS = 60;

const STATUSES: { readonly [S in StatusKind]?: TaskView["status"] } = {
  ...({
    merged: "complete",
    passed: "complete",
    failed: "failed",
    dropped: "failed",
    held: "failed",
  } as const),
  ...({ skipped: "skipped", preparing: "starting", running: "running", fixing: "running" } as const),
  ...({ saving: "running", checking: "running", queued: "running", merging: "running" } as const),
};

/** What has no status waits: for its needs, for a slot, for the time of its next try. */
const statusOf = ({ status }: TaskRow): TaskView["status"] => STATUSES[status.kind] ?? "waiting";

type Doing = Pick<TaskView, "waitsFor"> & {
  readonly row: TaskRow;
  readonly seconds: number;
  readonly act: string | null;
};

function actionOf(status: TaskView["status"], { row, seconds, act, waitsFor }: Doing): string {
  switch (status) {
    case "complete": {
      const tokens = row.usage.outputTokens ?? 0;
      return `complete!! ${seconds}s${tokens > 0 ? `  (${tokens.toLocaleString("en-US")} tokens)` : ""}`;
    }
    case "failed":
      return "failed";
    case "skipped":
      return "skipped (dependency failed)";
    case "resumed":
      return "already done";
    case "waiting":
      return waitsFor === null ? "waiting..." : `waiting: ${waitsFor}`;
    case "starting":
      return `starting up... ${seconds}s`;
    default:
      if (row.status.kind !== "running" && row.status.kind !== "fixing") return `${row.status.kind}...`;
      return (act === null ? "" : shownAction(act)) || "thinking...";
  }
}

const SIGNS: { readonly [S in TaskView["status"]]?: string } = {
  complete: " ✓",
  failed: " ✗",
  skipped: " -",
  resumed: " »",
};

/** The whole block: a heading, and two lines a task. */
export function blockLines(views: readonly TaskView[], isOver: boolean): string[] {
  return [
    isOver ? `parallel-orchestra done (${figures(views)})` : "parallel-orchestra running",
    ...views.flatMap(({ id, status, seconds, action }) => [
      `  [${id}]${seconds === null ? "" : `  ${seconds}s`}${SIGNS[status] ?? ""}`,
      `    └ ${action}`,
    ]),
  ];
}

function figures(views: readonly TaskView[]): string {
  const failed = count(views, "failed");
  return `${count(views, "complete")}/${views.length} succeeded${failed > 0 ? `, ${failed} failed` : ""}`;
}

/** The same on one line, for who reads a log. */
export function statusLine(views: readonly TaskView[], elapsedSeconds: number): string {
  const running = views.filter(({ status }) => status === "running" || status === "starting");
  const waiting = views.filter(({ status }) => status === "waiting");
  const over = views.filter((view) => !running.includes(view) && !waiting.includes(view));
  const parts = [
    ["running", running.map(({ id, seconds }) => `${id} ${seconds ?? 0}s`)],
    ["waiting", waiting.map(({ id, waitsFor }) => (waitsFor === null ? id : `${id} (${waitsFor})`))],
    ["done", over.map(({ id, status }) => `${id}${status === "resumed" ? " -" : (SIGNS[status] ?? "")}`)],
  ] as const;
  const told = parts
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what}: ${names.join(", ")}`);
  return `[${elapsedSeconds}s] ${told.length === 0 ? "starting..." : told.join(" | ")}`;
}

export function lastLine(views: readonly TaskView[]): string {
  const [failed, other] = [count(views, "failed"), count(views, "skipped") + count(views, "resumed")];
  if (count(views, "complete") === views.length) return `[done] all ${views.length} tasks completed`;
  return [
    `[done] ${count(views, "complete")}/${views.length} succeeded`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(other > 0 ? [`${other} skipped/resumed`] : []),
  ].join(", ");
}

/** What is told while nothing is at work: why those wait that could be. */
export function signsOfWaiting(views: readonly TaskView[]): string[] {
  const isAtWork = views.some(({ status }) => status === "running" || status === "starting");
  if (isAtWork) return [];
  return waitLines(new Map(views.flatMap(({ id, waitsFor }) => (waitsFor === null ? [] : [[id, waitsFor]]))));
}

/** Without a dashboard: a sign of life from each that is at work. */
export function signsOfLife(views: readonly TaskView[]): string[] {
  return views
    .filter(({ status }) => status === "running" || status === "starting")
    .map(({ id, status, seconds, action }) => {
      const does =
        status === "starting" ? "starting up..." : action === "thinking..." ? action : "running...";
      return `[${id}] ${does} ${seconds ?? 0}s`;
    });
}

const count = (views: readonly TaskView[], status: TaskView["status"]): number =>
  views.filter((view) => view.status === status).length;
