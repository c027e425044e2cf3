import type { EpochMs, Fact } from "../facts.ts";
import { splitAttemptId, type TaskId } from "../ids.ts";
import type { RunState, TaskState } from "../run-state.ts";
import { isIncluded, isSatisfied, listTasks } from "../run-tasks.ts";
import { dollars, elapsed } from "../text/figures.ts";
import { type Overview, overview } from "./overview.ts";
import { planChanges } from "./plan-changes.ts";
import type { Progress } from "./progress.ts";
import { runEnd } from "./run-end.ts";
import type { StatusKind } from "./task-status.ts";
import { cutByGaps, gapsOf } from "./timeline/segment.ts";
import { cost, sum } from "./totals.ts";

/** A run at the moment at which it is compared. */
export type Compared = {
  readonly state: RunState;
  readonly now: EpochMs;
  readonly isRunning: boolean;
  /** Those that led to the state. */
  readonly facts: readonly Fact[];
};

/** Two runs side by side. `change` is from the first to the second. */
export type Comparison = {
  readonly figures: readonly ComparedFigure[];
  /** Tasks that were begun in both, the most gained first. */
  readonly tasks: readonly ComparedTask[];
  /** Begun in one of the two alone. */
  readonly onlyA: readonly TaskId[];
  readonly onlyB: readonly TaskId[];
  /** What else differs: `same plan, 2 tasks changed, agents: gemini added`. */
  readonly differs: string;
};

export type ComparedFigure = {
  readonly name: string;
  readonly a: string;
  readonly b: string;
  /** With its sign; `same` where there is none, and nothing where one of the two is not known. */
  readonly change: string;
  readonly is: "better" | "worse" | "same";
};

export type ComparedTask = Pick<ComparedFigure, "change" | "is"> & {
  readonly task: TaskId;
  /** In the second. */
  readonly shown: StatusKind;
  /** From the start of its first attempt to its end, or to now; without the time in which nobody drove the run. */
  readonly aMs: number;
  readonly bMs: number;
};

export function comparison(a: Compared, b: Compared): Comparison {
  const [spansA, spansB] = [spans(a), spans(b)];
  const shown = new Map(overviewOf(b).rows.map((row) => [row.task, row.status.kind]));
  const tasks = [...spansB].flatMap(([task, bMs]): ComparedTask[] => {
    const aMs = spansA.get(task);
    return aMs === undefined
      ? []
      : [{ task, shown: shown.get(task) ?? "waiting", aMs, bMs, ...timeChange(aMs, bMs) }];
  });
  return {
    figures: figures(a, b),
    tasks: tasks.sort((x, y) => x.bMs - x.aMs - (y.bMs - y.aMs)),
    onlyA: [...spansA.keys()].filter((task) => !spansB.has(task)),
    onlyB: [...spansB.keys()].filter((task) => !spansA.has(task)),
    differs: [...planChanges(a.state, b.state), ...unfinished(a, b)].join(", "),
  };
}

const overviewOf = ({ state, now, isRunning }: Compared): Overview => overview(state, now, { isRunning });

/** Figures of a run that goes on are those of now. */
const unfinished = (...runs: readonly Compared[]): string[] =>
  runs.flatMap(({ state }) => (state.ended === null ? [`${state.run} is not over`] : []));

/** A twentieth is no gain, nor what the start of a process may differ by; of long ones five seconds count. */
const sameMs = (longer: number): number => Math.min(5_000, Math.max(1_000, longer / 20));

function figures(a: Compared, b: Compared): ComparedFigure[] {
  const [x, y] = [a, b].map((run) => ({
    ...overviewOf(run),
    end: runEnd(run.state),
    lost: cost(run.state).lostUsd,
  })) as [Figures, Figures];
  return [
    doneFigure(x.progress, y.progress),
    figure("Time", [x.times.wallMs, y.times.wallMs], { text: elapsed, unit: 1_000 }),
    figure("Cost", [x.spending.usd, y.spending.usd], { text: dollars, unit: 0.01 }),
    figure("Not merged", [x.lost, y.lost], { text: dollars, unit: 0.01 }),
    figure("Attempts", [x.end.attempts, y.end.attempts]),
    figure("Red gates", [x.end.redGates, y.end.redGates]),
    figure("Conflicts", [x.end.conflicts, y.end.conflicts]),
    figure("Speedup", [x.times.speedUp, y.times.speedUp], { is: "gain", text: times, unit: 0.1 }),
    figure("Paused", [x.end.parkedMs, y.end.parkedMs], { text: elapsed, unit: 1_000 }),
  ];
}

/** Of plans with another number of tasks, more or fewer is neither good nor bad. */
function doneFigure(a: Progress, b: Progress): ComparedFigure {
  const shown = ({ done, total }: Progress) => `${done} of ${total}`;
  const told = figure("Done", [a.done, b.done], { is: "gain", shown: [shown(a), shown(b)] });
  return a.total === b.total ? told : { ...told, is: "same" };
}

type Figures = Overview & { readonly end: ReturnType<typeof runEnd>; readonly lost: number };

type FigureOptions = {
  /** Whether more of it is good. */
  readonly is?: "gain" | "loss";
  readonly text?: (value: number) => string;
  /** The least that is shown: less of it is no change. */
  readonly unit?: number;
  readonly shown?: readonly [string, string];
};

const times = (value: number): string => `${value.toFixed(1)}×`;

function figure(
  name: string,
  [a, b]: readonly [number | null, number | null],
  { is = "loss", text = String, unit = 1, shown }: FigureOptions = {},
): ComparedFigure {
  const told = (value: number | null) => (value === null ? "not reported" : text(value));
  const texts = { name, a: shown?.[0] ?? told(a), b: shown?.[1] ?? told(b) };
  if (a === null || b === null) return { ...texts, change: "", is: "same" };
  const change = rounded(b, unit) - rounded(a, unit);
  if (Math.abs(change) < unit / 2) return { ...texts, change: "same", is: "same" };
  const isBetter = change > 0 === (is === "gain");
  return { ...texts, change: signed(change, text).replace("×", ""), is: isBetter ? "better" : "worse" };
}

/** As it is shown, so that the change is that of the two figures beside it. */
const rounded = (value: number, unit: number): number =>
  unit >= 1_000 ? Math.floor(value / unit) * unit : Math.round(value / unit) * unit;

function timeChange(a: number, b: number): Pick<ComparedFigure, "change" | "is"> {
  if (Math.abs(b - a) < sameMs(Math.max(a, b))) return { change: "same", is: "same" };
  return { change: signed(b - a, elapsed), is: b < a ? "better" : "worse" };
}

/** `+2`, `−4:06`: with a minus that is as wide as the plus. */
const signed = (change: number, text: (value: number) => string): string =>
  `${change > 0 ? "+" : "−"}${text(Math.abs(change))}`;

/** By task: from its first start to its end. What has not begun has none. */
function spans({ state, now, facts }: Compared): Map<TaskId, number> {
  const found = new Map<TaskId, number>();
  const [gaps, starts] = [gapsOf(facts), firstStarts(facts)];
  for (const {
    task: { id },
    of,
  } of listTasks(state)) {
    const from = starts.get(id);
    if (from === undefined || !isIncluded(state, id)) continue;
    const pieces = cutByGaps({ from, to: endOf(state, of, now) }, gaps);
    found.set(
      id,
      sum(pieces, (piece) => piece.to - piece.from),
    );
  }
  return found;
}

/** As it was by the clock: a state has moved the start of what stood still in a gap. */
function firstStarts(facts: readonly Fact[]): Map<TaskId, EpochMs> {
  const found = new Map<TaskId, EpochMs>();
  for (const fact of facts) {
    if (fact.type !== "attempt.started") continue;
    const { task } = splitAttemptId(fact.attempt);
    if (!found.has(task)) found.set(task, fact.at);
  }
  return found;
}

function endOf({ ended }: RunState, { phase, past, live }: TaskState, now: EpochMs): EpochMs {
  if (isSatisfied(phase) || phase.kind === "failed") return phase.at;
  const isOver = ended !== null || phase.kind === "cancelled" || phase.kind === "skipped";
  const last = past.at(-1)?.settledAt;
  return isOver && live.length === 0 && last !== undefined ? last : now;
}
