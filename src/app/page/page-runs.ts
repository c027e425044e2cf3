// Everything the web UI reads about the runs of a repository, from their folders and from git: masked (I13) and limited in
// size (I10).

import { basename, join } from "node:path";
import type { RunAction } from "../../core/decide.ts";
import { type AttemptId, attemptId, parseRunId, parseTaskId, type RunId, textHash } from "../../core/ids.ts";
import { plait } from "../../core/text/command.ts";
import { fix, plainText } from "../../core/text/sentence.ts";
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
import { isThere } from "../folders.ts";
import {
  type Host,
  nestedRefusal,
  type OrRefusal,
  type Refusal,
  type Refused,
  refuse,
  runsFolder,
} from "../host.ts";
import { type Mask, maskTexts, runMask } from "../run-mask.ts";
import { type FoundRun, findTask, LIST_RUNS, readRunOrDamage, repositoryOfRuns, runNames } from "../runs.ts";
import { attemptDiff, findAttempt } from "../task-files.ts";
import { transcriptPage } from "../transcript.ts";
import { cutFile } from "./cut-text.ts";
import { createFeeds, type Feeds, openRunFeed, type RunFeed } from "./run-feed.ts";
import { runSummaries } from "./run-summaries.ts";

export type AttemptNames = { readonly run: string; readonly task: string; readonly n: number };

/** Names are those of the request. Refusals of kind `request` are about things that do not exist. */
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
  /** Starts a process for actions on runs that have none. */
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
    session: describeSession(host, repository, { run: options.run, canAct: nested === null }),
    runs: runSummaries(host, repository),
    look: (run) => lookAt(place, feeds, run),
    text: (run, hash) => textOf(place, run, hash),
    ...attemptDocuments(place),
    act: oneByOne(async (run, action) => {
      if (nested !== null) return toAnswer(nested);
      return act(host, { run, action, program: options.program });
    }),
    close: feeds.close,
  };
  return { ok: true, runs };
}

type Place = { readonly host: Host; readonly repository: Repository };

/** What a page knows before it asks for a run. */
export function describeSession(
  { version }: Host,
  { standsInFor, workTree, commonDir }: Repository,
  asked: Pick<Session, "run" | "canAct">,
): Session {
  const path = standsInFor ?? workTree ?? commonDir;
  return { v: WIRE_VERSION, version, repository: { name: basename(path), path }, ...asked };
}

/** Includes runs whose journal is damaged: the web UI shows the part before the damage, and what to do. */
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
  return refuse("request", "this text is no longer saved", LIST_RUNS);
}

const NOTHING_SAID: TranscriptPage = { entries: [], next: "0", hasMore: false };

/** Everything but the diff is in a file named after the attempt, so the journal is not read for it. */
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
  refuse("request", `unknown task in ${run}`, fix("list the tasks", plait("status", run)));

/**
 * For an attempt without output: a refusal if it does not exist, null if it has started. Started attempts are remembered, so
 * that repeated requests do not read the journal again. An unreadable journal refuses nothing: the attempt may exist.
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
  const known = folder === null ? null : await readRunOrDamage(folder.path, run);
  if (known === null) return unknown(run);
  if ("problem" in known) return refuse("environment", known.problem, known.hint);
  return { ok: true, repository, known };
}

/** Reads the repository again: the user may have switched branches since the web UI was opened. */
async function act(
  host: Host,
  asked: { readonly run: string; readonly action: RunAction; readonly program: DriverProgram },
): Promise<ActionAnswer> {
  const opened = await repositoryOfRuns(host);
  const found = opened.ok ? await runOf({ host, repository: opened.repository }, asked.run) : opened;
  const acted = found.ok ? await actOnRun(host, found, asked.action, asked.program) : found;
  if (acted.ok) return { ok: true };
  const answer = toAnswer(acted.refusal);
  if (!found.ok) return answer;
  const place = { repository: found.repository, folder: found.known.folder };
  return maskTexts(answer, await runMask(host, place)); // a driver's message may name a secret
}

const toAnswer = ({ message, hint }: Refusal) => ({ ok: false as const, message, hint: plainText(hint) });

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

/** Null for an unknown run. Names come from requests, so only valid run names become paths. */
async function folderOf(repository: Repository, run: string): Promise<RunFolder | null> {
  if (!parseRunId(run).ok || !(await runNames(repository)).includes(run)) return null;
  const folder = runFolder(join(runsFolder(repository), run));
  return (await isThere(folder.journal)) ? folder : null;
}

function unknown(run: string) {
  const name = JSON.stringify(run.slice(0, 64));
  return refuse("request", `unknown run ${name}`, LIST_RUNS);
}
