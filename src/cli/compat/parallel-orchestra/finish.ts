import { formatCommand, plait } from "../../../core/text/command.ts";
// The end of a run as parallel-orchestra tells it: a line a task on stdout, everything else on stderr, its files, its exit code.

import { join, relative, resolve } from "node:path";
import {
  artifactFiles,
  copyAllInto,
  copyBeside,
  failedWebhooks,
  lookAtCheckout,
  maskTexts,
  printedBy,
  type RunState,
  reportFiles,
} from "../../../app/index.ts";
import type { TaskId } from "../../../core/ids.ts";
import { stayingTrees } from "../../../core/select/task-lists.ts";
import { shortRef } from "../../../core/text/figures.ts";
import { summaryLine, timeoutTail } from "../../../report/parallel-orchestra/document.ts";
import { findingLines } from "../../../report/parallel-orchestra/findings.ts";
import {
  pickReportedAttempts,
  type Result,
  type ResultsInput,
  results,
} from "../../../report/parallel-orchestra/results.ts";
import type { Driven } from "../../drive.ts";
import { createHost } from "../../host.ts";
import { shown } from "../../render/visible.ts";
import { type Begun, orchestraCommand } from "./begin.ts";
import { addErrors, runnerErrors } from "./outcome.ts";
import { writeReportFile } from "./report-file.ts";
import type { Prepared } from "./run.ts";

export type Ended = Prepared &
  Begun & {
    readonly driven: Driven;
    /** Null without log files. */
    readonly logDir: string | null;
    /** What else is to be told, one sentence each. */
    readonly notes: readonly string[];
  };

export async function finish(end: Ended): Promise<number> {
  const { asked, request, run, driven } = end;
  const { output } = request;
  const state = run.view.state();
  const stdout = await stdoutOf(end, state);
  const told: ResultsInput = { agents: end.agents, resumed: end.resumed, said: stdout, left: end.left };
  const all = results(state, told);
  for (const result of all) tellResult(end, result, stdout.get(result.id as never) ?? "");
  output.warn(...end.notes);
  const say = (lines: readonly string[]) => output.say(lines.map((line) => [shown(line, output.glyphs)]));
  say(await handOver(end, all));
  say(await endNotes(end, state, all));
  const errors = [...runnerErrors({ state, results: all, left: end.left, status: driven.status })];
  const unwritten = asked.report === null ? null : await writeReport(end, state, all);
  if (unwritten !== null) errors.push([unwritten]);
  for (const [message = "", ...hints] of errors)
    say([`RunnerError: ${message}`, ...hints.map((hint) => `  ${hint}`)]);
  if (driven.signal !== null && driven.status.exit !== 0) output.say([[stoppedText(state)]]);
  return addErrors(driven, errors.length > 0);
}

function stoppedText({ stopping, indices }: RunState): string {
  return stopping === "kill" && indices.liveAttempts > 0
    ? "killed; run the same command with --resume to save the remaining work and continue"
    : "stopped; all work is saved; run the same command with --resume to continue";
}

/** The end of what each printed, one after the other: all of it, of many tasks, is more than memory holds (I10). */
async function stdoutOf({ run }: Ended, state: RunState): Promise<ResultsInput["said"]> {
  const said = new Map<TaskId, string>();
  for (const { task, attempt } of pickReportedAttempts(state)) {
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
    say([
      `  ${result.id}: ${result.why}; read why: ${formatCommand(plait("logs", result.id, { run: run.view.run }))}`,
    ]);
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
    ...stayingTrees(state).map(({ task, path }) => `kept the worktree of ${task}: ${path}`),
    ...(await landedElsewhere(end, state)),
    ...(await untoldWebhooks(end, state)),
  ];
}

/** Work lands on the branch of the start; whoever has switched meanwhile does not see it. */
async function landedElsewhere({ request }: Ended, { landing }: RunState): Promise<string[]> {
  if (landing.kind !== "landed") return [];
  const { head, branch } = await lookAtCheckout(createHost(request, orchestraCommand()));
  if (head === null || branch === landing.target) return [];
  const now = branch === null ? "no branch" : shortRef(branch);
  return [`landed on ${shortRef(landing.target)}; you are on ${now}`];
}

async function untoldWebhooks({ run }: Ended, state: RunState): Promise<string[]> {
  const failed = await failedWebhooks(run.view.folder, state);
  return failed.map(({ event, text }) => `the webhook on_${event} was not delivered: ${text}`);
}

/** Files that agents left, at the places where users of parallel-orchestra look for them: what was put where, one sentence each. */
async function handOver(end: Ended, results: readonly Result[]): Promise<string[]> {
  const notes: string[] = [];
  for (const told of pickReportedAttempts(end.run.view.state())) {
    const { status } = results.find(({ id }) => id === told.task) ?? {};
    if (status === "succeeded" || status === "failed") notes.push(...(await reports(end, told)));
    if (status === "failed") notes.push(...(await postMortem(end, told)));
  }
  return notes;
}

type ReportedAttempt = ReturnType<typeof pickReportedAttempts>[number];

/** Without a repository they lie there already. */
async function reports(
  { run, checkout }: Ended,
  { task, attempt: { id } }: ReportedAttempt,
): Promise<string[]> {
  const { root } = checkout;
  if (root === null) return [];
  const files = await reportFiles(run.view.folder, id);
  const targets = files.map(({ path }) => join(root, path));
  const tracked = await checkout.tracked(targets);
  const notes: string[] = [];
  for (const [n, { folder, path }] of files.entries()) {
    const from = join(folder, path);
    const to = await copyBeside(from, targets[n] ?? from, tracked);
    notes.push(
      to === null ? `could not copy a report of ${task}; it is at ${from}` : `report of ${task}: ${near(to)}`,
    );
  }
  return notes;
}

async function postMortem(
  { run, logDir, checkout }: Ended,
  { task, attempt: { id } }: ReportedAttempt,
): Promise<string[]> {
  const files = logDir === null ? [] : await artifactFiles(run.view.folder, id);
  if (logDir === null || files.length === 0) return [];
  const folder = join(logDir, `${task}-artifacts`);
  const tracked = await checkout.tracked(files.map(({ path }) => join(folder, path)));
  const copied = await copyAllInto(files, folder, tracked);
  return [`copied ${copied} of ${files.length} files that ${task} left: ${near(folder)}`];
}

function near(path: string): string {
  const way = relative(process.cwd(), path);
  return way.length < path.length ? way : path;
}
