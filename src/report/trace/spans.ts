// A run as spans: run → task → attempt → agent and gates; merges below their task, the landing below the run. Names and
// attributes of what agents do are those of OpenTelemetry's conventions for generative AI; plait's own begin with `plait.`.

import type { EpochMs, Fact } from "../../core/facts.ts";
import type { AttemptFailure } from "../../core/failure.ts";
import { splitAttemptId } from "../../core/ids.ts";
import type { Task, Work } from "../../core/plan.ts";
import { taskAt } from "../../core/run-index.ts";
import type { LiveAttempt, PastAttempt, RunState, TaskState } from "../../core/run-state.ts";
import { isSatisfied } from "../../core/run-tasks.ts";
import { countAttempts, formatAttemptNumber, numberAttempt } from "../../core/select/attempt-number.ts";
import { formatFailure } from "../../core/select/failure-text.ts";
import { progress } from "../../core/select/progress.ts";
import { findRunStatus, isEnded } from "../../core/select/run-status.ts";
import { formatRunStatus } from "../../core/select/run-status-text.ts";
import { taskRows } from "../../core/select/task-rows.ts";
import type { StatusKind } from "../../core/select/task-status.ts";
import { cost } from "../../core/select/totals.ts";
import { entries } from "../../core/sorted-map.ts";
import { plainText } from "../../core/text/sentence.ts";
import { integrationSpans } from "./integration-spans.ts";
import { type Attributes, agentKey, fraction, type Span } from "./span.ts";

/** Nothing ends later than the run is known: what is under way ends there. */
export function spansOf(facts: readonly Fact[], state: RunState, isRunning: boolean): Span[] {
  const to = state.ended?.at ?? state.clock;
  const kinds = new Map(
    taskRows(state, state.clock, { isRunning }).map(({ task, status }) => [task, status.kind]),
  );
  const tasks = [...entries(state.tasks)].flatMap(([i, of]) => {
    const task = taskAt(state.index, i);
    // A task that a revised plan does not have any more has no row.
    return taskSpans(task, of, { end: to, kind: kinds.get(task.id) ?? "dropped" });
  });
  return [runSpan(state, to, isRunning), ...tasks, ...integrationSpans(facts, to)];
}

function runSpan(state: RunState, to: EpochMs, isRunning: boolean): Span {
  const { run, index, startedAt, base, target, landing } = state;
  const { done, total } = progress(state);
  const status = findRunStatus(state, state.clock, isRunning);
  const { totalUsd, isPartial, isReported } = cost(state);
  return {
    key: "run",
    parent: null,
    name: `invoke_workflow ${index.plan.name}`,
    from: startedAt,
    to,
    attributes: {
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": index.plan.name,
      "plait.run": run,
      "plait.status": status.kind,
      "plait.tasks": total,
      "plait.tasks.done": done,
      "plait.cost_usd": fraction(isPartial && !isReported ? null : totalUsd),
      "plait.landed": landing.kind === "landed",
      "vcs.ref.base.revision": base.commit,
      "vcs.ref.head.name": target,
    },
    status: !isEnded(status)
      ? null
      : status.exit === 0
        ? { ok: true }
        : { ok: false, message: plainText(formatRunStatus(status)) },
  };
}

/** A task that nobody has begun is nothing that took time. */
function taskSpans(
  task: Task,
  of: TaskState,
  { end, kind }: { readonly end: EpochMs; readonly kind: StatusKind },
): Span[] {
  const [first] = [...of.past, ...of.live].map(({ startedAt }) => startedAt).sort((a, b) => a - b);
  if (first === undefined) return [];
  const { phase } = of;
  const isOver = of.live.length === 0;
  const last = of.past.reduce((most, { settledAt }) => Math.max(most, settledAt), first);
  const to =
    isSatisfied(phase) || phase.kind === "failed"
      ? phase.at
      : isOver && phase.kind === "cancelled"
        ? last
        : end;
  const span: Span = {
    key: `task ${task.id}`,
    parent: "run",
    name: `task ${task.id}`,
    from: first,
    to: Math.max(to, last),
    attributes: {
      "plait.task": task.id,
      "plait.task.title": task.title,
      "plait.task.status": kind,
      "plait.task.needs": task.needs,
      "plait.task.attempts": countAttempts(of),
      "vcs.ref.head.revision": phase.kind === "merged" ? phase.commit : null,
    },
    status:
      phase.kind === "failed" ? toFailed(phase.failure, task) : isSatisfied(phase) ? { ok: true } : null,
  };
  return [
    span,
    ...of.past.flatMap((attempt) => pastSpans(task, attempt)),
    ...of.live.flatMap((attempt) => liveSpans(task, attempt, end)),
  ];
}

const toFailed = (failure: AttemptFailure, { limits }: Task): Span["status"] => ({
  ...{ ok: false, message: plainText(formatFailure(failure, limits)) },
});

function pastSpans(task: Task, attempt: PastAttempt): Span[] {
  const { ended, settledAt, failure } = attempt;
  // Ended because nobody wants it any more, as the losers of a race are: no error, or every race would be an alarm.
  const isCalledOff = failure?.reason === "cancelled";
  const status: Span["status"] =
    failure === null ? { ok: true } : isCalledOff ? null : toFailed(failure, task);
  const reason = isCalledOff ? null : (failure?.reason ?? null);
  return [
    attemptSpan(task, attempt, {
      to: settledAt,
      status,
      reason,
      calledOff: isCalledOff ? failure.because : null,
    }),
    ...agentSpan(task, attempt, ended),
  ];
}

function liveSpans(task: Task, attempt: LiveAttempt, end: EpochMs): Span[] {
  const { stage } = attempt;
  const ended = stage.kind === "save" || stage.kind === "gate" ? stage.ended : null;
  return [
    attemptSpan(task, attempt, { to: end, status: null, reason: null, calledOff: null }),
    ...agentSpan(task, attempt, ended ?? { at: end }),
  ];
}

type AnyAttempt = Pick<PastAttempt, "id" | "author" | "continues" | "count" | "startedAt" | "base">;
type AttemptEnd = {
  readonly to: EpochMs;
  readonly status: Span["status"];
  readonly reason: string | null;
  /** Why nobody wanted it any more. */
  readonly calledOff: string | null;
};

function attemptSpan(task: Task, attempt: AnyAttempt, how: AttemptEnd): Span {
  const { to, status, reason, calledOff } = how;
  const { id, author, continues, startedAt, base } = attempt;
  const { n } = splitAttemptId(id);
  return {
    key: `attempt ${id}`,
    parent: `task ${task.id}`,
    name: `attempt ${formatAttemptNumber(numberAttempt(attempt))}`,
    from: startedAt,
    to,
    attributes: {
      "plait.attempt": n,
      "plait.attempt.author": author,
      "plait.attempt.continues": continues,
      "plait.attempt.called_off": calledOff,
      "error.type": reason,
      "vcs.ref.base.revision": base.commit,
    },
    status,
  };
}

type AgentEnd = { readonly at: EpochMs } & Partial<Omit<PastAttempt["ended"], "at">>;

/** What the program did by itself, without plait's saving and gating: these are the figures that agents are compared by. */
function agentSpan(task: Task, { id, author, startedAt }: AnyAttempt, ended: AgentEnd): Span[] {
  if (author === "person") return [];
  const { failure = null, exit = null } = ended;
  const isError = failure !== null && failure.reason !== "cancelled";
  return [
    {
      key: agentKey(id),
      parent: `attempt ${id}`,
      name: task.work.kind === "agent" ? `invoke_agent ${task.work.agent.use}` : "command",
      from: startedAt,
      to: Math.max(startedAt, ended.at),
      attributes: {
        ...agentAttributes(task.work, ended),
        "process.exit.code": exit?.code ?? null,
        "error.type": isError ? failure.reason : null,
      },
      status: isError ? toFailed(failure, task) : null,
    },
  ];
}

function agentAttributes(work: Work, { usage, conversation = null }: AgentEnd): Attributes {
  if (work.kind !== "agent") return {};
  const { use, name, model } = work.agent;
  return {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": PROVIDERS[use] ?? null,
    "gen_ai.agent.name": name ?? use,
    "gen_ai.request.model": model,
    "gen_ai.conversation.id": conversation,
    "gen_ai.usage.input_tokens": usage?.inputTokens ?? null,
    "gen_ai.usage.output_tokens": usage?.outputTokens ?? null,
    "plait.cost_usd": fraction(usage?.costUsd ?? null),
  };
}

/** As the conventions call them; another program may talk to anybody. */
const PROVIDERS: { readonly [use: string]: string } = {
  claude: "anthropic",
  codex: "openai",
  gemini: "gcp.gemini",
};
