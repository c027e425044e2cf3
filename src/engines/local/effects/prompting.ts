// The prompt of an attempt, from the strings of the run: the plan's, the reports of its needs, what a check found.

import type { Adapter, AgentWork } from "../../../agents/adapter.ts";
import { formatReport } from "../../../agents/final-message.ts";
import {
  buildPrompt,
  type EarlierAttempt,
  type FinishedTask,
  type Fix,
  type LaterCheck,
  type Summaries,
} from "../../../agents/prompt.ts";
import { buildSharedPrompt } from "../../../agents/prompt-shared.ts";
import type { FailureReason } from "../../../core/failure.ts";
import { type AttemptId, splitAttemptId, type TaskId, type TextHash } from "../../../core/ids.ts";
import type { Task } from "../../../core/plan.ts";
import { accountOf } from "../../../core/queries.ts";
import type { PastAttempt, RunState, TaskState } from "../../../core/run-state.ts";
import { isSatisfied } from "../../../core/run-tasks.ts";
import type { Want } from "../../../core/want.ts";
import { changedPath, diffTrees } from "../../../git/index.ts";
import { readAgentSummary } from "../agent-summary.ts";
import { LEAST_SHARED_BYTES } from "../cache-warmup.ts";
import { reportsOf } from "../reports.ts";
import { type RunContext, taskOf } from "../run-context.ts";

export type ToPrompt = {
  readonly want: Extract<Want, { kind: "start" }>;
  readonly state: RunState;
  readonly task: Task;
  readonly work: AgentWork;
  readonly adapter: Adapter;
  /** Whether the agent continues its conversation. */
  readonly remembers: boolean;
};

/** An attempt's prompt as its agent gets it. */
export type AttemptPrompt = {
  /** What is sent. */
  readonly prompt: string;
  /** Added to the system prompt as an argument; null where there is nothing to add, or it is elsewhere. */
  readonly systemPrompt: string | null;
  /** Holds the shared part, and the system prompt behind it; null where the prompt has them. */
  readonly sharedFile: string | null;
  /** All of it, for people. */
  readonly shown: string;
  /** Attempts with the same one send the same prefix, which is worth caching; null where nothing is. */
  readonly prefix: string | null;
};

export async function buildAttemptPrompt(site: RunContext, asked: ToPrompt): Promise<AttemptPrompt> {
  const { task, state, work, adapter, remembers } = asked;
  const { plan } = state.index;
  const shared = await readSharedPrompt(site, state);
  const system = work.systemPrompt === null ? null : await readPlanText(site, work.systemPrompt.hash);
  const own = await readPlanText(site, work.prompt.hash);
  const isBeside = await takesSharedFile(site, adapter);
  const isArgument =
    !isBeside && adapter.supports.systemPrompt && (work.systemPrompt?.bytes ?? 0) <= MOST_BESIDE;
  const beside = [shared, ...(system === null ? [] : [system])].map((text) => text.trim()).join("\n\n");
  const prompt = buildPrompt({
    shared: isBeside ? null : shared,
    task,
    isAlone: plan.tasks.length === 1,
    prompt: own,
    system: isBeside || isArgument ? null : system,
    planned: `${system ?? ""}\n${own}`,
    sharedGates: plan.gates,
    laterChecks: listLaterChecks(state, task),
    summaries: await readSummaries(site, state, task),
    needs: await listFinishedTasks(site, state, task),
    earlier: findEarlierAttempt(asked),
    brief: asked.want.brief === null ? null : await readPlanText(site, asked.want.brief),
    fix: await findFix(site, asked.want),
    remembers,
  });
  const before = isBeside ? beside : isArgument && system !== null ? system.trim() : null;
  return {
    prompt,
    systemPrompt: isArgument ? system : null,
    sharedFile: isBeside ? site.folder.textPath(await site.folder.putText(`${beside}\n`)) : null,
    prefix: isBeside && !remembers ? findPrefix(asked, beside) : null,
    shown: remembers || before === null ? prompt : `${before}\n\n${prompt}`,
  };
}

/** All that decides how a request begins: the account and its model, the tools that are offered, the system prompt. */
function findPrefix({ state, task, work }: ToPrompt, beside: string): string | null {
  const { plan, indexOf } = state.index;
  if (plan.warmCache === false || Buffer.byteLength(beside) < LEAST_SHARED_BYTES) return null;
  const account = accountOf(state, indexOf.get(task.id) ?? -1);
  return JSON.stringify([account, work.agent, task.access, work.tools, task.reports.length > 0, beside]);
}

/** A longer argument than this may be refused by the system; such a system prompt goes into the prompt. */
const MOST_BESIDE = 100_000;

async function takesSharedFile({ versions }: RunContext, adapter: Adapter): Promise<boolean> {
  if (adapter.takesSharedFile === null) return false;
  const version = await versions.read(adapter);
  return version !== null && adapter.takesSharedFile(version);
}

async function readSharedPrompt(site: RunContext, { index: { plan } }: RunState): Promise<string> {
  const context = plan.context.map(async ({ hash, file }) => ({
    file,
    text: await readPlanText(site, hash),
  }));
  return buildSharedPrompt({
    plan,
    isFolder: site.workFolder !== null,
    context: await Promise.all(context),
  });
}

/** Reasons that are the vendor's, the machine's or the user's: the agent cannot do anything about them. */
const NOT_ITS_OWN = new Set<FailureReason>([
  ...(["rate-limit", "usage-limit", "overloaded", "auth", "billing", "network", "environment"] as const),
  "rejected",
]);

/** The last attempt, where this one starts fresh and something is to be learned from it, or there is work to reuse. */
function findEarlierAttempt({ want, state, task }: ToPrompt): EarlierAttempt | null {
  if (want.fix !== null || want.brief !== null) return null;
  const { past, stale } = taskOf(state, task.id).now;
  const last = past.findLast(({ author }) => author === "agent");
  if (last === undefined || last.isMerged || numberOf(last.id) <= stale) return null;
  const failure = last.failure ?? last.ended.failure;
  const { changed, result } = last.saved;
  if (failure === null || (NOT_ITS_OWN.has(failure.reason) && !changed)) return null;
  const saved = changed ? { from: last.base.commit, to: result.commit } : null;
  return { number: numberOf(last.id), failure, saved };
}

const numberOf = (attempt: AttemptId): number => splitAttemptId(attempt).n;

async function findFix(
  { redOutput, folder }: RunContext,
  { fix, base }: ToPrompt["want"],
): Promise<Fix | null> {
  if (fix === null || fix.because === null) return null;
  const { attempt, because } = fix;
  const hash = redOutput(attempt);
  const output = hash === null ? "" : ((await folder.text(hash)) ?? "");
  const isAboutMerged =
    because.reason === "conflict" || (because.reason === "gate" && because.on === "merge");
  return { because, output, merged: isAboutMerged ? base.commit : null };
}

/** Texts are written before the first fact that names them. */
async function readPlanText({ folder }: RunContext, hash: TextHash): Promise<string> {
  const text = await folder.text(hash);
  if (text === null) throw new Error(`the text ${hash} is missing from ${folder.path}`);
  return text;
}

/** The last messages of the needs that the plan names for it: merged ones too, which have no report otherwise. */
async function readSummaries(site: RunContext, state: RunState, { hears }: Task): Promise<Summaries | null> {
  if (hears === null) return null;
  const all = hears.from.map(async ({ task: id, name }) => {
    const { now } = taskOf(state, id);
    return { name, said: await readReport(site, now) };
  });
  return { title: hears.title, from: await Promise.all(all) };
}

/** Read-only commands that need this task, such as the validation of a wave. */
function listLaterChecks({ index: { plan } }: RunState, { id }: Task): LaterCheck[] {
  return plan.tasks.flatMap(({ id: task, work, access, needs, dir }) => {
    const checks = work.kind === "command" && access === "read-only" && needs.includes(id);
    return checks ? [{ task, run: work.run, dir, isJoint: needs.length > 1 }] : [];
  });
}

async function listFinishedTasks(
  site: RunContext,
  state: RunState,
  { needs, hears }: Task,
): Promise<FinishedTask[]> {
  const shown = new Set(hears?.from.map((one) => one.task));
  const all = needs.map((id) => readFinishedTask(site, state, { id, isShown: shown.has(id) }));
  return (await Promise.all(all)).flat();
}

async function readFinishedTask(
  site: RunContext,
  state: RunState,
  { id, isShown }: { readonly id: TaskId; readonly isShown: boolean },
): Promise<FinishedTask[]> {
  const { task, now } = taskOf(state, id);
  const attempt = finishingAttempt(now);
  if (attempt === null) return [];
  const isMerged = now.phase.kind === "merged";
  const kept = isMerged ? null : await reportsOf(site.folder.path, attempt);
  return [
    {
      task: id,
      title: task.title,
      isMerged,
      command: task.work.kind === "command" ? task.work.run : null,
      // Of a check, that it passed is all that matters; other commands may print what dependents need.
      report: isShown || isCheckOfWork(task) ? "" : await readFinishedReport(site, state, now),
      reportFiles: kept?.files.map(({ path }) => path) ?? [],
      changed: isMerged ? await listChanged(site, findAttempt(now, attempt)) : [],
    },
  ];
}

function finishingAttempt({ phase }: TaskState): AttemptId | null {
  return isSatisfied(phase) ? phase.attempt : null;
}

function findAttempt({ past }: TaskState, attempt: AttemptId): PastAttempt | null {
  return past.find(({ id }) => id === attempt) ?? null;
}

/** What a read-only task reports is all that it leaves; of merged work a summary is enough. */
async function readFinishedReport(site: RunContext, state: RunState, now: TaskState): Promise<string> {
  const attempt = now.phase.kind === "merged" ? findAttempt(now, now.phase.attempt) : null;
  return attempt === null
    ? formatReport(await readReport(site, now))
    : readAgentSummary(site.folder, state, attempt);
}

/** With what its report files say, where a read-only task has them. */
async function readReport({ folder }: RunContext, now: TaskState): Promise<string> {
  const report = now.phase.kind === "passed" ? now.phase.report : null;
  const attempt = finishingAttempt(now);
  const hash = report ?? (attempt === null ? null : findAttempt(now, attempt)?.ended.said) ?? null;
  return (hash === null ? null : await folder.text(hash)) ?? "";
}

/** Without the list an agent still has the files: no failing git call may cost the attempt. */
/** A read-only command that needs other tasks checks their work. */
const isCheckOfWork = ({ work, access, needs }: Task): boolean =>
  work.kind === "command" && access === "read-only" && needs.length > 0;

async function listChanged({ shadow }: RunContext, attempt: PastAttempt | null): Promise<string[]> {
  if (attempt === null) return [];
  try {
    const changes = await diffTrees(shadow, attempt.base.tree, attempt.saved.result.tree);
    return changes.map((change) => changedPath(change).path);
  } catch {
    return [];
  }
}
