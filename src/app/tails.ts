// The lines that say why something failed: of the gate that was red its first failure in TAP, else its last lines; else the last
// lines of what the agent or the command printed.

import { open } from "node:fs/promises";
import { redBaseChecks } from "../core/base-check.ts";
import type { Fact } from "../core/facts.ts";
import type { AttemptId, TaskId, TextHash } from "../core/ids.ts";
import { parseFact } from "../core/parse-fact.ts";
import type { Task } from "../core/plan.ts";
import { checkKey, taskAt } from "../core/run-index.ts";
import type { PastAttempt, RunState } from "../core/run-state.ts";
import { failedTasks } from "../core/select/task-lists.ts";
import { get } from "../core/sorted-map.ts";
import { formatGateName } from "../core/text/figures.ts";
import { redOutputs } from "../engines/local/red-outputs.ts";
import { type RunFolder, runFolder } from "../engines/local/run-folder.ts";
import { listFailureLines } from "../gates/failed-checks.ts";
import { readJournal } from "../journal/read.ts";
import { lastLines } from "../process/tail.ts";
import { terminalText } from "../util/terminal-text.ts";

export type Tail = {
  readonly lines: readonly string[];
  /** They are about the first failed check of the gate, not its last lines. */
  readonly isFirstFailure?: boolean;
  /** What the agent or the command printed. */
  readonly log: string | null;
  /** All that the red gate printed; null where it was no gate. */
  readonly textPath: string | null;
};

const LINES = 12;
const FAILURE_LINES = 6;
const BYTES = 16 * 1024;

/** The lines that say why something failed, beside the reason: often they say all. */
export type Tails = {
  /** By task that failed. */
  readonly tasks: ReadonlyMap<TaskId, Tail>;
  /** By what failed before anything was done: `gate test`, `the setup`. */
  readonly base: ReadonlyMap<string, Tail>;
};

export async function failureTails(path: string, state: RunState): Promise<Tails> {
  const folder = runFolder(path);
  return { tasks: await taskTails(folder, state), base: await baseTails(folder, state) };
}

async function baseTails(folder: RunFolder, state: RunState): Promise<Map<string, Tail>> {
  const tails = new Map<string, Tail>();
  for (const check of redBaseChecks(state)) {
    const { output = null, isUnprepared = false } = get(state.redOnBase, checkKey(check)) ?? {};
    if (output === null) continue;
    const printed = (await folder.text(output)) ?? "";
    tails.set(isUnprepared ? "the setup" : `gate ${formatGateName(check.gate.name)}`, {
      ...pickLines(printed),
      log: null,
      textPath: folder.textPath(output),
    });
  }
  return tails;
}

async function taskTails(folder: RunFolder, state: RunState): Promise<Map<TaskId, Tail>> {
  if (failedTasks(state).length === 0) return new Map();
  const { facts } = await readJournal<Fact>(folder.journal, { parse: parseFact });
  const tails = new Map<TaskId, Tail>();
  for (const { task, attempt, printed, red } of await failureEnds(folder, state, facts)) {
    tails.set(task, {
      ...(red === null ? pickLastLines(printed) : pickLines(printed)),
      log: folder.log(attempt),
      textPath: red === null ? null : folder.textPath(red),
    });
  }
  return tails;
}

/** TAP ends with counters. */
function pickLines(printed: string): Pick<Tail, "lines" | "isFirstFailure"> {
  const lines = listFailureLines(terminalText(printed), FAILURE_LINES);
  return lines === null ? pickLastLines(printed) : { lines, isFirstFailure: true };
}

const pickLastLines = (printed: string): Pick<Tail, "lines" | "isFirstFailure"> => ({
  lines: lastLines(printed, LINES).map(terminalText),
  isFirstFailure: false,
});

/** What a task that failed, or its gate, printed last. */
type FailureEnd = {
  readonly task: TaskId;
  readonly attempt: AttemptId;
  readonly printed: string;
  /** The text of the red gate; null where it was no gate. */
  readonly red: TextHash | null;
};

export async function failureEnds(
  folder: RunFolder,
  state: RunState,
  facts: Iterable<Fact>,
): Promise<FailureEnd[]> {
  const reds = redOutputs();
  for (const fact of facts) reds.watch(fact);
  const ends: FailureEnd[] = [];
  for (const { task, failure, of } of failedTasks(state)) {
    const last = of.past.at(-1);
    if (last === undefined) continue;
    const isGate = failure.reason === "gate";
    const red = isGate ? reds.of(last.id) : null;
    // A gate that printed nothing has no last lines; those of the agent are not its own.
    const ofGate = red === null ? "" : ((await folder.text(red)) ?? "");
    const { work } = taskAt(state.index, state.index.indexOf.get(task) as number);
    const printed = isGate ? ofGate : await endOf(folder, last, work.kind);
    ends.push({ task, attempt: last.id, printed, red });
  }
  return ends;
}

/** What the agent said and did last; where it did neither, and for commands, the end of the log. */
async function endOf(
  folder: RunFolder,
  { id, ended }: PastAttempt,
  worker: Task["work"]["kind"],
): Promise<string> {
  const said = ended.said === null ? null : await folder.text(ended.said);
  const told = said ?? (await endOfFile(folder.transcript(id))).split("\n").flatMap(eventText).join("\n");
  if (told !== "") return told;
  const log = await endOfFile(folder.log(id));
  return worker === "command" ? log : log.split("\n").filter(isForPeople).join("\n");
}

/** Agents tell plait what they do as objects of JSON, one a line: whoever reads why one failed wants what stands between them. */
function isForPeople(line: string): boolean {
  if (!line.trimStart().startsWith("{")) return true;
  try {
    JSON.parse(line);
    return false;
  } catch {
    return true;
  }
}

/** One event as a line; what is no whole line of JSON was cut off by where we began to read. */
function eventText(line: string): string[] {
  let event: Partial<Record<"kind" | "text" | "name" | "target", unknown>>;
  try {
    event = JSON.parse(line);
  } catch {
    return [];
  }
  if (typeof event.text === "string") return [event.text];
  if (event.kind !== "tool") return [];
  return [`${event.name}${typeof event.target === "string" ? ` ${event.target}` : ""}`];
}

async function endOfFile(path: string): Promise<string> {
  const file = await open(path, "r").catch(() => null); // an attempt that never began has none
  if (file === null) return "";
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BYTES), 0, BYTES, from);
    const text = buffer.toString("utf8", 0, bytesRead);
    // What begins in the middle of a line is no line.
    return from === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } finally {
    await file.close();
  }
}
