import type { Fact } from "../../core/facts.ts";
import type { AttemptId, TextHash } from "../../core/ids.ts";
import type { Diffstat } from "../../core/landing-types.ts";
import type { Plan, TextRef } from "../../core/plan.ts";
import type { LiveAttempt, PastAttempt, RunState, TaskState } from "../../core/run-state.ts";
import { listTasks } from "../../core/run-tasks.ts";
import { pickShownAttempt } from "../../core/select/attempt-number.ts";
import { listNeeds } from "../../core/select/needs.ts";
import { values } from "../../core/sorted-map.ts";
import { formatRefusal } from "../../core/text/refusal.ts";
import { diffStats } from "../../git/index.ts";
import type { CutText, DiffDocument, TranscriptEntry } from "../../report/page/wire.ts";
import { cutFile } from "../page/cut-text.ts";
import { maskTexts } from "../run-mask.ts";
import type { FoundRun } from "../runs.ts";
import { taskDiff } from "../task-files.ts";
import { tailTranscript } from "../transcript.ts";
import { costOf, fitting, fittingEntries, type Item, LEFT_OUT, type Share, takenFrom } from "./fitting.ts";

/** What one thing that is wanted is in the file. */
export type Inlined = CutText | readonly TranscriptEntry[] | DiffDocument;

export type ItemSource = {
  readonly found: FoundRun;
  readonly mask: (text: string) => string;
  readonly changed: ChangedFiles;
  readonly most: number;
};

const KIB = 1024;
const MOST: { readonly [K in Wanted["kind"]]: number } = {
  text: 256 * KIB,
  diff: 512 * KIB,
  transcript: 512 * KIB,
  log: 256 * KIB,
  prompt: 128 * KIB,
};

export function itemOf(source: ItemSource, wanted: Wanted): Item<Inlined> {
  const { folder } = source.found.known;
  const most = Math.min(MOST[wanted.kind], source.most);
  switch (wanted.kind) {
    case "text":
      return { most, read: (bytes) => readFile(source, folder.textPath(wanted.hash), bytes) };
    case "prompt":
      return { most, read: (bytes) => readFile(source, folder.prompt(wanted.attempt), bytes) };
    case "log":
      return {
        most,
        read: async (bytes) => {
          const log = await readFile(source, folder.log(wanted.attempt), bytes);
          return log.value === null && log.state === "whole" ? { ...log, value: NOTHING } : log;
        },
      };
    case "transcript":
      return { most, read: (bytes) => readTranscript(source, wanted.attempt, bytes) };
    case "diff":
      return { most, read: (bytes) => readDiff(source, wanted.attempt, bytes) };
  }
}

const NOTHING: CutText = { text: "", cutBytes: 0 };

/** Whole and without a value where there is none. */
async function readFile({ mask }: ItemSource, path: string, most: number): Promise<Share<CutText>> {
  const share = await fitting(
    most,
    (bytes) => cutFile(path, bytes, mask),
    (text) => text !== null && text.cutBytes > 0,
  );
  return share as Share<CutText>; // a file that is not there has no value either
}

async function readTranscript(
  { found, mask }: ItemSource,
  attempt: AttemptId,
  most: number,
): Promise<Share<readonly TranscriptEntry[]>> {
  const entries = await tailTranscript(found.known, attempt)();
  // Cut first, because there may be hundreds of thousands of them. A mask may be longer than what it stands for.
  for (let room = most; room > 0; room = Math.floor(room / 2)) {
    const share = fittingEntries(entries, room);
    if (share.value === null) return share;
    const value = maskTexts(share.value, mask);
    const bytes = costOf(value);
    if (bytes <= most) return { ...share, value, bytes };
  }
  return LEFT_OUT;
}

async function readDiff(source: ItemSource, attempt: AttemptId, most: number): Promise<Share<DiffDocument>> {
  const { changed, mask, found } = source;
  const files = changed.of(attempt);
  if (files === null) return whole({ kind: "diff", stat: [], diff: NOTHING });
  const costs = files.changes.map((change) => costOf(change) + 1);
  const stat = maskTexts(files.changes.slice(0, takenFrom(costs, most / 3)), mask);
  const room = most - costOf({ kind: "diff", stat, diff: NOTHING }) - DIGITS;
  let isGone: DiffDocument | null = null;
  const share = await fitting(
    room,
    async (maxBytes): Promise<CutText> => {
      const made = await taskDiff(found, attempt, { maxBytes, stat: false, mask });
      if (!made.ok) isGone = { kind: "gone", why: mask(formatRefusal(made.refusal)) };
      else if (made.kind === "at-work") isGone = { kind: "at-work" };
      return made.ok && made.kind === "diff" ? made.diff : NOTHING;
    },
    ({ cutBytes }) => cutBytes > 0,
  );
  if (isGone !== null) return whole(isGone);
  if (share.value === null) return LEFT_OUT;
  const value: DiffDocument = { kind: "diff", stat, diff: share.value };
  const isCut = share.state === "cut" || stat.length < files.files;
  return { value, bytes: costOf(value), state: isCut ? "cut" : "whole" };
}

/** Room for the number of bytes that are cut. */
const DIGITS = 16;

const whole = (value: DiffDocument): Share<DiffDocument> => ({ value, bytes: costOf(value), state: "whole" });

/** Which files attempts changed; null where one changed nothing. */
type ChangedFiles = { readonly of: (attempt: AttemptId) => Diffstat | null };

const MOST_FILES = 300;
const UNKNOWN: Diffstat = { files: 0, added: 0, removed: 0, changes: [] };

/** Of all attempts in one call of git. */
export async function changedFiles({ repository, known }: FoundRun): Promise<ChangedFiles> {
  const past = [...values(known.state.tasks)].flatMap((task) => task.past);
  const changed = past.filter(({ saved }) => saved.changed);
  const pairs = changed.map(({ base, saved }) => ({ from: base.tree, to: saved.result.tree }));
  const stats = await diffStats(repository, pairs, { maxFiles: MOST_FILES });
  const byAttempt = new Map(changed.map(({ id }, n) => [id, stats[n] ?? UNKNOWN]));
  // Outside any repository nobody knows what changed.
  const same = known.state.workFolder === null ? past.filter(({ saved }) => !saved.changed) : [];
  const unchanged = new Set(same.map(({ id }) => id));
  return { of: (attempt) => (unchanged.has(attempt) ? null : (byAttempt.get(attempt) ?? UNKNOWN)) };
}

/** What a reader of a run may want to open. */
export type Wanted =
  | { readonly kind: "text"; readonly hash: TextHash }
  | { readonly kind: AttemptPart; readonly attempt: AttemptId };

type AttemptPart = "diff" | "transcript" | "log" | "prompt";

/** Lower comes first: what failed and needs somebody, other failures and what is under way, what was taken, the rest. */
type Rank = 0 | 1 | 2 | 3 | 4;

/** All of it, the most important first. */
export function wantedOf(facts: readonly Fact[], state: RunState): Wanted[] {
  const ranks = attemptRanks(state);
  const wanted: { readonly rank: number; readonly what: Wanted }[] = [];
  for (const [hash, rank] of textRanks(facts, ranks)) wanted.push({ rank, what: { kind: "text", hash } });
  for (const [attempt, rank] of ranks)
    for (const [n, kind] of PARTS.entries())
      wanted.push({ rank: rank + (n + 1) / 10, what: { kind, attempt } });
  return wanted.sort((a, b) => a.rank - b.rank).map(({ what }) => what);
}

const PARTS: readonly AttemptPart[] = ["diff", "transcript", "log", "prompt"];

function attemptRanks(state: RunState): ReadonlyMap<AttemptId, Rank> {
  const ranks = new Map<AttemptId, Rank>();
  const needing = new Set(listNeeds(state, { isRunning: false }).map(({ task }) => task));
  for (const { task, of } of listTasks(state))
    for (const attempt of [...of.past, ...of.live].reverse())
      ranks.set(attempt.id, rankOf(of, attempt, needing.has(task.id)));
  return ranks;
}

function rankOf(task: TaskState, attempt: PastAttempt | LiveAttempt, needsYou: boolean): Rank {
  if (!("settledAt" in attempt)) return 1;
  const isReported = pickShownAttempt(task)?.id === attempt.id;
  if (isReported) return needsYou ? 0 : 2;
  return attempt.failure === null ? 3 : 1;
}

/** Each text once, where it matters most. */
function textRanks(
  facts: readonly Fact[],
  attempts: ReadonlyMap<AttemptId, Rank>,
): ReadonlyMap<TextHash, Rank> {
  const ranks = new Map<TextHash, Rank>();
  const add = (hash: TextHash | null, rank: Rank): void => {
    if (hash !== null) ranks.set(hash, Math.min(rank, ranks.get(hash) ?? rank) as Rank);
  };
  const of = (attempt: AttemptId): Rank => attempts.get(attempt) ?? 3;
  for (const fact of facts) {
    if (fact.type === "attempt.ended") add(fact.said, of(fact.attempt));
    if (fact.type === "attempt.saved") add(fact.report, of(fact.attempt));
    if (fact.type === "gate.judged") {
      const asked = fact.asked.map((asker): Rank => (asker.kind === "attempt" ? of(asker.attempt) : 1));
      const rank = fact.verdict === "red" ? (Math.min(1, ...asked) as Rank) : 3;
      add(fact.output, rank);
      add(fact.failures, rank);
    }
    if (fact.type === "run.started" || fact.type === "plan.revised")
      for (const { hash } of textsOf(fact.plan)) add(hash, 4);
  }
  return ranks;
}

function textsOf({ context, tasks }: Plan): readonly TextRef[] {
  const own = tasks.flatMap(({ work }) =>
    work.kind === "agent" ? [work.prompt, ...(work.systemPrompt === null ? [] : [work.systemPrompt])] : [],
  );
  return [...context, ...own];
}
