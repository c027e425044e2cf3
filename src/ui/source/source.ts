import type { RunAction } from "../../core/decide.ts";
import type { RunId, TextHash } from "../../core/ids.ts";
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
  /** What the program printed, with its colors. */
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
  /** The run itself continues. */
  | { readonly kind: "lost"; readonly since: number; readonly retryAt: number }
  /** The server was restarted with another link, or has no such run. */
  | { readonly kind: "refused"; readonly message: string }
  /** A report file: nothing more comes. */
  | { readonly kind: "file" };

/** With what to do about it. */
export class SourceError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
