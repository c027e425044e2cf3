import type { EpochMs, Usage } from "../core/facts.ts";
import type { AttemptFailure } from "../core/failure.ts";
import type { TaskId } from "../core/ids.ts";
import type { Claim, PathPattern } from "../core/ownership/pattern.ts";
import type { Access, Env, Work } from "../core/plan.ts";
import type { AgentHome } from "./agent-home.ts";
import type { AgentEvent } from "./event.ts";

/**
 * What plait must know of an agent program: data and pure functions, one record a program. An adapter starts nothing, reads
 * no file and asks for no time: it says what to start, what the printed lines mean, and how the attempt ended.
 *
 *     invoke ─► (the supervisor runs it) ─► reader().read(line)… ─► conclude(ending)
 */
export type Adapter = {
  /** As plans and `--agent` say it. */
  readonly name: string;
  /** As people read it. */
  readonly title: string;
  readonly supports: Supports;
  /** Whether the program is there, and which one; null where it cannot be asked. */
  readonly probe: Probe | null;
  /** Which sub-agents it knows, asked without spending a token; null where every name is as good as another. */
  readonly subAgents: SubAgents | null;
  /** Whether somebody is logged in, asked without spending a token; null where it cannot be asked. */
  readonly login: Login | null;
  /**
   * Whether a program of that version takes the part of the prompt that all tasks of a run share as a file, in front of everything
   * that differs between attempts, so that its vendor caches the shared part once; null where no version does.
   */
  readonly takesSharedFile: ((version: string) => boolean) | null;
  /** Where its model is asked, any of them, as far as the environment of the attempt says; empty where nobody can know. */
  readonly servers: (env: Env) => readonly string[];
  /** The file that names who is logged in, where the program keeps one; left out where it does not. */
  readonly loginFile?: LoginFile;
  /** What it needs of the user's home in a sandbox; left out where nothing of that is known. */
  readonly home?: AgentHome;
  /** All that the user configured of it, to see whether that changed; left out where nothing can be. */
  readonly definition?: string;
  /** Whose limits its attempts share. Goes into the journal, so it holds no secret (I13). */
  readonly account: (facts: AccountFacts) => Account;
  readonly invoke: (input: InvokeInput) => Invoked;
  /**
   * Knows nothing yet; one for each attempt. With the folder it works in, files are named by their place there. Of the final
   * message that many characters are kept, where the usual number is too small.
   */
  readonly reader: (worktree?: string, maxText?: number) => Reading;
  /** What a person types in the worktree to go on with a conversation; null where the program has no such command. */
  readonly resumeCommand: (conversation: string) => readonly string[] | null;
};

/** What the program can be asked for. What it cannot do is told or refused by `invoke`. */
export type Supports = {
  /** It goes on with an earlier conversation: a fix round sends what is new, otherwise all of it again. */
  readonly conversation: boolean;
  readonly subAgents: boolean;
  readonly budget: boolean;
  readonly models: boolean;
  /** It tells what it has spent; otherwise no budget of a run sees it. */
  readonly cost: boolean;
  /** It can be told something beside the prompt; otherwise that stands in the prompt. */
  readonly systemPrompt: boolean;
  /** It can be held to answer in a form; otherwise the prompt has to ask for it. */
  readonly answers: boolean;
};

/** A short run of the program that costs nothing. */
export type Probe = {
  readonly argv: readonly string[];
  readonly parse: (output: ProbeOutput) => Probed;
};

/** A code of null with no signal: it could not be started at all. */
export type ProbeOutput = {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
};

export type Probed =
  | { readonly ok: true; readonly version: string; readonly warning: string | null }
  | { readonly ok: false; readonly problem: Problem };

/** What happened, with the values, and what to type next. */
export type Problem = { readonly message: string; readonly hint: string };

/** A run that ends (or may be ended) before anything is sent to a model. */
export type SubAgents = {
  /** It looks for them in a folder of this name where it starts, and above. */
  readonly folder: string;
  readonly invocation: Invocation;
  /** Null while the printed text does not say it yet. */
  readonly parse: (stdout: string) => readonly string[] | null;
};

/** A run that answers on stdout and is ended as soon as it has: its stdin stays open until then. */
export type Login = {
  /** Null where the environment of the attempt says enough. */
  readonly invocation: (env: Env) => Invocation | null;
  /** Null while the printed text does not say it yet. */
  readonly parse: (stdout: string) => LoginAnswer | null;
};

/** A problem of null: somebody is, or nobody needs to be. */
export type LoginAnswer = { readonly problem: Problem | null };

/** It is read to notice another login, never written, and only what `parse` takes from it is used. */
export type LoginFile = {
  /** Null where the environment does not tell. */
  readonly path: (env: Env) => string | null;
  /** Stays the same as long as the same person is logged in, whatever tokens are renewed; null where it does not tell. */
  readonly parse: (text: string) => string | null;
};

export type AccountFacts = {
  /** Who is logged in, from the login file. */
  readonly login?: string | null;
  /** As the agent will see it. */
  readonly env: Env;
  readonly model: string | null;
  /** A short digest that nobody can turn back. */
  readonly fingerprint: (secret: string) => string;
};

/** The parts of an AccountKey. */
export type Account = { readonly vendor: string; readonly account: string; readonly model: string };

export type AgentWork = Extract<Work, { kind: "agent" }>;

/** One attempt, as an agent program is asked to make it. Paths are absolute. */
export type InvokeInput = {
  readonly task: TaskId;
  /** Counted from 1 over all attempts of the task, fix rounds included. */
  readonly attempt: number;
  readonly work: AgentWork;
  readonly access: Access;
  readonly owns: readonly Claim[];
  /** What a read-only task may write all the same: its report files, from the root of the tree. */
  readonly reports: readonly PathPattern[];
  /** Where it is started, below that root; null is the root. */
  readonly dir: string | null;
  /** All that is sent: agents/prompt.ts builds it. */
  readonly prompt: string;
  /** Holds the same text, for programs that want a file. */
  readonly promptFile: string;
  /** Added to the system prompt; null for programs that take none, which find it in the prompt. */
  readonly systemPrompt: string | null;
  /** Holds the shared part of the prompt and the system prompt; null where they are in `prompt` and `systemPrompt`. */
  readonly sharedFile: string | null;
  /** The folder that it works in: the worktree, or one in it. */
  readonly worktree: string;
  readonly conversation: Conversation;
  readonly isRoot: boolean;
  readonly allowRoot: boolean;
  readonly sandboxed: boolean;
  /** Tool rules that the run denies besides those of the task. */
  readonly deny: readonly string[];
  /** The form that its answer is to have; null where it works and says what it likes, as in every run. */
  readonly answer: AnswerForm | null;
};

export type AnswerForm = {
  /** JSON Schema, without `$schema`: by a draft that it does not know Claude drops the whole form, without a word. */
  readonly schema: object;
  /** Holds the same, for programs that want a file. */
  readonly schemaFile: string;
};

/** A new one gets its id from plait (a UUID that was never used), so that it is known even if the agent dies at once. */
export type Conversation =
  | { readonly kind: "new"; readonly id: string }
  | { readonly kind: "continue"; readonly id: string };

export type Invoked =
  | {
      readonly ok: true;
      readonly invocation: Invocation;
      /** What is hardly meant as it is asked for, one sentence each: told before the first attempt starts. */
      readonly warnings?: readonly string[];
    }
  | { readonly ok: false; readonly problem: Problem };

/** What to start, in the worktree. */
export type Invocation = {
  readonly argv: readonly string[];
  /** Added to the environment of the attempt. */
  readonly env: Env;
  /** Written and closed at once. */
  readonly stdin: string;
  /** What the user should know about how it is started, one sentence each. */
  readonly notes: readonly string[];
};

/** What was printed so far. Immutable and small, whatever the agent prints (I10): `read` gives the next one. */
export type Reading = {
  readonly read: (line: string) => { readonly next: Reading; readonly events: readonly AgentEvent[] };
  readonly conclude: (ending: Ending) => Conclusion;
};

/** How the process ended, as the supervisor saw it. */
export type Ending = {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of what it wrote there. */
  readonly stderr: string;
  readonly at: EpochMs;
  /** By whose clocks the program tells times (as in Europe/Berlin): they do not name it. */
  readonly zone: string;
  /** Set when plait ended it: then nothing that the agent says about its end counts, but that it was done before a clock ran out. */
  readonly endedBy: EndedBy | null;
  /** What earlier attempts of the conversation that it went on with have told; null where it began one. */
  readonly before: Usage | null;
  readonly access: Access;
  /** Whether gates will judge the work; without any, a denied tool fails the attempt. */
  readonly gated: boolean;
};

export type EndedBy =
  | { readonly reason: "timeout"; readonly clock: "start" | "idle" | "total" }
  | { readonly reason: "cancelled"; readonly because: CancelCause };

type CancelCause = Extract<AttemptFailure, { reason: "cancelled" }>["because"];

/** What became of the attempt as far as the agent can tell. No failure is not success: git and the gates say that. */
export type Conclusion = {
  readonly failure: AttemptFailure | null;
  readonly usage: Usage;
  readonly conversation: string | null;
  /** The final message: what a read-only task reports. */
  readonly text: string;
  /** Tools that it asked for and did not get. */
  readonly denials: readonly string[];
  /** The document that it answered with, where the program itself tells it apart from the final message. */
  readonly answer?: unknown;
};

export const NO_USAGE: Usage = { costUsd: null, inputTokens: null, outputTokens: null };

/** Failures that are told by a word alone, whatever program tells them. */
export const PLAIN_REASONS = [
  "overloaded",
  "auth",
  "billing",
  "budget",
  "max-turns",
  "context",
  "network",
  "agent-error",
  "agent-said-no",
  "crash",
  "denied",
] as const;
