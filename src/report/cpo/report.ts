import { spanMs } from "../../core/attempt-times.ts";
import type { AttemptId } from "../../core/ids.ts";
import type { Task } from "../../core/plan.ts";
import { taskAt } from "../../core/run-index.ts";
import type { RunState } from "../../core/run-state.ts";
import { taskState } from "../../core/run-tasks.ts";
import { countAttempts, pickShownAttempt } from "../../core/select/attempt-number.ts";
import { integrationDue } from "../../core/select/remarks.ts";
import { findRunStatus, isEnded } from "../../core/select/run-status.ts";
import { findTaskCommit } from "../../core/select/task-rows.ts";
import { shortRef } from "../../core/text/figures.ts";
import { objectAt } from "../../util/json-in-text.ts";
import { type CpoNode, type CpoWave, figuresOf, outline } from "./outline.ts";
import { timeText } from "./task-log.ts";

/** What neither facts nor plan hold. */
type CpoBeside = {
  readonly techSpecId: string | null;
  readonly name: string | null;
  /** By attempt: its last words. */
  readonly said: ReadonlyMap<AttemptId, string>;
  /** By attempt: how many commits it made. */
  readonly commits: ReadonlyMap<AttemptId, number>;
};

/** `report.json` of a cpo folder. docs/guide/migrating-from-cpo.md describes it; fields are only ever added. */
export function cpoReport(state: RunState, beside: CpoBeside) {
  const waves = outline(state, state.clock, { isRunning: false });
  const { total, completed, failed, skipped, wavesFailed } = figuresOf(waves);
  const status = findRunStatus(state, state.clock, true);
  const endedAt = state.ended?.at ?? null;
  const due = integrationDue(state);
  return {
    status: !isEnded(status) ? "running" : status.exit === 0 ? "completed" : "failed",
    tech_spec_id: beside.techSpecId,
    name: beside.name ?? state.index.plan.name,
    run: state.run,
    run_status: status.kind,
    started_at: timeText(state.startedAt),
    finished_at: endedAt === null ? null : timeText(endedAt),
    duration_sec: seconds((endedAt ?? state.clock) - state.startedAt - state.undrivenMs),
    total_tasks: total,
    completed_tasks: completed,
    failed_tasks: failed,
    skipped_tasks: skipped,
    waves_failed: wavesFailed,
    landed: landedOf(state),
    waves: waves.filter(({ number }) => number > 0).map((wave) => waveEntry(wave)),
    dependencies: judged(waves, "dependencies"),
    tasks: waves.flatMap(({ nodes }) =>
      nodes.filter(({ kind }) => kind === "task").map((node) => taskEntry(state, node, beside)),
    ),
    integration: due === null ? null : { status: "pending", text: due },
  };
}

function landedOf({ landing }: RunState): { branch: string; commit: string } | null {
  return landing.kind === "landed" ? { branch: shortRef(landing.target), commit: landing.to.commit } : null;
}

function waveEntry(wave: CpoWave) {
  const { number, status, completed, total, nodes } = wave;
  const tasks = nodes.filter(({ kind }) => kind === "task").map(({ id }) => id);
  return { number, status, completed, total, tasks, validation: judged([wave], "validation") };
}

/** Null where the manifest asks for none. */
function judged(waves: readonly CpoWave[], wanted: CpoNode["kind"]) {
  const node = waves.flatMap(({ nodes }) => nodes).find(({ kind }) => kind === wanted);
  return node === undefined ? null : { status: node.word.toLowerCase(), error: node.note };
}

function taskEntry(state: RunState, node: CpoNode, { said, commits }: CpoBeside) {
  const i = state.index.indexOf.get(node.id) as number;
  const of = taskState(state, i);
  const told = pickShownAttempt(of);
  const words = told === null ? undefined : said.get(told.id);
  const [first] = of.past;
  return {
    id: node.id,
    agent: agentOf(taskAt(state.index, i)),
    wave: node.wave,
    status: node.word.toLowerCase(),
    attempts: countAttempts(of),
    commits: told === null ? 0 : (commits.get(told.id) ?? 0),
    error: node.error,
    message: node.note,
    findings: node.findings.map(({ kind, path, detail }) => ({ kind, path, detail })),
    started_at: first === undefined ? null : timeText(first.startedAt),
    finished_at: told === null ? null : timeText(told.settledAt),
    duration_sec: first === undefined || told === null ? null : seconds(spanMs(first, told)),
    /** That brought its work in. */
    commit: findTaskCommit(state, node.id),
    result: words === undefined ? null : resultJson(words),
  };
}

function agentOf({ work }: Task): string | null {
  return work.kind === "agent" ? (work.agent.name ?? work.agent.use) : null;
}

const seconds = (ms: number): number => Math.round(Math.max(0, ms) / 100) / 10;

/**
 * The result that an agent was asked to end with: an object with `task_completed`. It may stand in a fence, in prose or alone;
 * the last one counts. Null where there is none that is JSON: that an agent writes it wrong is no failure of its work.
 */
export function resultJson(said: string): Readonly<Record<string, unknown>> | null {
  const text = said.slice(-MOST_CHARS);
  let sign = text.lastIndexOf(SIGN);
  for (let tries = 0; sign !== -1 && tries < MOST_TRIES; tries += 1) {
    const found = objectAround(text, sign);
    if (found !== null) return found;
    sign = sign === 0 ? -1 : text.lastIndexOf(SIGN, sign - 1);
  }
  return null;
}

const SIGN = '"task_completed"';
const MOST_CHARS = 256 * 1024;
const MOST_TRIES = 20;

/** The nearest brace before the sign that opens an object with it; braces in texts may be nearer. */
function objectAround(text: string, sign: number): Readonly<Record<string, unknown>> | null {
  let at = text.lastIndexOf("{", sign);
  for (let tries = 0; at !== -1 && tries < MOST_TRIES; tries += 1) {
    const value = objectAt(text, at)?.value ?? null;
    if (value !== null && Object.hasOwn(value, "task_completed")) return value;
    at = at === 0 ? -1 : text.lastIndexOf("{", at - 1);
  }
  return null;
}
