import type { Usage } from "../../core/facts.ts";

/** What Codex's end is judged by. */
export type CodexMemory = {
  readonly conversation: string | null;
  /** The last message of the agent. */
  readonly lastText: string;
  /** Tools that have begun and not ended. */
  readonly open: readonly string[];
  /** How the turn ended; null while it goes on. */
  readonly turn: CodexTurn | null;
};

/** The usage is that of the whole conversation. A turn that failed tells none. */
export type CodexTurn =
  | { readonly ok: true; readonly usage: Usage }
  | { readonly ok: false; readonly message: string };

export const NOTHING_READ: CodexMemory = { conversation: null, lastText: "", open: [], turn: null };
