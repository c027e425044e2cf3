import type { EpochMs } from "../facts.ts";
import type { AttemptId, Oid, TaskId } from "../ids.ts";
import { type Check, joinChecks, taskAt } from "../run-index.ts";
import type { Candidate, LiveAttempt, RunState } from "../run-state.ts";
import { greenKey, listTasks, taskState } from "../run-tasks.ts";
import { entries, values } from "../sorted-map.ts";
import { shortOid } from "../text/figures.ts";
import type { Sentence } from "../text/sentence.ts";
import { gatesToBegin } from "../want.ts";
import { wants } from "../wants.ts";
import {
  type Judging,
  judgedInMs,
  type ShownCheck,
  shownChecks,
  usualMs,
  type Verdicts,
} from "./queue-checks.ts";
import { aheadNote, comesBack, headNote, notBuiltNote, ownGatesNote } from "./queue-notes.ts";
import type { TaskRow } from "./task-rows.ts";
import type { StatusKind } from "./task-status.ts";

/** The merge queue: what merges now, what is gated ahead, what is on its way back, and what is there already. */
export type MergeQueue = {
  readonly branch: string;
  /** How many candidates may stand on each other, and how many tasks the next may carry. */
  readonly window: { readonly ahead: number; readonly batch: number };
  readonly entries: readonly QueueEntry[];
  /** On the integration ref, newest first. */
  readonly merged: readonly MergedEntry[];
};

export type QueueEntry = {
  readonly task: TaskId;
  readonly title: string;
  readonly attempt: AttemptId | null;
  readonly shown: StatusKind;
  /** From 1, in the order in which they merge; null where it is not in the queue. */
  readonly place: number | null;
  readonly note: Sentence;
  readonly checks: readonly ShownCheck[];
  /** It left the queue because of a conflict. */
  readonly isClash: boolean;
  /** End of its wait. */
  readonly until: EpochMs | null;
  /** How long until it merges, by what gates took so far. */
  readonly aboutMs: number | null;
};

export type MergedEntry = {
  readonly task: TaskId;
  readonly commit: Oid;
  readonly at: EpochMs;
  readonly isTip: boolean;
};

/** What the queue is told from: a run at one moment, and what was judged until then. */
export type QueueSource = {
  readonly state: RunState;
  readonly rows: readonly TaskRow[];
  readonly now: EpochMs;
  readonly isRunning: boolean;
  readonly verdicts: Verdicts;
};

export function mergeQueue(source: QueueSource): MergeQueue {
  const { state } = source;
  const told = {
    ...source,
    byTask: new Map(source.rows.map((row) => [row.task, row])),
    begun: begunGates(source),
  };
  return {
    branch: `plait/${state.run}/integration`,
    window: { ahead: state.policy.mergeAhead, batch: Math.min(state.batch, state.policy.mergeBatch) },
    entries: [
      ...backEntries(told, true),
      ...queued(told),
      ...gatingEntries(told),
      ...backEntries(told, false),
    ],
    merged: mergedEntries(state),
  };
}

type QueueInput = QueueSource & {
  readonly byTask: ReadonlyMap<TaskId, TaskRow>;
  /** Keys of the gates that run. */
  readonly begun: ReadonlySet<string>;
};

/** Which gates run follows from what is wanted: of each as many as it has slots, the oldest tree first. */
function begunGates({ state, now, isRunning }: QueueSource): ReadonlySet<string> {
  if (!isRunning) return new Set();
  return new Set(gatesToBegin(wants(state, now), []).map(({ tree, check }) => greenKey(tree, check)));
}

function queued(told: QueueInput): QueueEntry[] {
  const { state } = told;
  const built = state.candidates.flatMap((candidate, n) => candidateEntries(told, candidate, n));
  const known = new Set(built.map(({ task }) => task));
  const waiting = [...values(state.indices.queue)].map((i) => taskAt(state.index, i).id);
  const rest = waiting.filter((task) => !known.has(task));
  const behind = rest.flatMap((task, n) =>
    entryOf(told, task, { note: notBuiltNote(state, { isNext: n === 0, isRunning: told.isRunning }) }),
  );
  return [...built, ...behind].map((entry, n) => ({ ...entry, place: n + 1 }));
}

/** What one candidate carries: its gates stand with the first of them. */
function candidateEntries(told: QueueInput, candidate: Candidate, n: number): QueueEntry[] {
  const { state, verdicts, now } = told;
  const judging = judgingOf(told, candidate);
  const before = state.candidates.slice(0, n);
  const ahead = before.flatMap(({ tasks }) => tasks.map(({ task }) => task));
  const lefts = [...before, candidate].map((one) => judgedInMs(judgingOf(told, one), verdicts, now));
  const aboutMs = lefts.includes(null) ? null : Math.max(...(lefts as number[]));
  return candidate.tasks.flatMap(({ task }, place) => {
    const others = candidate.tasks.map((one) => one.task).filter((one) => one !== task);
    const note =
      n === 0
        ? headNote(candidate, { tip: shortOid(state.tip.commit), others })
        : aheadNote(candidate, { ahead, others });
    const checks = place === 0 ? shownChecks(judging, verdicts, now) : [];
    return entryOf(told, task, { note, checks, aboutMs });
  });
}

function judgingOf({ state, begun }: QueueInput, { tasks, missing, result, at, red }: Candidate): Judging {
  return {
    tree: result.tree,
    checks: joinChecks(state.index, tasks),
    missing,
    since: at,
    red: red?.reason === "gate" ? red.gate : null,
    isRunning: isBegun(begun, result.tree, missing),
  };
}

const isBegun = (begun: ReadonlySet<string>, tree: Oid, [first]: readonly Check[]): boolean =>
  first !== undefined && begun.has(greenKey(tree, first));

/** Their own gates come first, on the tree that the attempt left. */
function gatingEntries(told: QueueInput): QueueEntry[] {
  const { state, verdicts, now, begun, byTask } = told;
  return [...entries(state.indices.live)].flatMap(([i]) => {
    const gating = taskState(state, i).live.find(isGating);
    if (gating === undefined) return [];
    const { saved, missing } = gating.stage;
    const checks = state.index.checks[i] ?? [];
    const { tree } = saved.result;
    const isRunning = isBegun(begun, tree, missing);
    const judging: Judging = { tree, checks, missing, since: saved.at, red: null, isRunning };
    const own = judgedInMs(judging, verdicts, now);
    const again = usualMs(checks, verdicts);
    const { id } = taskAt(state.index, i);
    return entryOf(told, id, {
      note: ownGatesNote({ isStopped: byTask.get(id)?.status.kind !== "checking" }),
      checks: shownChecks(judging, verdicts, now),
      aboutMs: own === null || again === null ? null : own + again,
    });
  });
}

type Gating = LiveAttempt & { readonly stage: Extract<LiveAttempt["stage"], { kind: "gate" }> };
const isGating = (live: LiveAttempt): live is Gating => live.stage.kind === "gate" && live.stop === null;

/** Those that were in the queue, or nearly, and come back when an agent, time or a person has seen to them. */
function backEntries(told: QueueInput, isYours: boolean): QueueEntry[] {
  const { state, byTask } = told;
  return listTasks(state).flatMap(({ task: { id }, of }) => {
    const row = byTask.get(id);
    if (row === undefined || (row.actor === "you") !== isYours || of.live.some(isGating)) return [];
    const back = comesBack(of);
    return back === null ? [] : entryOf(told, id, back);
  });
}

function entryOf(
  { byTask, isRunning }: QueueInput,
  task: TaskId,
  about: Pick<QueueEntry, "note"> & Partial<Pick<QueueEntry, "checks" | "aboutMs" | "isClash">>,
): QueueEntry[] {
  const row = byTask.get(task);
  if (row === undefined) return [];
  const { title, attempt, status, until } = row;
  const { note, checks = [], isClash = false } = about;
  // Nobody can tell when somebody will drive it again.
  const aboutMs = isRunning ? (about.aboutMs ?? null) : null;
  return [{ task, title, attempt, shown: status.kind, until, place: null, note, checks, aboutMs, isClash }];
}

function mergedEntries(state: RunState): MergedEntry[] {
  return listTasks(state)
    .flatMap(({ task, of: { phase } }): MergedEntry[] => {
      if (phase.kind !== "merged") return [];
      const { commit, at } = phase;
      return [{ task: task.id, commit, at, isTip: commit === state.tip.commit }];
    })
    .sort((a, b) => b.at - a.at || Number(b.isTip) - Number(a.isTip));
}
