import type { AgentWork } from "../../agents/adapter.ts";
import type { Usage } from "../../core/facts.ts";
import type { AttemptFailure } from "../../core/failure.ts";
import { type Oid, parseTaskId, type TaskId } from "../../core/ids.ts";
import type { TimeLimits } from "../../core/plan.ts";
import type { Repository } from "../../git/index.ts";
import { sha256 } from "../read-text.ts";

/** What is wanted of an agent, and by whom it is heard. */
export type Asking = {
  readonly repository: Repository;
  /** What the agent looks at; left out, the last commit. */
  readonly commit?: Oid;
  /** What it is called in messages, and in the environment of the agent: `decompose`. */
  readonly name: string;
  /** The folder below .git/plait where it is kept what was said: `spec`. */
  readonly about: string;
  readonly agent: AgentWork["agent"];
  /** JSON Schema of the answer, see `AnswerForm`; null where words are wanted. The prompt says it too: not every agent can be held to it. */
  readonly schema: object | null;
  readonly limits: TimeLimits;
  /** For all that is asked together. */
  readonly budgetUsd: number | null;
  /** Aborted, the agent is ended. */
  readonly signal: AbortSignal;
  readonly tell: AskTelling;
};

/** What people see meanwhile. Texts are masked. */
export type AskTelling = {
  readonly warning: (text: string) => void;
  readonly doing: (action: string, usage: Usage) => void;
  /** A try failed, and there is another after this long. */
  readonly again: (failure: AttemptFailure, waitMs: number) => void;
};

/** `prompt` is all of it; `more` is what is new to an agent that remembers the question before. */
export type Question = {
  readonly prompt: string;
  readonly more: string | null;
  /** The form of this answer, where it is not that of the conversation. */
  readonly schema?: object;
};

/** What the agent said at its end; JSON, laid out over lines, where the program tells a document from other words. */
export type Reply =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly failure: AttemptFailure };

export type Ask = (question: Question) => Promise<Reply>;

export function taskName(name: string): TaskId {
  const parsed = parseTaskId(name);
  if (!parsed.ok) throw new Error(`${name} ${parsed.problem}`);
  return parsed.id;
}

export function workOf({ agent, budgetUsd }: Pick<Asking, "agent" | "budgetUsd">, prompt: string): AgentWork {
  return {
    kind: "agent",
    agent,
    prompt: { hash: sha256(prompt), bytes: Buffer.byteLength(prompt), file: null },
    systemPrompt: null,
    tools: { allow: [], deny: [] },
    budgetUsd,
  };
}
