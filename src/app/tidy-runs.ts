// At the start of a run, earlier ones that nobody needs any more go by themselves: those that are older than they are kept,
// and the oldest of them when all runs together take more room than they may. Only where nothing can be lost: the run is
// complete, everything that it made is on its target, and nobody stands on a branch of it. All others stay, and are named.

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Keep } from "../config/merge.ts";
import type { EpochMs } from "../core/facts.ts";
import { parseRunId, type RefName, type RunId } from "../core/ids.ts";
import type { RunState } from "../core/run-state.ts";
import { hasSucceeded } from "../core/select/run-status.ts";
import { values } from "../core/sorted-map.ts";
import { type CommandFlags, plait } from "../core/text/command.ts";
import { count, listed, sizeText } from "../core/text/figures.ts";
import { fix, plainText } from "../core/text/sentence.ts";
import { type RunFolder, runFolder, writeWhole } from "../engines/local/run-folder.ts";
import { integrationRef, mergedInto, type Repository, readRefs } from "../git/index.ts";
import { cleanRun } from "./clean-runs.ts";
import { folderBytes } from "./folders.ts";
import { clockOf, type Host, runsFolder } from "./host.ts";
import { changedConfig } from "./restore-config.ts";
import { readRun, runNames } from "./runs.ts";

export type Tidied = {
  /** What went, in one sentence; null where nothing did. */
  readonly removed: string | null;
  /** What is over what is kept and stays all the same. */
  readonly warnings: readonly string[];
};

const DAY_MS = 24 * 3_600_000;
/** More than these go, or are looked at for the first time, at the start of the next runs. */
const MOST_REMOVED = 10;
const MOST_READ = 20;
const MOST_NAMED = 3;

type MarkedRun = RunMark & { readonly run: RunId };

/** `own` has just begun. Whatever goes wrong is told: it keeps no run from going on. */
export async function tidyRuns(
  host: Host,
  repository: Repository,
  { keep, own }: { readonly keep: Keep; readonly own: RunId },
): Promise<Tidied> {
  try {
    const all = await markedRuns(repository, own);
    const before = clockOf(host).now() - keep.days * DAY_MS;
    const chosen = choose(all, await spentRuns(repository, all), { before, bytes: keep.bytes });
    const gone = new Set<RunId>();
    for (const { run } of chosen.slice(0, MOST_REMOVED))
      if (await removeSpent(host, repository, run)) gone.add(run);
    const removed = chosen.filter(({ run }) => gone.has(run));
    const waits = new Set(chosen.slice(MOST_REMOVED).map(({ run }) => run));
    const stays = all.filter(({ run }) => !gone.has(run) && !waits.has(run));
    return {
      removed: removedText(removed, keep, before),
      warnings: warningsOf(stays, {
        keep,
        before,
        where: repository.standsInFor === null ? "repository" : "folder",
      }),
    };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { removed: null, warnings: [`cannot remove old runs: ${detail}`] };
  }
}

/** Oldest first. */
async function markedRuns(repository: Repository, own: RunId): Promise<MarkedRun[]> {
  const top = runsFolder(repository);
  const runs = (await runNames(repository)).flatMap((name) => {
    const parsed = parseRunId(name);
    return parsed.ok && parsed.id !== own ? [parsed.id] : [];
  });
  const marks = await Promise.all(runs.map((run) => readMark(runFolder(join(top, run)))));
  const found = runs.flatMap((run, i): MarkedRun[] => {
    const mark = marks[i] ?? null;
    return mark === null ? [] : [{ run, ...mark }];
  });
  const unmarked = runs.filter((_, i) => marks[i] === null);
  for (const run of unmarked.slice(0, MOST_READ)) {
    const known = await readRun(join(top, run), run).catch(() => null); // damaged: `plait runs` tells of it
    if (known?.driver === null) found.push({ run, ...(await markRun(known.folder, known.state)) });
  }
  return found.sort((a, b) => a.at - b.at);
}

/** Those of which nothing is left that is not on their target. */
async function spentRuns(repository: Repository, all: readonly MarkedRun[]): Promise<MarkedRun[]> {
  const spent = all.filter(({ isSpent }) => isSpent);
  if (spent.length === 0) return [];
  const branches = await readRefs(repository, "refs/heads/plait");
  const merged = new Map<string, ReadonlySet<string>>();
  const found: MarkedRun[] = [];
  for (const one of spent) {
    const branch = integrationRef(one.run);
    if (branches.has(branch)) {
      const { target } = one;
      if (target === null) continue;
      const there = merged.get(target) ?? (await mergedInto(repository, target, "refs/heads/plait"));
      merged.set(target, there);
      if (!there.has(branch)) continue;
    }
    found.push(one);
  }
  return found;
}

function choose(
  all: readonly MarkedRun[],
  spent: readonly MarkedRun[],
  { before, bytes }: { readonly before: number; readonly bytes: number },
): MarkedRun[] {
  let left = bytesOf(all);
  return spent.filter((one) => {
    if (one.at >= before && left <= bytes) return false;
    left -= one.bytes;
    return true;
  });
}

const bytesOf = (runs: readonly RunMark[]): number => runs.reduce((sum, { bytes }) => sum + bytes, 0);

/** Its journal is asked once more: since the mark was made somebody may have taken the run up again. */
async function removeSpent(host: Host, repository: Repository, run: RunId): Promise<boolean> {
  const known = await readRun(join(runsFolder(repository), run), run);
  if (known === null || known.driver !== null || !hasSucceeded(known.state)) return false;
  // The only copies of what somebody may want back.
  if ((await changedConfig(known.folder)).length > 0) return false;
  return (await cleanRun({ host, repository, dryRun: false, force: false }, known)).removed !== null;
}

function removedText(removed: readonly MarkedRun[], keep: Keep, before: number): string | null {
  if (removed.length === 0) return null;
  const isOld = removed.every(({ at }) => at < before);
  const why = isOld ? `older than ${count(keep.days, "day")}` : `to stay below ${sizeText(keep.bytes)}`;
  const what = `removed ${count(removed.length, "run")} ${why} (${sizeText(bytesOf(removed))})`;
  return `${what}; keep: { ${isOld ? "days" : "bytes"}: ... } in your configuration changes this`;
}

type Limits = { readonly keep: Keep; readonly before: number; readonly where: string };

function warningsOf(stays: readonly MarkedRun[], { keep, before, where }: Limits): string[] {
  const old = stays.filter(({ at }) => at < before);
  const bytes = bytesOf(stays);
  const largest = [...stays].sort((a, b) => b.bytes - a.bytes);
  const warnings: [boolean, string][] = [
    [
      old.length > 0,
      `${count(old.length, "run")} older than ${count(keep.days, "day")} may have work that is saved nowhere else: ${named(old)}; ${formatPreview({})}`,
    ],
    [
      bytes > keep.bytes,
      `The runs of this ${where} take ${sizeText(bytes)}, more than ${sizeText(keep.bytes)}: ${named(largest)}; ${formatPreview({ days: 0 })}`,
    ],
  ];
  return warnings.flatMap(([holds, text]) => (holds ? [text] : []));
}

const formatPreview = (flags: CommandFlags): string =>
  plainText(fix("see what would be removed", plait("clean", [], { ...flags, "dry-run": true })));

function named(runs: readonly MarkedRun[]): string {
  const more = runs.length - MOST_NAMED;
  const names = runs.slice(0, MOST_NAMED).map(({ run }) => run);
  return more > 0 ? `${names.join(", ")} and ${more} more` : listed(names);
}

/**
 * What tidying up has to know of a run, in a small file beside its journal, because reading hundreds of journals takes seconds. It
 * holds as long as the journal has the length that it was made of.
 */
type RunMark = {
  readonly journalBytes: number;
  /** When it ended; while it has not, when its last fact was written. */
  readonly at: EpochMs;
  /** Complete, and everything that any attempt changed is merged. */
  readonly isSpent: boolean;
  readonly target: RefName | null;
  /** Of the whole folder. */
  readonly bytes: number;
};

/** For a run that nobody drives, or by its driver at its end. */
export async function markRun(folder: RunFolder, state: RunState): Promise<RunMark> {
  const mark: RunMark = {
    journalBytes: (await stat(folder.journal)).size,
    at: state.ended?.at ?? state.clock,
    isSpent: isSpent(state),
    target: state.target,
    bytes: await folderBytes(folder.path),
  };
  await writeWhole(folder.mark, `${JSON.stringify(mark)}\n`);
  return mark;
}

/** Null where there is none that holds. */
async function readMark(folder: RunFolder): Promise<RunMark | null> {
  try {
    const [text, { size }] = await Promise.all([readFile(folder.mark, "utf8"), stat(folder.journal)]);
    const mark = JSON.parse(text) as RunMark; // written whole by this file
    return mark.journalBytes === size ? mark : null;
  } catch {
    return null; // whatever is wrong with it, the journal tells the same
  }
}

function isSpent(state: RunState): boolean {
  if (!hasSucceeded(state)) return false;
  return [...values(state.tasks)].every(({ phase, past, open }) => {
    if (open !== null) return false;
    const merged = phase.kind === "merged" ? phase.attempt : null;
    return past.every(
      ({ id, saved }) => saved.kept === null && saved.stays === null && (!saved.changed || id === merged),
    );
  });
}
