import type { AgentEvent } from "../../agents/event.ts";
import type { Activity } from "../../core/activity.ts";
import type { EpochMs, Fact } from "../../core/facts.ts";
import type { AttemptId, RunId, TaskId, TextHash } from "../../core/ids.ts";
import type { FileChange } from "../../core/landing-types.ts";
import type { RunSummary } from "../../core/select/overview.ts";

/**
 * What the page is told: by the server while it lives, or by the file that it is in. Plain JSON. The page folds the facts
 * itself, so everything that can be derived from them is not here.
 */
export const WIRE_VERSION = 1;

/** Where the page is. */
export type Session = {
  readonly v: typeof WIRE_VERSION;
  /** Of plait. */
  readonly version: string;
  readonly repository: { readonly name: string; readonly path: string };
  /** The run that was asked for; null shows all. */
  readonly run: RunId | null;
  /** Whether anything can be asked of a run; not of one that is in a file. */
  readonly canAct: boolean;
  /** In a file: what is not there, one sentence for each cap that cut something off. A server has everything. */
  readonly leftOut?: readonly string[];
};

/** A run on one line, for the list. */
export type { RunSummary };

/** A run whose journal cannot be read. */
export type DamagedSummary = { readonly run: RunId; readonly problem: string; readonly hint: string };

export type RunsDocument = {
  readonly runs: readonly RunSummary[];
  readonly damaged: readonly DamagedSummary[];
};

/** What comes down the stream of a run. `n` is the place of a fact, from 0: whoever comes back asks from there. */
export type RunEvent =
  | { readonly kind: "fact"; readonly n: number; readonly fact: Fact }
  | { readonly kind: "activity"; readonly activity: Activity }
  /** Whether somebody drives it, and the time by the driver's clock. Comes first, behind the past, and when it changes. */
  | { readonly kind: "clock"; readonly isRunning: boolean; readonly now: EpochMs }
  /** The past is told; what comes now happens now. */
  | { readonly kind: "live" }
  /** The facts from here on cannot be read: by whom they were written, and what to do. */
  | { readonly kind: "unreadable"; readonly n: number; readonly problem: string; readonly hint: string };

/** A text, of which the middle or the end may be left out. */
export type CutText = { readonly text: string; readonly cutBytes: number };

/** One line of a transcript. Its texts can be shown as they are, on a terminal too. */
export type TranscriptEntry = { readonly at: EpochMs } & (
  | AgentEvent
  /** The middle of a long one, which was not kept. */
  | { readonly kind: "cut"; readonly bytes: number }
);

/** `next` is what to ask from for more; entries before it may have been cut out of the middle since. */
export type TranscriptPage = {
  readonly entries: readonly TranscriptEntry[];
  readonly next: string;
  /** There is more already: one page holds a part of a long one. */
  readonly hasMore: boolean;
};

/** What an attempt changed. `stat` is of all of it, also where the text is cut. */
export type DiffDocument =
  | { readonly kind: "diff"; readonly stat: readonly FileChange[]; readonly diff: CutText }
  /** Nothing is saved yet. */
  | { readonly kind: "at-work" }
  | { readonly kind: "gone"; readonly why: string };

/** Two attempts are compared by what they left. */
export type DiffAgainst = "base" | AttemptId;

/** An answer to an action. */
export type ActionAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly message: string; readonly hint: string };

/** A run in a file: the HTML report. What was too large is not there, and `leftOut` says so. */
export type InlinedRun = {
  readonly v: typeof WIRE_VERSION;
  readonly session: Session;
  readonly madeAt: EpochMs;
  readonly isRunning: boolean;
  readonly facts: readonly Fact[];
  /** What agents were doing when it was made. */
  readonly activity: readonly Activity[];
  readonly texts: { readonly [hash: TextHash]: CutText };
  readonly attempts: { readonly [attempt: AttemptId]: InlinedAttempt };
  /** One sentence for each cap that cut something off. */
  readonly leftOut: readonly string[];
};

export type InlinedAttempt = {
  readonly prompt: CutText | null;
  readonly transcript: readonly TranscriptEntry[] | null;
  readonly log: CutText | null;
  readonly diff: DiffDocument | null;
};

/** Names the data in the file: `<script type="application/json" id="plait-run">`. */
export const INLINED_ID = "plait-run";

export type TaskAttemptRef = { readonly run: RunId; readonly task: TaskId; readonly n: number };
