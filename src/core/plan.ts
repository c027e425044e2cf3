import type { Overrides } from "./draft.ts";
import {
  type GateKey,
  type GroupName,
  gateKeyFrom,
  type PreparationKey,
  preparationKeyFrom,
  type TaskId,
  type TextHash,
} from "./ids.ts";
import type { Consent } from "./ownership/guarded.ts";
import type { Claim, PathPattern } from "./ownership/pattern.ts";
import type { PortSettings } from "./ports.ts";

/**
 * The plan as plait runs it: checked, complete (every default applied), plain data.
 * Texts (prompts, context) lie in the run folder by hash; a plan only refers to them, so a plan in a journal stays small.
 */
export type Plan = {
  readonly name: string;
  readonly source: PlanSource;
  /** Put in front of every prompt, in this order. */
  readonly context: readonly TextRef[];
  /** In the order of the file; a task's index here is its identity inside one run state. */
  readonly tasks: readonly Task[];
  readonly limits: readonly GroupLimit[];
  /** Run for every writing task and on the tree that lands. */
  readonly gates: readonly Gate[];
  /** How the tree that lands is prepared for its gates. */
  readonly prepare: Preparation;
  readonly hooks: Hooks;
  readonly notify: Notify;
  /** The machine is not to go to sleep while the run goes on. */
  readonly keepAwake: boolean;
  /** What a run began with holds to its end. Left out by runs from before it could be said: shared. */
  readonly isolation?: Isolation;
  /** False: attempts do not wait for the first to write the vendor's prompt cache. Left out where they do. */
  readonly warmCache?: false;
  /** Left out: programs of the run have no walls around them. */
  readonly sandbox?: SandboxSettings;
  readonly budgetUsd: number | null;
  readonly land: LandPolicy;
  readonly landStyle: LandStyle;
  readonly publish: Publish;
  /** Whether a change outside a task's claims, or of what is guarded, fails its attempt or is only reported. */
  readonly enforce: "report" | "fail";
  /** How many attempts may be live at once when the user does not say. */
  readonly slots: number | null;
  /** The ports that worktrees get; null: any that are usual. */
  readonly ports: PortSettings | null;
  readonly saveMaxBytes: number;
  readonly prices: readonly Price[];
  /** The folder that the plan is about, where it says so: there its read-only tasks work when there is no repository. */
  readonly folder: string | null;
  readonly webhooks: Webhooks;
  /** What commits say that merge a task, with {task} and {title}; null: its title. */
  readonly mergeMessage: string | null;
  /** What commits say that plait makes of a task's uncommitted work, in the same way; left out: its title. */
  readonly commitMessage?: string;
};

/**
 * Addresses that hear of the end of a run, in figures: `complete` of every end, `failure` where a task failed. Sealed like that
 * of a notification.
 */
export type Webhooks = { readonly complete: string | null; readonly failure: string | null };

export type PlanSource = {
  readonly format: string;
  /** As it was typed. */
  readonly path: string;
  readonly hash: TextHash;
  /** Where it lies, links followed: the same plan, wherever somebody stands. Left out where it is no file. */
  readonly absolute?: string;
  /** Of prompts: the preparation that was typed with them. The rest comes from configuration, which a resume reads again. */
  readonly typed?: TypedPreparation;
  /** What was typed after `plait run`; left out where the run began in another way, or it cannot be typed again. */
  readonly words?: readonly string[];
  /** Settings typed at the start, over plan and configuration; left out where a resume must not read settings again. */
  readonly flags?: Overrides;
};

export type TypedPreparation = {
  readonly copy?: readonly string[];
  readonly setup?: readonly string[];
  readonly noCopy?: true;
};

/** `auto`: where it works, otherwise without it, and the run says so. `required`: no run starts where it does not work. */
export type SandboxMode = "auto" | "required" | "off";

export type SandboxSettings = {
  readonly mode: Exclude<SandboxMode, "off">;
  readonly grants: readonly Grant[];
};

/** What the sandbox lets through beside its own rules, as it is written in plans: `ro:~/.aws/config`, `~/.gradle`, `$DB_URL`. */
export type Grant =
  | { readonly kind: "path"; readonly path: string; readonly isWritable: boolean }
  /** A variable of the environment that would be held back. */
  | { readonly kind: "variable"; readonly name: string };

export type LandPolicy = "end" | "partial" | "never";

/**
 * Where the result goes besides. `push`: the target is pushed once it has landed. `pull-request`: the result goes to a branch of
 * its own on the server and is proposed for the target there; the target here stays as it is. `pull-request-per-task`: the same with one
 * branch and one pull request for each task, stacked in the order of `needs`.
 */
export type Publish = "no" | "push" | "pull-request" | "pull-request-per-task";

/** The result is reviewed on the server instead of landing here. */
export function isProposed(publish: Publish): boolean {
  return publish === "pull-request" || publish === "pull-request-per-task";
}

/** How a person is told that they are needed. */
export type Notify = {
  readonly bell: boolean;
  readonly desktop: boolean;
  readonly command: Command | null;
  /** Such an address is often a secret: sealed like the values of variables. */
  readonly webhook: string | null;
  /** `end`: also when the run is over, whatever came of it. */
  readonly when: "needed" | "end";
};

/** How the result lands: its commits, the branch that gets them, the pull request. Journals from before a field was there lack it. */
export type LandStyle = {
  readonly as: "merge" | "squash" | "rebase";
  /** null: as the user's git is configured (commit.gpgsign). */
  readonly sign: boolean | null;
  readonly signoff: boolean;
  /** The message of a squash or merge commit; null: plait writes it. May contain {run}, {plan}, {tasks}, {count}. */
  readonly message: string | null;
  /** `user`: commits that land carry the user's identity as author; `kept`: as the attempts made them. */
  readonly author: "user" | "kept";
  /** Whether commits name the agent that wrote them as `Co-Authored-By`. */
  readonly coAuthor?: boolean;
  /** The target branch, as the user names it; left out: the branch that is checked out when the run starts. */
  readonly onto?: string;
  /** Of a pull request. */
  readonly draft?: boolean;
  readonly reviewers?: readonly string[];
  readonly labels?: readonly string[];
};

/** A text kept beside the journal. */
export type TextRef = {
  readonly hash: TextHash;
  readonly bytes: number;
  /** The file it came from, as the plan names it; null when it was written in the plan. */
  readonly file: string | null;
};

export type GroupLimit = { readonly group: GroupName; readonly max: number };

export type Access = "write" | "read-only";

/** One node of the DAG. */
export type Task = {
  readonly id: TaskId;
  readonly title: string;
  /** What it names itself; a wave adds the barrier, see core/graph.ts. */
  readonly needs: readonly TaskId[];
  /** Starts when every task of the nearest lower wave is merged or passed; null takes no part in waves. */
  readonly wave: number | null;
  readonly work: Work;
  readonly access: Access;
  readonly owns: readonly Claim[];
  readonly boundary: readonly PathPattern[];
  /** What is guarded and may be changed all the same, the plan's consent included; left out where that is nothing. */
  readonly consent?: readonly Consent[];
  /** All gates of this task, the plan's included where they apply. */
  readonly gates: readonly Gate[];
  readonly prepare: Preparation;
  readonly retries: number;
  /** How often a red gate, an ownership finding or a conflict goes back to the same conversation. */
  readonly fixRounds: number;
  /** How many attempts start at once; the first that proves itself wins. */
  readonly race: number;
  readonly limits: TimeLimits;
  readonly group: GroupName | null;
  readonly env: Env;
  /** Higher starts earlier among tasks that are ready, before the longest path is asked. */
  readonly priority: number;
  readonly estimate: Estimate | null;
  /** A writing task that leaves nothing behind is a failure unless this is set. */
  readonly allowEmpty: boolean;
  /** A person must approve before the work is queued for merging. */
  readonly approve: boolean;
  readonly history: "keep" | "squash";
  /** Globs copied into the report when the task fails. */
  readonly artifacts: readonly PathPattern[];
  /** Globs of files that a read-only task writes as its result: kept, and handed to those that need it. Never committed. */
  readonly reports: readonly PathPattern[];
  readonly hears: Hears | null;
  /** The agent leaves this file, where it was started, to say that it is done; without it, it is not. Never committed. */
  readonly doneFile: string | null;
  /** Where the work is started, below the root of the tree; null is the root. */
  readonly dir: string | null;
};

/** What some of its needs said at their end stands in front of the prompt, under this title, each by its name. */
export type Hears = {
  readonly title: string;
  readonly from: readonly { readonly task: TaskId; readonly name: string }[];
};

export type Work =
  | {
      readonly kind: "agent";
      readonly agent: AgentChoice;
      readonly prompt: TextRef;
      /** Told to the agent beside the prompt, as part of its system prompt where it has one. */
      readonly systemPrompt: TextRef | null;
      readonly tools: ToolRules;
      readonly budgetUsd: number | null;
    }
  | {
      readonly kind: "command";
      readonly run: Command;
      /** What it cannot do without: looked for on the PATH before anything starts. Left out where nobody said. */
      readonly program?: string;
    };

/** Which agent CLI, as which of its sub-agents, with which model. */
export type AgentChoice = {
  readonly use: string;
  readonly name: string | null;
  readonly model: string | null;
};

/** Narrows what an agent may do; both empty means everything. */
export type ToolRules = { readonly allow: readonly string[]; readonly deny: readonly string[] };

/** A string runs by `sh -c`, a list is an argv. */
export type Command =
  | { readonly kind: "shell"; readonly line: string }
  | { readonly kind: "argv"; readonly argv: readonly string[] };

export type Env = { readonly [name: string]: string };

/** No first event, no event, too long altogether. */
export type TimeLimits = { readonly startMs: number; readonly idleMs: number; readonly totalMs: number };

export type Estimate = { readonly timeMs: number | null; readonly costUsd: Range | null };

export type Range = { readonly low: number; readonly high: number };

/** Each attempt works in a repository of its own that borrows the user's objects, or in a worktree of the user's repository. */
export type Isolation = "private" | "shared";

/** What an hour of an agent costs, as the plan's author states it. */
export type Price = { readonly agent: string; readonly model: string | null; readonly usdPerHour: Range };

export type Gate = {
  readonly name: string;
  readonly run: Command;
  /** Below the root of the tree; null is the root. */
  readonly dir: string | null;
  /** The gate is needed when a changed path matches one; empty means always. */
  readonly when: readonly PathPattern[];
  readonly retries: number;
  /** How many of this gate may run at once; null is no limit. */
  readonly slots: number | null;
  readonly timeoutMs: number;
  readonly env: Env;
  /** Red on the base, and accepted as that: only what is red besides counts. */
  readonly knownRed: boolean;
  /** Where it tells which of its checks failed; null: what it prints is searched for TAP. */
  readonly results: PathPattern | null;
};

/** What a fresh worktree gets before an agent or a gate sees it. */
export type Preparation = {
  readonly copy: readonly Copy[];
  /** The lines of .worktreeinclude, which name more of it, in the words of .gitignore. */
  readonly include: readonly string[];
  /** Whether files whose name begins with .env come along unasked. */
  readonly envFiles: boolean;
  readonly setup: readonly SetupCommand[];
  readonly teardown: readonly Command[];
  /** Neither `copy` nor `setup` was set, so dependency folders of the checkout are added to `copy` when a run starts. */
  readonly automatic?: boolean;
};

/**
 * With `outputs` the command runs once for all trees in which the files that match `inputs` are the same, and the others get copies of
 * what it made. Without them it runs in each tree.
 */
export type SetupCommand = Command & {
  /** Paths and globs from the root of the tree. */
  readonly inputs?: readonly string[];
  /** Files and folders that git ignores, from the root of the tree. */
  readonly outputs?: readonly string[];
};

/**
 * Paths and globs from the root of the repository, to the same place: only what git does not track is copied. Or a file or folder,
 * tracked or not, to another place: what git tracks there stays.
 */
export type Copy = string | CopyTo;

export type CopyTo = { readonly from: string; readonly to: string };

/** Commands told about the run; their failure is reported and changes nothing else. */
export type Hooks = {
  readonly start: readonly Command[];
  readonly end: readonly Command[];
  readonly failed: readonly Command[];
  readonly held: readonly Command[];
};

/** A verdict holds for what is executed, when it must be and how it is judged, not for the name or the retries of the gate. */
export function gateKey({ run, dir, env, when, knownRed, results }: Gate): GateKey {
  const judged = knownRed ? [results] : [];
  return gateKeyFrom(JSON.stringify([run, dir, sortedEntries(env), when, ...judged]));
}

export function preparationKey(prepare: Preparation): PreparationKey {
  return preparationKeyFrom(JSON.stringify([prepare.copy, prepare.include, prepare.envFiles, prepare.setup]));
}

function sortedEntries(env: Env): [string, string][] {
  return Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Whether a task is a step that the format adds between the tasks of an artifact folder: installing packages, validating a wave.
 * The manifest does not list steps as tasks, so counts of tasks leave them out.
 */
export function isStep({ source }: Pick<Plan, "source">, { work }: Pick<Task, "work">): boolean {
  return source.format === "cpo" && work.kind === "command";
}

/** As it is written in plans and configuration. */
export function formatGrant(grant: Grant): string {
  if (grant.kind === "variable") return `$${grant.name}`;
  return grant.isWritable ? grant.path : `ro:${grant.path}`;
}
