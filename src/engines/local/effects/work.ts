// The work of an attempt: the agent or the command is started, heard, and its end understood.

import { randomUUID } from "node:crypto";
import { realpath, stat, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import type {
  Adapter,
  AgentWork,
  Conversation,
  EndedBy,
  Invocation,
  Reading,
} from "../../../agents/adapter.ts";
import type { AgentHome } from "../../../agents/agent-home.ts";
import { attemptEnv } from "../../../agents/attempt-env.ts";
import { commandReader } from "../../../agents/command/read.ts";
import { findAgent } from "../../../agents/registry.ts";
import { sumOfUsage } from "../../../agents/usage.ts";
import type { EpochMs, Usage } from "../../../core/facts.ts";
import type { AttemptFailure } from "../../../core/failure.ts";
import { type AttemptId, splitAttemptId } from "../../../core/ids.ts";
import type { Task } from "../../../core/plan.ts";
import { accountOf, limitOfAccount } from "../../../core/queries.ts";
import { formatWalled } from "../../../core/sandbox.ts";
import { formatRefusal } from "../../../core/text/refusal.ts";
import type { Lease } from "../../../git/index.ts";
import { lazyLog, openLog } from "../../../process/attempt-log.ts";
import { throwIfNoRoom } from "../../../process/spawn.ts";
import { type Exit, supervise } from "../../../process/supervise.ts";
import { LONGEST_WARMUP_MS } from "../cache-warmup.ts";
import { rootFor } from "../place.ts";
import { envIn, pastAttempt, type RunContext, taskOf } from "../run-context.ts";
import { type Denials, watchDenials } from "../sandbox/watch-denials.ts";
import { putBackDoneFile, takeDoneFile, withDoneFile } from "./done-file.ts";
import { type Heard, listen } from "./listen.ts";
import { buildAttemptPrompt } from "./prompting.ts";
import { type Conduct, type EndedBody, endedWith, formatLeft } from "./start-attempt.ts";

/** What is to be started, and who understands what it prints. */
type Job = {
  readonly invocation: Invocation;
  /** Files outside the worktree that it is told to read. */
  readonly files: readonly (string | null)[];
  readonly home: AgentHome | null;
  readonly reading: Reading;
  /** What earlier attempts of its conversation have told; null where it begins one. */
  readonly before: Usage | null;
  /** See AttemptPrompt. */
  readonly prefix: string | null;
};
type Refused = { readonly failure: AttemptFailure };

export async function runWork(site: RunContext, conducted: Conduct, lease: Lease): Promise<EndedBody> {
  const { want, hands } = conducted;
  const { task } = taskOf(hands.state(), want.task);
  const folder = await folderFor(rootFor(site, lease), task);
  if (folder === null)
    return endedWith(want.attempt, rejected(`the base commit has no folder ${task.dir}`).failure);
  const job = await jobFor(site, conducted, { task, lease, folder });
  if ("failure" in job) return endedWith(want.attempt, job.failure);
  const before = await takeDoneFile(folder, task);
  const ended = await superviseJob(site, conducted, { task, lease, folder, job }).catch(async (error) => {
    if (before !== null) await putBackDoneFile(folder, task, before);
    throw error;
  });
  // What is mended was said to be done.
  const isSaid = (await takeDoneFile(folder, task)) !== null || want.fix !== null;
  if (before !== null) await putBackDoneFile(folder, task, before);
  return withDoneFile(ended, task, isSaid);
}

type InWorktree = {
  readonly task: Task;
  readonly lease: Lease;
  /** Where the work is started: the root of the files that it sees, or a folder in it. */
  readonly folder: string;
};

/** Null where there is no such folder. A link may not lead out of the root. */
async function folderFor(start: string, { dir }: Task): Promise<string | null> {
  if (dir === null) return start;
  const [root, folder] = await Promise.all([
    realpath(start),
    realpath(join(start, dir)).catch(() => null), // not there
  ]);
  const isInside = folder?.startsWith(`${root}${sep}`) === true && (await stat(folder)).isDirectory();
  return isInside ? folder : null;
}

async function jobFor(
  site: RunContext,
  conducted: Conduct,
  { task, ...place }: InWorktree,
): Promise<Job | Refused> {
  const { work } = task;
  const { task: id, n } = splitAttemptId(conducted.want.attempt);
  if (work.kind === "agent") return agentJob(site, conducted, { task, ...place, work });
  const argv = work.run.kind === "shell" ? ["sh", "-c", work.run.line] : work.run.argv;
  const env = attemptEnv({ task: id, attempt: n, access: task.access });
  const invocation = { argv, env, stdin: "", notes: [] };
  const ofCommand = { before: null, prefix: null, files: [], home: null };
  return { invocation, reading: commandReader({}), ...ofCommand };
}

async function agentJob(
  site: RunContext,
  conducted: Conduct,
  { task, folder, work }: InWorktree & { readonly work: AgentWork },
): Promise<Job | Refused> {
  const { want } = conducted;
  const found = findAgent(site.agents, work.agent.use);
  if (!found.ok) return rejected(formatRefusal(found.problem));
  const conversation = conversationFor(found.adapter, conducted);
  const remembers = conversation.kind === "continue";
  const state = conducted.hands.state();
  const asked = { want, state, task, work, adapter: found.adapter, remembers };
  const { shown, prefix, ...prompt } = await buildAttemptPrompt(site, asked);
  const promptFile = site.folder.prompt(want.attempt);
  await writeFile(promptFile, site.masker.text(shown), { mode: 0o600 });
  const invoked = found.adapter.invoke({
    task: task.id,
    attempt: splitAttemptId(want.attempt).n,
    work,
    access: task.access,
    owns: task.owns,
    reports: task.reports,
    dir: task.dir,
    ...prompt,
    promptFile,
    worktree: folder,
    conversation,
    ...site.rights,
    sandboxed: site.sandbox.isWalled,
    deny: [],
    answer: null,
  });
  if (!invoked.ok) return rejected(formatRefusal(invoked.problem));
  const before = remembers ? spentOn(conducted, conversation.id) : null;
  const files = [promptFile, prompt.sharedFile];
  const { home = null } = found.adapter;
  return {
    invocation: invoked.invocation,
    reading: found.adapter.reader(folder),
    before,
    prefix,
    files,
    home,
  };
}

function rejected(detail: string): Refused {
  return { failure: { reason: "rejected", detail } };
}

/** A fix round goes on with the conversation of the attempt that it mends, where the agent can. */
function conversationFor(adapter: Adapter, { want, hands }: Conduct): Conversation {
  const before = want.fix === null ? null : pastAttempt(hands.state(), want.fix.attempt);
  const id = before?.ended.conversation ?? null;
  return adapter.supports.conversation && id !== null
    ? { kind: "continue", id }
    : { kind: "new", id: randomUUID() };
}

function spentOn({ want, hands }: Conduct, conversation: string): Usage {
  const { past } = taskOf(hands.state(), want.task).now;
  const same = past.filter(({ ended }) => ended.conversation === conversation);
  return sumOfUsage(same.map(({ ended }) => ended.usage));
}

async function superviseJob(
  site: RunContext,
  { want, marker, hands, control, onSpawned }: Conduct,
  { task, lease, folder: cwd, job }: InWorktree & { readonly job: Job },
): Promise<EndedBody> {
  const { folder, masker, lifeline, clock, run } = site;
  const { attempt } = want;
  const opened = await openLog(folder.log(attempt));
  const log = opened.ok ? opened.log : null; // a full disk costs the log, not the attempt
  const errors = lazyLog(folder.errors(attempt));
  const onAnswer = () => noteAnswer(attempt, hands);
  const heard = await listen(site, attempt, { reading: job.reading, now: hands.now, onAnswer });
  const turn = job.prefix === null ? null : site.warmup.enter(job.prefix);
  try {
    for (const note of job.invocation.notes) await heard.note(note);
    const wait = turn?.wait ?? null;
    if (wait !== null)
      await waitForCache(heard, wait, { until: hands.now() + LONGEST_WARMUP_MS, signal: control.signal });
    const { argv, stdin } = job.invocation;
    const place = await enterPlace(site, attempt, { task, lease, job });
    const denials = watchDenials(place);
    const limits = task.work.kind === "agent" ? task.limits : { totalMs: task.limits.totalMs };
    const shared = { masker, lifeline, clock, marker, runMarker: run, limits, worktree: lease.slot.path };
    const onLine = async ({ text }: { readonly text: string }): Promise<void> => {
      denials.look(text);
      await heard.line(text);
      if (heard.hasAnswer()) turn?.answered();
    };
    const takers = { onLine, onStderr: errors.write };
    const started = await supervise(
      { argv, cwd, env: place.env, stdin },
      { ...shared, ...(log === null ? {} : { log }), ...takers, ...place.enclose },
    );
    if (!started.ok) {
      await place.leave();
      throwIfNoRoom(started.failure);
      return endedWith(attempt, { reason: "environment", detail: started.failure.message });
    }
    onSpawned();
    const { pid, startTime, bootId } = started.started;
    // Not waited for: it is in the journal's order, and a journal that cannot be written ends the driver by itself.
    hands
      .record({ type: "attempt.spawned", attempt, pid, startTime: startTime ?? "", bootId: bootId ?? "" })
      .catch(() => undefined);
    control.onAsk((how) => void started.stop(how).catch(() => undefined));
    const exit = await started.ended;
    await place.leave();
    const how = { attempt, task, exit, endedBy: endedBy(exit, control), now: hands.now };
    const ended = await concluded(site, { ...how, before: job.before, reading: heard.reading() });
    if (ended.failure === null && exit.why !== null) await heard.note(ENDED_AFTER_ITS_RESULT);
    return { ...ended, ...(await noteDenials(heard, denials, exit)) };
  } finally {
    turn?.answered();
    await heard.close();
    await errors.close();
    await log?.close();
  }
}

async function noteDenials(
  heard: Heard,
  denials: Denials,
  { stderrTail }: Exit,
): Promise<Pick<EndedBody, "walled">> {
  denials.look(stderrTail);
  const walled = denials.list();
  for (const one of walled) await heard.note(formatWalled(one));
  return walled.length === 0 ? {} : { walled };
}

async function enterPlace(
  site: RunContext,
  attempt: AttemptId,
  { task, lease, job }: Pick<InWorktree, "task" | "lease"> & { readonly job: Job },
) {
  const env = {
    ...(await envIn(site, lease, task.env)),
    ...site.attemptEnv(attempt),
    ...job.invocation.env,
    ...(task.doneFile !== null && { PLAIT_DONE_FILE: task.doneFile }),
  };
  const { files, home, invocation } = job;
  return site.sandbox.enter({
    ...{ lease, env, files, root: rootFor(site, lease), argv: invocation.argv, reports: task.reports },
    isReadOnly: task.access === "read-only",
    agent: home === null ? null : { task: task.id, home },
  });
}

/** A stop does not wait for it; the attempt finds out by itself that it was asked to end. */
async function waitForCache(
  heard: Heard,
  wait: Promise<void>,
  { until, signal }: { readonly until: EpochMs; readonly signal: AbortSignal },
): Promise<void> {
  if (signal.aborted) return;
  await heard.note(WARMING);
  heard.waiting({ kind: "cache", reason: "prompt cache warm-up", until });
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await Promise.race([wait, stopped]);
  heard.waiting(null);
}

const WARMING = `waiting up to ${LONGEST_WARMUP_MS / 1_000} s for the first task to write the prompt cache`;

/** The attempt that was let through on a limited account is answered: the account works, and the others follow. */
function noteAnswer(attempt: AttemptId, hands: Conduct["hands"]): void {
  const state = hands.state();
  const account = accountOf(state, state.index.indexOf.get(splitAttemptId(attempt).task) ?? -1);
  if (account === null || limitOfAccount(state, account)?.trial !== attempt) return;
  hands.record({ type: "account.probed", account, ok: true }).catch(() => undefined);
}

const ENDED_AFTER_ITS_RESULT = "the work was done, but the agent was still running at its time limit: ended";

type ToConclude = {
  readonly attempt: EndedBody["attempt"];
  readonly task: Task;
  readonly exit: Exit;
  readonly endedBy: EndedBy | null;
  readonly before: Usage | null;
  readonly reading: Reading;
  readonly now: () => number;
};

async function concluded(
  site: RunContext,
  { attempt, task, exit, endedBy, before, reading, now }: ToConclude,
): Promise<EndedBody> {
  const { code, signal, stderrTail } = exit;
  const { usage, conversation, text, denials, ...concluding } = reading.conclude({
    ...{ code, signal, stderr: stderrTail, endedBy, before, access: task.access },
    at: now(),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    gated: task.gates.length > 0,
  });
  const failure = findEnclosureFailure(exit) ?? concluding.failure ?? findLeft(exit);
  // A disk that is full costs what was said, not what was done.
  const keep = () => site.folder.putText(site.masker.text(text)).catch(() => null);
  const said = text.trim() === "" ? null : await keep();
  const mask = (detail: string) => site.masker.text(`${detail}${formatLeft(exit.leftOver)}`);
  const shown = failure && { ...failure, detail: mask(failure.detail) };
  const about = { exit: { code, signal }, usage, conversation, said, denials };
  return { type: "attempt.ended", attempt, failure: shown, ...about };
}

/** The sandbox itself failed: says nothing about the agent. */
function findEnclosureFailure({ notRun, why }: Exit): AttemptFailure | null {
  return notRun === null || why !== null ? null : { reason: "environment", detail: notRun.message };
}

/** Done, but something that it started could not be ended (I5): nobody may take that for a success. */
function findLeft({ leftOver }: Exit): AttemptFailure | null {
  return leftOver.length === 0 ? null : { reason: "environment", detail: "the work is done" };
}

function endedBy({ why }: Exit, control: Conduct["control"]): EndedBy | null {
  if (why === null) return null;
  if (why === "stop" || why === "kill") {
    return { reason: "cancelled", because: control.asked() ?? "stop" };
  }
  return { reason: "timeout", clock: why };
}
