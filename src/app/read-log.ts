// The log of a run or of one attempt: its facts and the words of the agent, from the beginning, and on request as they come.

import { open } from "node:fs/promises";
import { evolve } from "../core/evolve.ts";
import type { Fact } from "../core/facts.ts";
import { type AttemptId, splitAttemptId } from "../core/ids.ts";
import { parseFact } from "../core/parse-fact.ts";
import type { RunState } from "../core/run-state.ts";
import { isSettled } from "../core/run-tasks.ts";
import type { RunView } from "../core/run-view.ts";
import { type FactLog, factLog, type LoggedFact, logOfAttempt, ofAttempt } from "../core/select/run-log.ts";
import { get } from "../core/sorted-map.ts";
import { runFolder } from "../engines/local/run-folder.ts";
import { findTapSection } from "../gates/failed-checks.ts";
import { followJournal } from "../journal/follow.ts";
import { readJournal } from "../journal/read.ts";
import { lastLines } from "../process/tail.ts";
import type { TranscriptEntry } from "../report/page/wire.ts";
import { systemClock } from "../util/clock.ts";
import { ifMissing } from "../util/errno.ts";
import { terminalText } from "../util/terminal-text.ts";
import { type Host, type OrRefusal, refuse } from "./host.ts";
import { runMask } from "./run-mask.ts";
import { findRunProcess, type KnownRun, LIST_RUNS, readRun, repositoryOfRuns } from "./runs.ts";
import { type TaskDiff, taskDiff } from "./task-files.ts";
import { tailRawLog, tailTranscript } from "./transcript.ts";

export type LogItem =
  /** With what a red gate printed, in the log of a run only where it was the base check, and the file that holds all of it. */
  | {
      readonly kind: "fact";
      readonly logged: LoggedFact;
      readonly output: readonly string[];
      readonly path: string | null;
    }
  | { readonly kind: "entries"; readonly entries: readonly TranscriptEntry[] }
  | { readonly kind: "raw"; readonly text: string };

export type LogOptions = {
  /** Null is the run, without the words of agents. */
  readonly attempt: AttemptId | null;
  /** Goes on as more comes, until the run, its driver or the task is over. */
  readonly follow: boolean;
  /** When the next attempt of the task begins, go on with that one. */
  readonly goOn: boolean;
  /** The output of the program instead of its transcript, and no facts: as it was printed, or as a terminal may show it. */
  readonly raw: "printed" | "safe" | null;
  readonly show: (item: LogItem) => void;
  /** Nobody wants to know any more. */
  readonly signal?: AbortSignal;
};

const LOOK_MS = 200;

export async function readLog(known: KnownRun, options: LogOptions): Promise<void> {
  const { attempt, follow } = options;
  const log = factLog();
  const all = known.facts.map(log);
  const words = wordsOf(known, options, attempt);
  const past = attempt === null ? all : logOfAttempt(all, attempt);
  const begun = attempt === null ? past.length : past.findLastIndex(isBeginning) + 1;
  for (const logged of past.slice(0, begun)) await tell(known, options, logged);
  await words();
  for (const logged of past.slice(begun)) await tell(known, options, logged);
  if (follow) await goOn(known, options, { log, words });
}

const RED_LINES = 40;

async function tell(
  { folder }: KnownRun,
  { attempt, raw, show }: LogOptions,
  logged: LoggedFact,
): Promise<void> {
  if (raw !== null) return;
  const { fact } = logged;
  const red = fact.type === "gate.judged" && fact.verdict === "red" ? fact.output : null;
  const isShown = attempt !== null || isBaseVerdict(fact);
  const text = red === null || !isShown ? null : await folder.text(red);
  const output = text === null ? [] : pickLines(terminalText(text));
  const path = red === null || output.length === 0 ? null : folder.textPath(red);
  show({ kind: "fact", logged, output, path });
}

/** All of it where that is short, else the first failure in TAP, else the end. */
function pickLines(text: string): readonly string[] {
  const all = lastLines(text, Number.POSITIVE_INFINITY);
  if (all.length <= RED_LINES) return all;
  return findTapSection(text)?.slice(-RED_LINES) ?? all.slice(-RED_LINES);
}

/** It belongs to no task, whose log would show it. */
const isBaseVerdict = (fact: Fact): boolean =>
  fact.type === "gate.judged" && fact.asked.some(({ kind }) => kind === "base");

/** What the agent says comes after these, and before all others. */
const isBeginning = ({ fact: { type } }: LoggedFact): boolean =>
  type === "attempt.started" || type === "attempt.spawned";

type Words = () => Promise<void>;

/** Shows what the attempt has said since it was last asked. */
function wordsOf(known: KnownRun, { raw, show }: LogOptions, attempt: AttemptId | null): Words {
  if (attempt === null) return async () => undefined;
  if (raw !== null) {
    const more = tailRawLog(known, attempt);
    return async () => {
      const text = await more();
      if (text !== "") show({ kind: "raw", text: raw === "safe" ? terminalText(text) : text });
    };
  }
  const more = tailTranscript(known, attempt);
  return async () => {
    const entries = await more();
    if (entries.length > 0) show({ kind: "entries", entries });
  };
}

type Begun = { readonly log: FactLog; readonly words: Words };

async function goOn(known: KnownRun, options: LogOptions, { log, words: first }: Begun): Promise<void> {
  let [attempt, words, state] = [options.attempt, first, known.state];
  if (attempt !== null && !options.goOn && !isLastAttempt(state, attempt)) return;
  if (isTaskOver(state, attempt)) return;
  for await (const fact of moreFacts(known, options)) {
    if (fact === null || (fact.type === "attempt.ended" && fact.attempt === attempt)) await words();
    if (fact === null) continue;
    if (attempt !== null && fact.type === "attempt.started" && isSameTask(fact.attempt, attempt)) {
      if (!options.goOn) return;
      attempt = fact.attempt;
      words = wordsOf(known, options, attempt);
    }
    const logged = log(fact);
    const told = attempt === null ? logged : ofAttempt(logged, attempt, { isLast: true });
    if (told !== null) await tell(known, options, told);
    state = evolve(state, fact) ?? state;
    if (isTaskOver(state, attempt)) return;
  }
  await words();
}

/** Facts as they come, and null when there was none for a while. Ends when nobody drives the run any more. */
async function* moreFacts(
  known: KnownRun,
  { signal }: Pick<LogOptions, "signal">,
): AsyncGenerator<Fact | null, void> {
  const abort = new AbortController();
  const { journal } = known.folder;
  let seen = known.facts.length;
  const facts = followJournal<Fact>(journal, { parse: parseFact, from: seen + 1, signal: abort.signal });
  try {
    for (let next = facts.next(); ; ) {
      const step = await Promise.race([next, pause()]);
      if (signal?.aborted) return;
      if (step === null && (await findRunProcess(known.folder)) === null) break;
      if (step?.done === true) return;
      if (step !== null) {
        seen += 1;
        next = facts.next();
      }
      yield step?.value.fact ?? null;
    }
    // What it wrote between our last look and its end.
    yield* (await readJournal<Fact>(journal, { parse: parseFact })).facts.slice(seen);
  } finally {
    abort.abort();
    await facts.return(); // where it stands at a fact that nobody took, it still has the file open
  }
}

function pause(): Promise<null> {
  return new Promise((resolve) => void systemClock.setTimer(LOOK_MS, () => resolve(null)));
}

const isSameTask = (a: AttemptId, b: AttemptId): boolean => splitAttemptId(a).task === splitAttemptId(b).task;

function isLastAttempt(state: RunState, attempt: AttemptId): boolean {
  const { task, n } = splitAttemptId(attempt);
  const i = state.index.indexOf.get(task);
  return i !== undefined && get(state.tasks, i)?.started === n;
}

function isTaskOver(state: RunState, attempt: AttemptId | null): boolean {
  if (state.ended !== null) return true;
  const i = attempt === null ? undefined : state.index.indexOf.get(splitAttemptId(attempt).task);
  const phase = i === undefined ? undefined : get(state.tasks, i)?.phase;
  return phase !== undefined && isSettled(phase);
}

export type RunTexts = {
  /** From its beginning, and on until the attempt is over or nobody wants to know any more. */
  readonly log: (
    attempt: AttemptId,
    hear: { readonly show: (item: LogItem) => void; readonly signal: AbortSignal },
  ) => Promise<OrRefusal<unknown>>;
  /** Masked, as the log beside it is: a screen is looked at by others too, and is no patch (I13). */
  readonly diff: (attempt: AttemptId) => Promise<OrRefusal<TaskDiff>>;
  /** As a terminal may show it; null where it was given none, or none is kept. */
  readonly prompt: (attempt: AttemptId) => Promise<string | null>;
};

/** More than anybody reads at a terminal. */
const MOST_BYTES = 1024 * 1024;

export function runTexts(host: Host, { run, folder: path }: Pick<RunView, "run" | "folder">): RunTexts {
  const known = async (): Promise<OrRefusal<{ known: KnownRun }>> => {
    const read = await readRun(path, run);
    if (read !== null) return { ok: true, known: read };
    return refuse("environment", `the folder of ${run} is missing: ${path}`, LIST_RUNS);
  };
  return {
    log: async (attempt, { show, signal }) => {
      const found = await known();
      if (!found.ok) return found;
      await readLog(found.known, { attempt, follow: true, goOn: false, raw: null, show, signal });
      return { ok: true };
    },
    diff: async (attempt) => {
      const [found, place] = [await known(), await repositoryOfRuns(host)];
      if (!found.ok) return found;
      if (!place.ok) return place;
      const of = { known: found.known, repository: place.repository };
      const mask = await runMask(host, { repository: place.repository, folder: found.known.folder });
      return taskDiff(of, attempt, { maxBytes: MOST_BYTES, stat: false, mask });
    },
    prompt: async (attempt) => startOf(runFolder(path).prompt(attempt)),
  };
}

async function startOf(path: string): Promise<string | null> {
  const file = await open(path, "r").catch(ifMissing(null));
  if (file === null) return null;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
    return terminalText(buffer.toString("utf8", 0, bytesRead));
  } finally {
    await file.close();
  }
}
