// The end of a run as parallel-orchestra tells it: a line a task on stdout, everything else on stderr, its files, its exit code.

import { join, relative, resolve } from "node:path";
import {
  artifactFiles,
  copyAllInto,
  copyBeside,
  lookAtCheckout,
  maskTexts,
  printedBy,
  type RunState,
  reportFiles,
  webhookLog,
} from "../../../app/index.ts";
import type { TaskId } from "../../../core/ids.ts";
import { stayingTrees } from "../../../core/select/task-lists.ts";
import { shortRef } from "../../../core/text/figures.ts";
import { summaryLine, timeoutTail } from "../../../report/parallel-orchestra/document.ts";
import { findingLines } from "../../../report/parallel-orchestra/findings.ts";
import { type Result, results, type Told, toldAttempts } from "../../../report/parallel-orchestra/results.ts";
import type { Driven } from "../../drive.ts";
import { createHost } from "../../host.ts";
import { shown } from "../../render/visible.ts";
import type { Begun } from "./begin.ts";
import { exitCodeOf, runnerErrors } from "./outcome.ts";
import { writeReportFile } from "./report-file.ts";
import type { Prepared } from "./run.ts";

export type Ended = Prepared &
  Begun & {
    readonly driven: Driven;
    /** Null without log files. */
    readonly logDir: string | null;
    /** What else is to be told, one sentence each. */
    readonly notes: readonly string[];
    /** How many times webhooks were told of earlier ends of the run. */
    readonly told: number;
  };

export async function finish(end: Ended): Promise<number> {
  const { asked, request, run, driven } = end;
  const { output } = request;
  const state = run.view.state();
  const stdout = await stdoutOf(end, state);
  const told: Told = { agents: end.agents, resumed: end.resumed, said: stdout, left: end.left };
  const all = results(state, told);
  for (const result of all) tellResult(end, result, stdout.get(result.id as never) ?? "");
  output.warn(...end.notes);
  const say = (lines: readonly string[]) => output.say(lines.map((line) => [shown(line, output.glyphs)]));
  say(await handOver(end, all));
  say(await endNotes(end, state, all));
  const errors = [...runnerErrors({ state, results: all, left: end.left, outcome: driven.outcome })];
  const unwritten = asked.report === null ? null : await writeReport(end, state, all);
  if (unwritten !== null) errors.push([unwritten]);
  for (const [message = "", ...hints] of errors)
    say([`RunnerError: ${message}`, ...hints.map((hint) => `  ${hint}`)]);
  if (driven.signal !== null && driven.outcome !== "complete") output.say([[stoppedText(state)]]);
  return exitCodeOf(driven, errors.length > 0);
}

function stoppedText({ stopping, indices }: RunState): string {
  return stopping === "kill" && indices.liveAttempts > 0
    ? "killed; the same command with --resume saves what was left and goes on"
    : "stopped, and what was done is saved; to go on: the same command with --resume";
}

/** The end of what each printed, one after the other: all of it, of many tasks, is more than memory holds (I10). */
async function stdoutOf({ run }: Ended, state: RunState): Promise<Told["said"]> {
  const said = new Map<TaskId, string>();
  for (const { task, attempt } of toldAttempts(state)) {
    const { stdout } = await printedBy(run.view.folder, attempt);
    said.set(task, Buffer.from(stdout.slice(-MOST_TOLD)).toString()); // a slice alone would keep all of it
  }
  return said;
}

const MOST_TOLD = 65_536;

function tellResult({ asked, request: { output }, run }: Ended, result: Result, stdout: string): void {
  if (asked.quiet && result.status === "succeeded") return;
  const say = (lines: readonly string[]) => output.say(lines.map((line) => [shown(line, output.glyphs)]));
  output.result([[shown(summaryLine(result), output.glyphs)]]);
  if (result.isTimedOut) say(timeoutTail(stdout));
  if (result.status === "failed")
    say([`  ${result.id}: ${result.why}; read why: plait logs --run ${run.view.run} ${result.id}`]);
}

/** Why there is none; null when it is written. */
async function writeReport(
  { asked, plan, run: { mask } }: Ended,
  state: RunState,
  all: readonly Result[],
): Promise<string | null> {
  const { startedAt, ended, clock } = state;
  const run = { manifest: plan.name, startedAt, finishedAt: ended?.at ?? clock, results: all };
  return writeReportFile(resolve(asked.report ?? ""), maskTexts(run, mask));
}

async function endNotes(end: Ended, state: RunState, all: readonly Result[]): Promise<string[]> {
  return [
    ...findingLines(all),
    ...stayingTrees(state).map(({ task, path }) => `the worktree of ${task} is kept: ${path}`),
    ...(await landedElsewhere(end, state)),
    ...(await untoldWebhooks(end)),
  ];
}

/** Work lands on the branch of the start; whoever has switched meanwhile does not see it. */
async function landedElsewhere({ request }: Ended, { landing }: RunState): Promise<string[]> {
  if (landing.kind !== "landed") return [];
  const { head, branch } = await lookAtCheckout(createHost(request, ""));
  if (head === null || branch === landing.target) return [];
  const now = branch === null ? "no branch" : shortRef(branch);
  return [`landed on ${shortRef(landing.target)}; you are on ${now}`];
}

async function untoldWebhooks({ run, told }: Ended): Promise<string[]> {
  const lines = (await webhookLog(run.view.folder)).slice(told);
  return lines
    .filter((line) => !/^\w+: answered 2\d\d\b/.test(line))
    .map((line) => `the webhook on_${line.replace(":", " was not told:")}`);
}

/** Files that agents left, at the places where users of parallel-orchestra look for them: what was put where, one sentence each. */
async function handOver(end: Ended, results: readonly Result[]): Promise<string[]> {
  const notes: string[] = [];
  for (const told of toldAttempts(end.run.view.state())) {
    const { status } = results.find(({ id }) => id === told.task) ?? {};
    if (status === "succeeded" || status === "failed") notes.push(...(await reports(end, told)));
    if (status === "failed") notes.push(...(await postMortem(end, told)));
  }
  return notes;
}

type ToldAttempt = ReturnType<typeof toldAttempts>[number];

/** Without a repository they lie there already. */
async function reports({ run, checkout }: Ended, { task, attempt: { id } }: ToldAttempt): Promise<string[]> {
  const { root } = checkout;
  if (root === null) return [];
  const files = await reportFiles(run.view.folder, id);
  const targets = files.map(({ path }) => join(root, path));
  const tracked = await checkout.tracked(targets);
  const notes: string[] = [];
  for (const [n, { folder, path }] of files.entries()) {
    const from = join(folder, path);
    const to = await copyBeside(from, targets[n] ?? from, tracked);
    notes.push(to === null ? `a report of ${task} stays at ${from}` : `report of ${task}: ${near(to)}`);
  }
  return notes;
}

async function postMortem(
  { run, logDir, checkout }: Ended,
  { task, attempt: { id } }: ToldAttempt,
): Promise<string[]> {
  const files = logDir === null ? [] : await artifactFiles(run.view.folder, id);
  if (logDir === null || files.length === 0) return [];
  const folder = join(logDir, `${task}-artifacts`);
  const tracked = await checkout.tracked(files.map(({ path }) => join(folder, path)));
  const copied = await copyAllInto(files, folder, tracked);
  return [`${task} left ${copied} of ${files.length} files for you to look at: ${near(folder)}`];
}

function near(path: string): string {
  const way = relative(process.cwd(), path);
  return way.length < path.length ? way : path;
}
