import { attemptTimes, pauseMs, untilMs } from "../core/attempt-times.ts";
import type { EpochMs, Finding, Usage } from "../core/facts.ts";
import { type AttemptId, splitAttemptId, type TaskId } from "../core/ids.ts";
import type { Diffstat } from "../core/landing-types.ts";
import type { Task } from "../core/plan.ts";
import type { Check } from "../core/run-index.ts";
import type { Ended, LiveAttempt, PastAttempt, RunState, Saved, TaskState } from "../core/run-state.ts";
import { greenKey, taskState } from "../core/run-tasks.ts";
import { numberAttempt, pickShownAttempt } from "../core/select/attempt-number.ts";
import { formatFailure } from "../core/select/failure-text.ts";
import { commandText } from "../core/select/preview/commands.ts";
import type { TaskRow } from "../core/select/task-rows.ts";
import { formatTaskNote } from "../core/select/task-status-text.ts";
import { has } from "../core/sorted-map.ts";
import { plainText } from "../core/text/sentence.ts";
import { MOST_ATTEMPTS, MOST_FINDINGS } from "./caps.ts";
import type { Artifacts, AttemptFiles, AttemptReport, GateVerdict, KeptFiles, TaskReport } from "./model.ts";
import type { Verdicts } from "./verdicts.ts";

/** What no fact holds, by attempt; already masked. */
export type Beside = {
  /** The last words of the agent. */
  readonly said: ReadonlyMap<AttemptId, string>;
  /** What the agent reported about its work. */
  readonly summaries: ReadonlyMap<AttemptId, string>;
  /** The end of what made it fail. */
  readonly outputs: ReadonlyMap<AttemptId, string>;
  readonly diffs: ReadonlyMap<AttemptId, Diffstat>;
  readonly artifacts: ReadonlyMap<AttemptId, readonly Artifacts[]>;
  readonly reports: ReadonlyMap<AttemptId, KeptFiles>;
  readonly files: (attempt: AttemptId) => AttemptFiles;
  /** Hooks and config of the repository that are other than at the start; `quiet` where nothing runs because of it. */
  readonly changed: readonly ChangedConfig[];
};

export type ChangedConfig = {
  readonly file: string;
  readonly says: readonly string[];
  readonly weight: "runs" | "known" | "quiet";
};

export type TaskSource = {
  readonly state: RunState;
  readonly row: TaskRow;
  readonly verdicts: Pick<Verdicts, "of">;
  /** Tasks that need a person. */
  readonly needing: ReadonlySet<TaskId | null>;
  readonly beside: Beside;
  /** How many attempts are told, the last ones; left out: as many as a report holds. */
  readonly most?: number;
};

/** Without the texts of agents, which share one allowance: the whole report decides on them. */
export function taskReport(source: TaskSource): TaskReport {
  const { state, row, verdicts, needing, beside, most = MOST_ATTEMPTS } = source;
  const i = state.index.indexOf.get(row.task) as number;
  const task = state.index.plan.tasks[i] as Task;
  const of = taskState(state, i);
  const told = pickShownAttempt(of);
  const report = (one: PastAttempt | LiveAttempt): AttemptReport =>
    attemptReport(one, {
      ...{ task, state, checks: state.index.checks[i] ?? [] },
      gates: verdicts.of(one.id),
      artifacts: beside.artifacts.get(one.id) ?? [],
      files: beside.files(one.id),
    });
  const attempts = [...of.past, ...of.live].slice(-most).map(report);
  return {
    task: row.task,
    title: row.title,
    status: row.status.kind,
    needsYou: needing.has(row.task),
    note: plainText(formatTaskNote(row.status)) || null,
    agent: row.agent,
    command: task.work.kind === "command" ? commandText(task.work.run) : null,
    commit: row.commit,
    times: timesOf(of, state.clock),
    usage: row.usage,
    attempts,
    summary: null,
    message: null,
    output: null,
    diff: told === null ? null : (beside.diffs.get(told.id) ?? null),
    reports: told === null ? null : (beside.reports.get(told.id) ?? null),
  };
}

function timesOf({ past, live, phase }: TaskState, now: EpochMs): TaskReport["times"] {
  const all = [...past, ...live];
  const spans = all.map((one) => attemptTimes(one, now));
  const gaps = all.slice(1).map((one, n) => (n < past.length ? pauseMs(past[n] as PastAttempt, one) : 0));
  const taken = phase.kind === "merged" ? past.find(({ id }) => id === phase.attempt) : undefined;
  const queued = phase.kind === "merged" && taken !== undefined ? untilMs(taken, phase) : 0;
  return {
    agentMs: sum(spans.map(({ agentMs }) => agentMs)),
    gatesMs: sum(spans.map(({ gatesMs }) => gatesMs)),
    waitMs: sum([...gaps, queued]),
  };
}

type AttemptSource = {
  readonly task: Task;
  readonly state: RunState;
  readonly checks: readonly Check[];
  readonly gates: readonly GateVerdict[];
  readonly artifacts: readonly Artifacts[];
  readonly files: AttemptFiles;
};

const NOTHING_TOLD: Usage = { costUsd: null, inputTokens: null, outputTokens: null };

function attemptReport(one: PastAttempt | LiveAttempt, source: AttemptSource): AttemptReport {
  const { task, state, gates, artifacts, files } = source;
  const [ended, saved] = [endedOf(one), savedOf(one)];
  const { agentMs, gatesMs } = attemptTimes(one, state.clock);
  const failure = "failure" in one ? one.failure : null;
  return {
    attempt: one.id,
    ...numberAttempt(one),
    continues: one.continues === null ? null : splitAttemptId(one.continues).n,
    author: one.author,
    startedAt: one.startedAt,
    endedAt: ended?.at ?? null,
    agentMs,
    gatesMs,
    usage: ended?.usage ?? NOTHING_TOLD,
    failure:
      failure === null
        ? null
        : { reason: failure.reason, text: plainText(formatFailure(failure, task.limits)) },
    gates: [...gates, ...knownGreens(source, saved, failure === null && "settledAt" in one)],
    findings: findingsOf(saved),
    denials: [...new Set(ended?.denials ?? [])],
    ref: saved?.changed === true ? saved.ref : null,
    ignored: saved?.ignored ?? 0,
    worktree: saved?.kept ?? saved?.stays ?? null,
    artifacts,
    files,
  };
}

const findingsOf = (saved: Saved | null): readonly Finding[] => saved?.findings.slice(0, MOST_FINDINGS) ?? [];

/** A gate that was green for the same tree before is not asked again. */
function knownGreens(
  { state, checks, gates }: AttemptSource,
  saved: Saved | null,
  isProven: boolean,
): GateVerdict[] {
  if (saved === null || !isProven || !saved.changed) return [];
  const told = new Set(gates.filter(({ on }) => on === "work").map(({ name }) => name));
  return checks
    .filter((check) => !told.has(check.gate.name) && has(state.greens, greenKey(saved.result.tree, check)))
    .map(({ gate: { name } }) => ({
      ...{ name, on: "work", verdict: "green", how: "known", runs: 0, durationMs: 0 },
      summary: "it was green for the same tree before",
    }));
}

function endedOf(one: PastAttempt | LiveAttempt): Ended | null {
  if ("ended" in one) return one.ended;
  return one.stage.kind === "save" || one.stage.kind === "gate" ? one.stage.ended : null;
}

function savedOf(one: PastAttempt | LiveAttempt): Saved | null {
  if ("saved" in one) return one.saved;
  return one.stage.kind === "gate" ? one.stage.saved : null;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
