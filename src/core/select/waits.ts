import type { AccountLimitReason, EpochMs } from "../facts.ts";
import type { TaskId } from "../ids.ts";
import type { Task } from "../plan.ts";
import { accountOf } from "../queries.ts";
import type { RunState } from "../run-state.ts";
import { advanceClock, findTask, isIncluded } from "../run-tasks.ts";
import { entries } from "../sorted-map.ts";
import { count } from "../text/figures.ts";
import { gateName, plainText, type Sentence, sentence } from "../text/sentence.ts";
import { type Block, baseGate, findBlocker } from "./blocking.ts";
import { endsByCheck, formatFailure, formatLimit, formatPauseEnd } from "./failure-text.ts";
import { findStepTasks, formatFailedStep } from "./format-step.ts";
import type { Activities, Beside } from "./task-rows.ts";
import { formatBlock } from "./task-status-text.ts";

/** Something that a run waits for, until when, and the tasks that it holds. */
export type RunWait = {
  readonly kind: WaitKind;
  readonly reason: Sentence;
  /** Null where no time is known: a person, a slot or a check ends it. */
  readonly until: EpochMs | null;
  /** Empty for a step of the run as a whole that is retried. */
  readonly tasks: readonly TaskId[];
};

type Progress = "needs" | "gates" | "queue";

export type WaitKind =
  | AccountLimitReason
  | Exclude<Block["kind"], Progress | "account">
  /** A step of plait's own that failed and is retried; `disk` where the disk is full. */
  | "step"
  | "disk"
  /** Within a running attempt: for the prompt cache; for a request that the agent itself retries. */
  | "cache"
  | "agent";

/** In the order of the plan, steps of plait's own last. A limit is one wait, a retry one for each task. */
export function listWaits(
  state: RunState,
  now: EpochMs,
  { isRunning = true, activity = new Map() }: Beside = {},
): RunWait[] {
  if (!isRunning || state.ended !== null) return [];
  const current = advanceClock(state, now);
  const found = new Map<string, RunWait>();
  for (const [i, task] of current.index.plan.tasks.entries()) {
    if (!isIncluded(current, task.id)) continue;
    const block = findBlocker(current, task.id, now);
    const wait =
      block === null ? findAttemptWait(current, task, activity) : describeBlock(current, task, block);
    if (wait === null) continue;
    const owner = block?.kind === "retry" ? task.id : block?.kind === "account" ? accountOf(current, i) : "";
    const key = `${wait.kind} ${owner} ${plainText(wait.reason)}`;
    const before = found.get(key);
    const until = pickLater(before?.until ?? null, (wait.until ?? 0) > now ? wait.until : null);
    found.set(key, { ...wait, until, tasks: [...(before?.tasks ?? []), task.id] });
  }
  return [...found.values(), ...listRetriedSteps(current, now)];
}

type TaskWait = Omit<RunWait, "tasks">;

/** Null for ordinary progress: needed tasks, gates and the queue. */
function describeBlock(state: RunState, task: Task, block: Block): TaskWait | null {
  const agent = task.work.kind === "agent" ? task.work.agent.use : null;
  switch (block.kind) {
    case "needs":
    case "gates":
    case "queue":
      return null;
    case "account":
      return { kind: block.why, reason: formatLimit(agent, block.why), until: block.until };
    case "retry":
      return { kind: "retry", reason: formatFailure(block.failure, task.limits), until: block.until };
    case "base": {
      const gate = baseGate(state);
      const reason = gate === null ? "the base check" : sentence`gate ${gateName(gate)} on the base commit`;
      return { kind: "base", reason, until: null };
    }
    case "person":
      return { kind: block.kind, reason: block.why, until: null };
    default:
      return { kind: block.kind, reason: formatBlock(block), until: null };
  }
}

/** What a running attempt waits for, as far as its agent or plait reports it. */
function findAttemptWait(state: RunState, task: Task, activity: Activities): TaskWait | null {
  for (const { id } of findTask(state, task.id)?.live ?? []) {
    const wait = activity.get(id)?.wait;
    if (wait === undefined || (wait.until !== null && wait.until <= state.clock)) continue;
    const agent = wait.kind === "agent" && task.work.kind === "agent" ? `${task.work.agent.use} ` : "";
    return { ...wait, reason: `${agent}${wait.reason}` };
  }
  return null;
}

const pickLater = (a: EpochMs | null, b: EpochMs | null): EpochMs | null =>
  a === null || (b !== null && b > a) ? b : a;

function listRetriedSteps(state: RunState, now: EpochMs): RunWait[] {
  return [...entries(state.failing)]
    .filter(([, { until, isGivenUp }]) => until > now && !isGivenUp)
    .map(([key, { until, detail, cause }]) => {
      const isFull = cause === "no-space";
      const step = formatFailedStep(key);
      const reason = `${isFull ? "the disk is full; " : ""}${step} (${detail})`;
      return { kind: isFull ? "disk" : "step", reason, until, tasks: findStepTasks(state, key) };
    });
}

/** `2 tasks paused until 14:55: claude usage limit`. The end comes first, because a view may cut the reason. */
export function formatWait({ kind, reason, until, tasks }: RunWait): Sentence {
  const word = isLimit({ kind }) ? "paused" : "waiting";
  const who = tasks.length === 0 ? word : `${count(tasks.length, "task")} ${word}`;
  const when = until === null ? "" : formatPauseEnd(until, endsByCheck(kind));
  return sentence`${who}${when}${kind === "base" ? " for " : ": "}${reason}`;
}

/** Waits that no row of a task explains: for what tasks share, or within an attempt. Those that need a person come first. */
export function pickSharedWaits(waits: readonly RunWait[]): RunWait[] {
  const rank = ({ kind }: RunWait): number => SHARED.indexOf(kind);
  return waits.filter((wait) => rank(wait) >= 0).sort((a, b) => rank(a) - rank(b));
}

/** Whether a wait is for a limit of an account: an attempt may find out at any time that it is over. */
export const isLimit = ({ kind }: Pick<RunWait, "kind">): boolean =>
  (LIMITS as readonly WaitKind[]).includes(kind);

const LIMITS: readonly AccountLimitReason[] = [
  "auth",
  "billing",
  "network",
  "usage-limit",
  "overloaded",
  "rate-limit",
];

const SHARED: readonly WaitKind[] = ["disk", ...LIMITS, "step", "base", "agent", "cache"];
