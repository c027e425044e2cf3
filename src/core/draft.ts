import type { Consent } from "./ownership/guarded.ts";
import type {
  AgentChoice,
  Command,
  Copy,
  Grant,
  Hooks,
  Isolation,
  LandPolicy,
  LandStyle,
  Notify,
  Plan,
  Preparation,
  Price,
  Publish,
  SandboxMode,
  SetupCommand,
  Task,
  TextRef,
  TimeLimits,
  ToolRules,
  Webhooks,
} from "./plan.ts";
import type { PortsSaid } from "./ports.ts";
import type { Located, SourceRange } from "./source.ts";

/**
 * What a plan file says, whatever its format: syntax is known to be right, meaning is not checked yet.
 * A format fills in only what the file says; `analyze` applies defaults and finds what does not fit.
 * Values that `analyze` may complain about carry their place.
 */
export type PlanDraft = {
  readonly format: string;
  readonly path: string;
  readonly name: string;
  readonly context: readonly Located<TextSource>[];
  readonly tasks: readonly TaskDraft[];
  readonly defaults: TaskSettingsDraft;
  readonly limits: readonly { readonly group: Located<string>; readonly max: Located<number> }[];
  readonly gates: readonly GateDraft[];
  readonly prepare: PreparationDraft;
  readonly hooks: { readonly [Hook in keyof Hooks]: readonly Located<Command>[] };
  /** Left out where the file says nothing of it. */
  readonly notify?: Partial<Notify>;
  readonly keepAwake?: boolean;
  readonly isolation?: Isolation;
  readonly warmCache?: boolean;
  readonly sandbox?: SandboxMode;
  readonly grants?: readonly Grant[];
  readonly budgetUsd: number | null;
  readonly land: LandPolicy | null;
  readonly landStyle: Partial<LandStyle>;
  readonly publish: Publish | null;
  readonly enforce: "report" | "fail" | null;
  /** To what all tasks may change though it is guarded; left out where the file says nothing of it. */
  readonly consent?: readonly Consent[];
  readonly slots: Located<number> | null;
  readonly ports: Located<PortsSaid> | null;
  readonly saveMaxBytes: number | null;
  readonly prices: readonly Price[];
  /** The folder that the plan says it is about, absolute; left out where it does not. */
  readonly folder?: string;
  /** Left out where the file says nothing of them. */
  readonly webhooks?: Partial<Webhooks>;
  readonly mergeMessage?: string;
  readonly commitMessage?: string;
  /** Left out where the file was read without loss. */
  readonly lost?: Lost;
};

/**
 * What the file names and the draft does not, because it was wrong in itself and has been reported. Who refers to it is
 * not wrong for that. "any" where even the names are not known.
 */
export type Lost = { readonly tasks: readonly string[] | "any"; readonly groups: readonly string[] | "any" };

export type TaskDraft = {
  readonly id: Located<string>;
  readonly title: string | null;
  readonly needs: readonly Located<string>[];
  readonly wave: Located<number> | null;
  readonly work: WorkDraft;
  readonly owns: readonly ClaimDraft[];
  readonly boundary: readonly Located<string>[];
  /** `only` replaces the plan's gates, `add` joins them. */
  readonly gates: { readonly mode: "add" | "only"; readonly gates: readonly GateDraft[] };
  readonly artifacts: readonly Located<string>[];
  readonly settings: TaskSettingsDraft;
  /** Beside the plan's; left out where there is none. */
  readonly consent?: readonly Consent[];
  /** Files that a read-only task leaves as its result; left out where there are none. */
  readonly reports?: readonly Located<string>[];
  /** Absent: summaries of all needs, as for every task. */
  readonly summaries?: SummariesDraft;
  /** What its place is called in its file, such as `batch 2`; left out where the place says enough. */
  readonly origin?: string;
  /** Stands for many tasks, which core/each makes of it; left out where it is one. */
  readonly each?: readonly EachVariable[];
};

/** What tasks that it needs said at their end, under a title of the plan's own. */
export type SummariesDraft = {
  readonly title: string;
  readonly from: readonly { readonly task: Located<string>; readonly name: string }[];
};

/** One task for each value; with several variables, for each combination. */
export type EachVariable = { readonly name: Located<string>; readonly source: EachSource };

/** Where the values come from: written in the plan, tracked files that match, or the lines that a command prints. */
export type EachSource =
  | { readonly kind: "values"; readonly values: readonly Located<string>[] }
  | {
      readonly kind: "files";
      readonly patterns: readonly Located<string>[];
      readonly exclude: readonly Located<string>[];
    }
  | { readonly kind: "command"; readonly run: Located<Command> };

/** A variable in one of the tasks. The value is null while nobody knows it: texts then stay as they are written. */
export type Binding = {
  readonly name: string;
  readonly from: EachSource["kind"];
  readonly value: string | null;
};

export type WorkDraft =
  | { readonly kind: "agent"; readonly prompt: Located<TextSource> }
  | {
      readonly kind: "command";
      readonly run: Command;
      readonly at: SourceRange;
      /** As in `Work`. */
      readonly program?: string;
    };

/** A text written in the plan, or the file that holds it (relative to the folder of the plan file). */
export type TextSource =
  | { readonly kind: "inline"; readonly text: string }
  | {
      readonly kind: "file";
      readonly file: string;
      /** Variables to fill in, when it has been read. */
      readonly fill?: readonly Binding[];
    };

/** `any` may create or change what it names. The text may end in `::symbol`. */
export type ClaimDraft = {
  readonly mode: "any" | "create" | "modify" | "shared";
  readonly text: Located<string>;
};

export type GateDraft = {
  readonly name: string | null;
  readonly run: Command;
  readonly dir: Located<string> | null;
  readonly when: readonly Located<string>[];
  readonly retries: number | null;
  readonly slots: number | null;
  readonly timeoutMs: number | null;
  readonly env: EnvDraft | null;
  readonly knownRed: boolean | null;
  readonly results: Located<string> | null;
  readonly at: SourceRange;
};

/** A variable and its value, each with its place. */
export type EnvDraft = readonly { readonly name: Located<string>; readonly value: Located<string> }[];

/** Null says nothing: the layer below decides. An empty list says "none". */
export type PreparationDraft = {
  readonly copy: readonly Located<Copy>[] | null;
  readonly envFiles: boolean | null;
  readonly setup: readonly Located<SetupCommand>[] | null;
  readonly teardown: readonly Located<Command>[] | null;
};

type PlainSetting =
  | ("access" | "retries" | "fixRounds" | "race")
  | ("estimate" | "priority" | "allowEmpty" | "approve" | "history");

/** What a task may set for itself and `defaults` for all. Null says nothing. */
export type TaskSettingsDraft = {
  readonly [Limit in keyof TimeLimits]: number | null;
} & { readonly [Key in PlainSetting]: Task[Key] | null } & {
  readonly agent: Located<Partial<AgentChoice>> | null;
  readonly group: Located<string> | null;
  readonly env: EnvDraft | null;
  readonly tools: { readonly [List in keyof ToolRules]: readonly Located<string>[] } | null;
  readonly budgetUsd: number | null;
  /** Left out says nothing, as null does. */
  readonly systemPrompt?: Located<TextSource> | null;
  readonly doneFile?: Located<string> | null;
  readonly dir?: Located<string> | null;
  readonly prepare: PreparationDraft;
};

/** What the layers around the plan say about tasks: files below the plan's defaults, environment and flags above them. */
export type SettingsLayers = {
  readonly base: BaseSettings;
  readonly overrides: Overrides;
  /** `--agent` and `--model` override even a task's own value. */
  readonly force: { readonly agent: string | null; readonly model: string | null };
  /** Names of agents that files define: a plan may use them. */
  readonly agents?: readonly string[];
  /** The lines of .worktreeinclude. */
  readonly include?: readonly string[];
  /** False: dependency folders are not copied unless `copy` names them. */
  readonly automatic?: boolean;
  /** Variables that a plan may set although they redirect requests: the user says so. */
  readonly allowedEnv?: readonly string[];
};

/** Each time limit is overridden by itself. */
export type Overrides = Partial<Omit<BaseSettings, "limits" | "landStyle" | "prepare">> & {
  readonly limits?: Partial<TimeLimits>;
  readonly landStyle?: Partial<LandStyle>;
};

/** Null says nothing; the budget is that of the whole run. */
export type BaseSettings = {
  readonly agent: AgentChoice;
  readonly gateTimeoutMs: number;
  readonly prepare: Omit<Preparation, "include">;
  readonly warmCache: boolean;
  readonly sandbox: SandboxMode;
  readonly grants: readonly Grant[];
} & Pick<Task, "access" | "retries" | "fixRounds" | "limits" | "history"> &
  Pick<Plan, "saveMaxBytes" | "slots" | "ports" | "budgetUsd" | "land" | "landStyle" | "publish"> &
  Pick<Plan, "notify" | "keepAwake"> & { readonly isolation: Isolation };

/** Gives the stored form of a text, or null where it could not be had (the reason is reported by who reads files). */
export type TextLookup = (source: TextSource) => TextRef | null;
