// The end of a run as parallel-orchestra tells it: a line a task on stdout, everything else on stderr, its files, its exit code.

import { resolve } from "node:path";
import { maskTexts, printedBy, type RunState } from "../../../app/index.ts";
import type { TaskId } from "../../../core/ids.ts";
import { summaryLine, timeoutTail } from "../../../report/parallel-orchestra/document.ts";
import { type Result, results, type Told, toldAttempts } from "../../../report/parallel-orchestra/results.ts";
import type { Driven } from "../../drive.ts";
import { shown } from "../../render/visible.ts";
import { warn } from "../../render/warning.ts";
import type { Begun } from "./begin.ts";
import { endNotes } from "./end-notes.ts";
import { handOver } from "./hand-over.ts";
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
  for (const note of end.notes) output.say(warn(note, output));
  for (const note of await handOver(end, all)) output.say([[shown(note, output.glyphs)]]);
  for (const note of await endNotes(end, state, all)) output.say([[shown(note, output.glyphs)]]);
  const errors = [...runnerErrors({ state, results: all, left: end.left, outcome: driven.outcome })];
  const unwritten = asked.report === null ? null : await writeReport(end, state, all);
  if (unwritten !== null) errors.push([unwritten]);
  for (const [message = "", ...hints] of errors)
    output.say(
      [`RunnerError: ${message}`, ...hints.map((hint) => `  ${hint}`)].map((text) => [
        shown(text, output.glyphs),
      ]),
    );
  if (driven.signal !== null && driven.outcome !== "complete") output.say([[stoppedText(state)]]);
  return exitCodeOf({ ...driven, results: all, hasErrors: errors.length > 0 });
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
