import type { RunId, TextHash } from "../../core/ids.ts";
import type { RunAction } from "../../core/run-action.ts";
import type {
  ActionAnswer,
  CutText,
  DiffAgainst,
  DiffDocument,
  RunEvent,
  RunsDocument,
  Session,
  TaskAttemptRef,
  TranscriptPage,
} from "../../report/page/wire.ts";

/** Where the page has everything from: a server, or the file that it is in. What cannot be had rejects with a SourceError. */
export type Source = {
  readonly session: () => Promise<Session>;
  readonly runs: () => Promise<RunsDocument>;
  /** The facts of a run from number `since` on, and what happens after; over and over again, until `signal` is aborted. */
  readonly follow: (run: RunId, since: number, listener: FollowListener, signal: AbortSignal) => void;
  readonly text: (run: RunId, hash: TextHash) => Promise<CutText>;
  /** Null where none is kept. */
  readonly prompt: (attempt: TaskAttemptRef) => Promise<CutText | null>;
  /** From the beginning where `from` is null. */
  readonly transcript: (attempt: TaskAttemptRef, from: string | null) => Promise<TranscriptPage>;
  /** What the program printed, with its colours. */
  readonly log: (attempt: TaskAttemptRef) => Promise<CutText>;
  readonly diff: (attempt: TaskAttemptRef, against: DiffAgainst) => Promise<DiffDocument>;
  readonly act: (run: RunId, action: RunAction) => Promise<ActionAnswer>;
};

export type FollowListener = {
  readonly event: (event: RunEvent) => void;
  readonly connection: (connection: Connection) => void;
};

/** Times are the browser's. */
export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  /** Nothing is heard; the run itself goes on. */
  | { readonly kind: "lost"; readonly since: number; readonly retryAt: number }
  /** The server does not know this page any more, since it was started anew with another link; or it has no such run. */
  | { readonly kind: "refused"; readonly message: string }
  /** Nothing more will come: a file. */
  | { readonly kind: "file" };

/** What happened and what to do about it, for people. */
export class SourceError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
