// Everything that a page asks about the runs of a repository: read from their folders and from git, masked (I13) and cut to a
// size that a page can take (I10).

import { basename, join } from "node:path";
import { type AttemptId, attemptId, parseRunId, parseTaskId, type RunId, textHash } from "../../core/ids.ts";
import type { RunAction } from "../../core/run-action.ts";
import { type RunFolder, runFolder } from "../../engines/local/run-folder.ts";
import type { Repository } from "../../git/index.ts";
import {
  type ActionAnswer,
  type CutText,
  type DiffDocument,
  type RunsDocument,
  type Session,
  type TranscriptPage,
  WIRE_VERSION,
} from "../../report/page/wire.ts";
import { actOnRun, type DriverProgram } from "../act-on-run.ts";
import { type Host, nestedRefusal, type OrRefusal, type Refused, refuse, runsFolder } from "../host.ts";
import { isThere } from "../is-there.ts";
import { maskTexts } from "../mask-texts.ts";
import { type Mask, runMask } from "../run-mask.ts";
import { type FoundRun, findTask, readOrTell, repositoryOfRuns, runNames } from "../runs.ts";
import { findAttempt } from "../task-files.ts";
import { attemptDiff } from "./attempt-diff.ts";
import { cutFile } from "./cut-text.ts";
import { createFeeds, type Feeds } from "./feeds.ts";
import { openRunFeed, type RunFeed } from "./run-feed.ts";
import { runSummaries } from "./run-summaries.ts";
import { transcriptPage } from "./transcript-page.ts";

/** An attempt by the names that somebody sent. */
export type AttemptNames = { readonly run: string; readonly task: string; readonly n: number };

/** Names are as somebody sent them. Refusals of kind `request` are about what does not exist. */
export type PageRuns = {
  readonly session: Session;
  readonly runs: () => Promise<RunsDocument>;
  readonly look: (run: string) => Promise<OrRefusal<{ feed: RunFeed; leave: () => void }>>;
  readonly text: (run: string, hash: string) => Promise<OrRefusal<{ text: CutText }>>;
  readonly prompt: (ref: AttemptNames) => Promise<OrRefusal<{ prompt: CutText | null }>>;
  readonly transcript: (
    ref: AttemptNames,
    from: string | null,
  ) => Promise<OrRefusal<{ page: TranscriptPage }>>;
  readonly log: (ref: AttemptNames) => Promise<OrRefusal<{ log: CutText }>>;
  /** Against the attempt of that number; null is what it began with. */
  readonly diff: (ref: AttemptNames, against: number | null) => Promise<OrRefusal<{ diff: DiffDocument }>>;
  readonly act: (run: string, action: RunAction) => Promise<ActionAnswer>;
  readonly close: () => void;
};

export type PageRunsOptions = {
  /** The run that was asked for; null shows all. */
  readonly run: RunId | null;
  /** Starts drivers for what is asked of runs that nobody drives. */
  readonly program: DriverProgram;
};

const MOST_BYTES = 2 * 1024 * 1024;

export async function openPageRuns(
  host: Host,
  options: PageRunsOptions,
): Promise<OrRefusal<{ runs: PageRuns }>> {
  const found = await repositoryOfRuns(host);
  if (!found.ok) return found;
  const { repository } = found;
  const place: Place = { host, repository };
  const feeds = createFeeds();
  const nested = nestedRefusal(host);
  const runs: PageRuns = {
    session: sessionOf(place, { run: options.run, canAct: nested === null }),
    runs: runSummaries(host, repository),
    look: (run) => lookAt(place, feeds, run),
    text: (run, hash) => textOf(place, run, hash),
    ...attemptDocuments(place),
    act: oneByOne(async (run, action) => {
      if (nested !== null) return { ok: false, message: nested.message, hint: nested.hint };
      return act(host, { run, action, program: options.program });
    }),
    close: feeds.close,
  };
  return { ok: true, runs };
}

type Place = { readonly host: Host; readonly repository: Repository };

function sessionOf(
  { host, repository }: Place,
  asked: { readonly run: RunId | null; readonly canAct: boolean },
): Session {
  const path = repository.standsInFor ?? repository.workTree ?? repository.commonDir;
  return { v: WIRE_VERSION, version: host.version, repository: { name: basename(path), path }, ...asked };
}

/** Also a run whose journal cannot be read: the page shows what comes before the damage, and what to do. */
async function lookAt(
  { host, repository }: Place,
  feeds: Feeds,
  run: string,
): Promise<OrRefusal<{ feed: RunFeed; leave: () => void }>> {
  const folder = await folderOf(repository, run);
  if (folder === null) return unknown(run);
  return { ok: true, ...feeds.look(folder.path, () => openRunFeed(host, { repository, folder })) };
}

async function textOf(
  { host, repository }: Place,
  run: string,
  hash: string,
): Promise<OrRefusal<{ text: CutText }>> {
  const folder = await folderOf(repository, run);
  if (folder === null) return unknown(run);
  const path = /^[0-9a-f]{64}$/.test(hash) ? folder.textPath(textHash(hash)) : null;
  const text =
    path === null ? null : await cutFile(path, MOST_BYTES, await runMask(host, { repository, folder }));
  if (text !== null) return { ok: true, text };
  return refuse("request", "this text is not kept", "it went with what plait clean removed");
}

const NOTHING_SAID: TranscriptPage = { entries: [], next: "0", hasMore: false };

/** What belongs to one attempt. All but the diff is in a file that its name tells: no journal is read for what is there. */
function attemptDocuments(place: Place): Pick<PageRuns, "prompt" | "transcript" | "log" | "diff"> {
  const { host, repository } = place;
  const begun = begunAttempts(place);
  const at = async <T>(names: AttemptNames, read: (place: AttemptPlace) => Promise<T | null>, empty: T) => {
    const folder = await folderOf(repository, names.run);
    const named = parseTaskId(names.task);
    if (folder === null) return unknown(names.run);
    if (!named.ok) return noTask(names);
    const mask = await runMask(host, { repository, folder });
    const found = await read({ folder, attempt: attemptId(named.id, names.n), mask });
    if (found !== null) return { ok: true as const, found };
    const refusal = await begun(names);
    return refusal ?? { ok: true as const, found: empty };
  };
  return {
    prompt: async (ref) => {
      const read = ({ folder, attempt, mask }: AttemptPlace) =>
        cutFile(folder.prompt(attempt), MOST_BYTES, mask);
      const prompt = await at<CutText | null>(ref, read, null);
      return prompt.ok ? { ok: true, prompt: prompt.found } : prompt;
    },
    transcript: async (ref, from) => {
      const read = async ({ folder, attempt, mask }: AttemptPlace) => {
        const page = await transcriptPage(folder.transcript(attempt), from);
        return page.next === NOTHING_SAID.next ? null : maskTexts(page, mask);
      };
      const page = await at(ref, read, NOTHING_SAID);
      return page.ok ? { ok: true, page: page.found } : page;
    },
    log: async (ref) => {
      const read = ({ folder, attempt, mask }: AttemptPlace) =>
        cutFile(folder.log(attempt), MOST_BYTES, mask);
      const log = await at(ref, read, { text: "", cutBytes: 0 });
      return log.ok ? { ok: true, log: log.found } : log;
    },
    diff: (ref, against) => diffOf(place, ref, against),
  };
}

type AttemptPlace = { readonly folder: RunFolder; readonly attempt: AttemptId; readonly mask: Mask };

const noTask = ({ run }: AttemptNames): Refused =>
  refuse("request", `there is no such task in ${run}`, `see its tasks: plait status ${run}`);

/**
 * Of an attempt that has written nothing: why there is no such attempt, or null where it has begun. That one has begun stays so:
 * who asks again and again makes nobody read the journal anew. What cannot be read refuses nothing: its attempts may be there.
 */
function begunAttempts(place: Place): (names: AttemptNames) => Promise<Refused | null> {
  const known = new Set<string>();
  return async (names) => {
    const { run, task, n } = names;
    const name = `${run}/${task}/${n}`;
    const found = known.has(name) ? null : await runOf(place, run);
    if (found === null) return null;
    if (!found.ok) return found.refusal.kind === "request" ? found : null;
    const named = findTask(found.known, task);
    if (!named.ok) return named;
    const attempt = findAttempt(found.known, named.task, n);
    if (!attempt.ok) return attempt;
    known.add(name);
    return null;
  };
}

async function diffOf(
  place: Place,
  { run, task: name, n }: AttemptNames,
  against: number | null,
): Promise<OrRefusal<{ diff: DiffDocument }>> {
  const found = await runOf(place, run);
  if (!found.ok) return found;
  const { known } = found;
  const named = findTask(known, name);
  if (!named.ok) return named;
  const { task } = named;
  for (const one of [n, against ?? n]) {
    const attempt = findAttempt(known, task, one);
    if (!attempt.ok) return attempt;
  }
  const other = against === null ? "base" : attemptId(task, against);
  const mask = await runMask(place.host, { repository: found.repository, folder: known.folder });
  const diff = await attemptDiff(found, attemptId(task, n), { against: other, mask });
  return { ok: true, diff: maskTexts(diff, mask) };
}

async function runOf({ repository }: Place, run: string): Promise<OrRefusal<FoundRun>> {
  const folder = await folderOf(repository, run);
  const known = folder === null ? null : await readOrTell(folder.path, run);
  if (known === null) return unknown(run);
  if ("problem" in known) return refuse("environment", known.problem, known.hint);
  return { ok: true, repository, known };
}

/** The repository is looked at again: the user may have switched branches since the page was opened. */
async function act(
  host: Host,
  {
    run,
    action,
    program,
  }: { readonly run: string; readonly action: RunAction; readonly program: DriverProgram },
): Promise<ActionAnswer> {
  const opened = await repositoryOfRuns(host);
  const found = opened.ok ? await runOf({ host, repository: opened.repository }, run) : opened;
  const acted = found.ok ? await actOnRun(host, found, action, program) : found;
  if (acted.ok) return { ok: true };
  const { message, hint } = acted.refusal;
  const told = { ok: false as const, message, hint };
  if (!found.ok) return told;
  const place = { repository: found.repository, folder: found.known.folder };
  return maskTexts(told, await runMask(host, place)); // also what a driver said
}

type Act = PageRuns["act"];

/** Two at once would start two drivers, of which one is refused. */
function oneByOne(act: Act): Act {
  const last = new Map<string, Promise<unknown>>();
  return (run, action) => {
    const before = last.get(run) ?? Promise.resolve();
    const answer = before.then(() => act(run, action));
    const settled = answer.catch(() => undefined);
    last.set(run, settled);
    void settled.then(() => {
      if (last.get(run) === settled) last.delete(run);
    });
    return answer;
  };
}

/** Null where there is no such run: names come from elsewhere, so what is no name of a run is none, and no path. */
async function folderOf(repository: Repository, run: string): Promise<RunFolder | null> {
  if (!parseRunId(run).ok || !(await runNames(repository)).includes(run)) return null;
  const folder = runFolder(join(runsFolder(repository), run));
  return (await isThere(folder.journal)) ? folder : null;
}

function unknown(run: string) {
  const name = JSON.stringify(run.slice(0, 64));
  return refuse("request", `there is no run ${name} here`, "list them: plait runs");
}
