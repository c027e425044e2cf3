// What a run of a cpo folder leaves in it: logs/orchestrator.log, one log a task, report.json. They lie where people and scripts
// look for them, they are untracked, and whatever goes wrong with them is told and changes nothing of the run.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Fact } from "../../core/facts.ts";
import { type AttemptId, splitAttemptId } from "../../core/ids.ts";
import type { Task } from "../../core/plan.ts";
import type { PastAttempt, RunState } from "../../core/run-state.ts";
import type { RunView } from "../../core/run-view.ts";
import { pickShownAttempt } from "../../core/select/attempt-number.ts";
import { commandText } from "../../core/select/preview/commands.ts";
import { get, values } from "../../core/sorted-map.ts";
import { type RunFolder, runFolder } from "../../engines/local/run-folder.ts";
import { countCommits, isGitFailure, type Repository, trackedIn } from "../../git/index.ts";
import { failedText } from "../../report/cpo/outline.ts";
import { cpoReport } from "../../report/cpo/report.ts";
import { logFoot, logHead } from "../../report/cpo/task-log.ts";
import { errnoOf } from "../../util/errno.ts";
import type { Host, OrRefusal } from "../host.ts";
import { maskTexts, runMask } from "../run-mask.ts";
import { repositoryOfRuns } from "../runs.ts";
import { type Part, realFolder, replaceFile, writeInto } from "../safe-file.ts";
import { findUnlogged, lastLineOf, type Started, startedByLog } from "./catch-up.ts";

export type CpoFiles = {
  /** Takes part in the run: writes the logs of its tasks as attempts begin and end. */
  readonly heard: (fact: Fact, after: RunState, before: RunState) => void;
  /** Writes the logs of attempts that were made while nobody listened. */
  readonly catchUp: (facts: readonly Fact[], state: RunState) => void;
  /** The last line of logs/orchestrator.log; null where there is none. */
  readonly lastLine: () => Promise<string | null>;
  /** A line of logs/orchestrator.log. */
  readonly log: (line: string) => void;
  /** How many commits an attempt made that is over. */
  readonly commits: (attempt: AttemptId, state: RunState) => Promise<number>;
  /** Writes report.json, and waits for all the rest. */
  readonly finish: (state: RunState) => Promise<Written>;
};

const LOGS = "logs";
const ORCHESTRATOR = "orchestrator.log";
const REPORT = "report.json";

/** `named` is the folder as typed, `folder` where it is. */
export async function openCpoFiles(
  host: Host,
  view: Pick<RunView, "folder">,
  { named, folder }: { readonly named: string; readonly folder: string },
): Promise<OrRefusal<{ files: CpoFiles }>> {
  const found = await repositoryOfRuns(host);
  if (!found.ok) return found;
  const { repository } = found;
  const tracked = new Set(await trackedIn(repository, folder, [LOGS]));
  const run = runFolder(view.folder);
  const mask = await runMask(host, { repository, folder: run });
  return { ok: true, files: cpoFiles({ repository, run, named, folder, tracked, mask }) };
}

type Place = {
  readonly repository: Repository;
  readonly run: RunFolder;
  readonly named: string;
  readonly folder: string;
  readonly mask: (text: string) => string;
  /** Logs that are somebody's files. */
  readonly tracked: ReadonlySet<string>;
};

function cpoFiles(place: Place): CpoFiles {
  const { named, folder } = place;
  const writes = orderedWrites(named);
  const counts = new Map<AttemptId, Promise<number>>();

  const append = (name: string, parts: () => Promise<readonly Part[]>): void => {
    const path = join(LOGS, name);
    writes.add(path, async () => {
      if (place.tracked.has(path)) throw new Error("git tracks it");
      await realFolder(join(folder, LOGS));
      await writeInto(join(folder, path), await parts(), "append");
      return LOGS;
    });
  };

  const commits = (attempt: AttemptId, state: RunState): Promise<number> => {
    const known = counts.get(attempt) ?? commitsOf(place.repository, pastAttempt(state, attempt));
    counts.set(attempt, known);
    return known;
  };

  return {
    log: (line) => append(ORCHESTRATOR, async () => [`${line}\n`]),
    lastLine: () => lastLineOf(join(folder, LOGS, ORCHESTRATOR)),
    commits,
    catchUp: (facts, state) => {
      for (const [name, started] of startedByLog(facts)) {
        append(name, async () => {
          const missed = await findUnlogged(join(folder, LOGS, name), state.run, started);
          return (await Promise.all(missed.map((fact) => wholeLog(place, fact, { state, commits })))).flat();
        });
      }
    },
    heard: (fact, after, before) => {
      if (fact.type === "attempt.started") {
        const head = headOf(place, fact, after);
        if (head !== null) append(head.name, async () => [head.text]);
      }
      for (const { task, attempt } of settledAttempts(after, before)) {
        append(`${task.id}.log`, async () => [
          { file: place.run.log(attempt.id) },
          footOf(task, attempt, await commits(attempt.id, after)),
        ]);
      }
    },
    finish: async (state) => {
      writes.add(REPORT, async () => {
        const next = `git rm --cached ${join(named, REPORT)}`;
        if ((await trackedIn(place.repository, folder, [REPORT])).length > 0)
          throw new Error(`git tracks it; to stop that: ${next}`);
        const report = maskTexts(await gatheredReport(place, state, commits), place.mask);
        await replaceFile(join(folder, REPORT), `${JSON.stringify(report, null, 2)}\n`);
        return REPORT;
      });
      return writes.settled();
    },
  };
}

type LogSource = { readonly state: RunState; readonly commits: CpoFiles["commits"] };

/** All that a log has of an attempt; nothing where it is not over. */
async function wholeLog(
  place: Place,
  fact: Started,
  { state, commits }: LogSource,
): Promise<readonly Part[]> {
  const head = headOf(place, fact, state);
  const attempt = pastAttempt(state, fact.attempt);
  const task = state.index.plan.tasks.find(({ id }) => id === splitAttemptId(fact.attempt).task);
  if (head === null || attempt === null || task === undefined) return [];
  const foot = footOf(task, attempt, await commits(attempt.id, state));
  return [head.text, { file: place.run.log(attempt.id) }, foot];
}

function headOf(
  { named, run: at }: Place,
  fact: Started,
  { index, run }: RunState,
): { name: string; text: string } | null {
  const { task: id, n } = splitAttemptId(fact.attempt);
  const task = index.plan.tasks.find((one) => one.id === id);
  if (task === undefined) return null;
  const { work } = task;
  // Put together of several files, a prompt is only where the attempt got it from.
  const prompt = (file: string | null) => (file === null ? at.prompt(fact.attempt) : join(named, file));
  return {
    name: `${id}.log`,
    text: logHead({
      ...{ task: id, run, attempt: n, startedAt: fact.at, worktree: fact.worktree },
      work: work.kind === "agent" ? { prompt: prompt(work.prompt.file) } : { command: commandText(work.run) },
    }),
  };
}

function footOf(task: Task, { failure, ended, settledAt }: PastAttempt, commits: number): string {
  const why = failure === null ? "" : failedText(failure, task);
  return logFoot({ endedAt: settledAt, commits, failure, exit: ended.exit, why });
}

function settledAttempts(after: RunState, before: RunState): { task: Task; attempt: PastAttempt }[] {
  if (after.tasks === before.tasks) return [];
  return after.index.plan.tasks.flatMap((task, i) => {
    const [is, was] = [get(after.tasks, i)?.past ?? [], get(before.tasks, i)?.past ?? []];
    if (is === was) return [];
    const known = new Set(was.map(({ id }) => id));
    return is.filter(({ id }) => !known.has(id)).map((attempt) => ({ task, attempt }));
  });
}

function pastAttempt(state: RunState, id: AttemptId): PastAttempt | null {
  for (const { past } of values(state.tasks)) {
    const found = past.find((attempt) => attempt.id === id);
    if (found !== undefined) return found;
  }
  return null;
}

async function commitsOf(repository: Repository, attempt: PastAttempt | null): Promise<number> {
  if (attempt === null || !attempt.saved.changed) return 0;
  const range = { from: attempt.base.commit, to: attempt.saved.result.commit };
  return countCommits(repository, range).catch((error: unknown) => {
    if (isGitFailure(error, "not-found", "corrupt")) return 0; // cleaned away since
    throw error;
  });
}

async function gatheredReport(place: Place, state: RunState, commits: CpoFiles["commits"]) {
  const told = [...values(state.tasks)].flatMap((task) => pickShownAttempt(task) ?? []);
  const said = new Map<AttemptId, string>();
  const counts = new Map<AttemptId, number>();
  for (const { id, ended } of told) {
    const text = ended.said === null ? null : await place.run.text(ended.said);
    if (text !== null) said.set(id, text);
    counts.set(id, await commits(id, state));
  }
  return cpoReport(state, { ...(await namesOf(place.folder)), said, commits: counts });
}

/** Of both generations; what cannot be read is not told. */
async function namesOf(folder: string): Promise<{ techSpecId: string | null; name: string | null }> {
  const manifest: unknown = await readFile(join(folder, "manifest.json"), "utf8")
    .then(JSON.parse)
    .catch(() => null); // it was read when the run started; the report is about that run
  const of = (value: unknown, key: string): unknown =>
    typeof value === "object" && value !== null && Object.hasOwn(value, key)
      ? (value as Record<string, unknown>)[key]
      : null;
  const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
  const spec = of(manifest, "tech_spec");
  return {
    techSpecId: text(of(manifest, "tech_spec_id")) ?? text(of(spec, "id")),
    name: text(of(manifest, "name")) ?? text(of(spec, "title")),
  };
}

type Written = {
  /** Files and folders, as their folder was named. */
  readonly files: readonly string[];
  /** Sentences about what could not be written, each once. */
  readonly problems: readonly string[];
};

/** Writes below a folder, one after another, so that each file tells things in their order. None holds up who asks for it. */
type OrderedWrites = {
  /** `what` is for the sentence about its failure; `work` gives what is there now. Both below the folder. */
  readonly add: (what: string, work: () => Promise<string>) => void;
  readonly settled: () => Promise<Written>;
};

function orderedWrites(named: string): OrderedWrites {
  const files = new Set<string>();
  const problems = new Set<string>();
  let last: Promise<void> = Promise.resolve();
  return {
    add: (what, work) => {
      last = last
        .then(work)
        .then((path) => void files.add(join(named, path)))
        .catch(
          (error: unknown) => void problems.add(`cannot write ${join(named, what)}: ${reasonOf(error)}`),
        );
    },
    settled: async () => {
      await last;
      return { files: [...files], problems: [...problems] };
    },
  };
}

function reasonOf(error: unknown): string {
  if (errnoOf(error) === "ELOOP") return "it is a link";
  return error instanceof Error ? error.message : String(error);
}
