import type { Caps } from "../core/caps.ts";
import type { Env } from "../core/plan.ts";
import { highestCaps } from "./settings.ts";

/** What the environment says, in terms of this program. Nothing else in src reads process.env. */
export type EnvSettings = {
  /** What the user asked for; auto leaves it to whether the stream is a terminal. */
  readonly color: "always" | "never" | "auto";
  /** False when the locale cannot show more than ASCII. */
  readonly unicode: boolean;
  /** TERM=dumb: a terminal that cannot move its cursor. */
  readonly isDumb: boolean;
  /** COLORTERM: more colours than sixteen. */
  readonly trueColor: boolean;
  /** COLORFGBG: whether the background is a light one; null where nobody says so. */
  readonly isLight: boolean | null;
  /** Nobody watches: no moving lines. */
  readonly ci: boolean;
  readonly githubActions: boolean;
  /** GITHUB_WORKSPACE: what paths in annotations are relative to. */
  readonly githubWorkspace: string | null;
  /** GITHUB_STEP_SUMMARY: a file whose Markdown the page of a workflow shows. */
  readonly githubStepSummary: string | null;
  /** COLUMNS: how wide text shall be where no terminal says it. */
  readonly columns: number | null;
  readonly caps: Partial<Caps>;
  /** PLAIT_PROGRESS: as --progress, for all commands that show a run. */
  readonly progress: ProgressWord | null;
  /** PLAIT_AGENT and PLAIT_MODEL: as --agent and --model, for command lines that have no such flags. */
  readonly agent: string | null;
  readonly model: string | null;
  /** PO_KEEP_WORKTREE=1, as parallel-orchestra has it: as --keep-worktrees. */
  readonly keepWorktrees: boolean;
  /** IS_SANDBOX=1, by which Claude lets root bypass permissions: as --allow-root. */
  readonly isSandbox: boolean;
  /** HOME and TMPDIR, for files that other systems' command lines keep there. */
  readonly home: string | null;
  readonly tmpDir: string | null;
  readonly cast: CastSettings;
  /** PLAIT_FAILURE_FILE: where a process in the background writes the error that ends it. */
  readonly failureFile: string | null;
  readonly problems: readonly EnvProblem[];
};

/** How a run is shown while it goes on. */
export const progressWords = ["auto", "tty", "plain", "json", "quiet"] as const;
export type ProgressWord = (typeof progressWords)[number];

/** What CAST and its tools say by variables. */
export type CastSettings = {
  /** CAST_SUBPROCESS: an agent asks, and none of its agents shall start others. */
  readonly isSubprocess: boolean;
  readonly dbUrl: string | null;
  readonly dbPath: string | null;
};

/** A variable whose value cannot be used. The message starts with its name. */
export type EnvProblem = { readonly name: string; readonly message: string; readonly hint: string };

/** Everything, as the programs that plait starts are to inherit it. */
export function wholeEnvironment(env: Variables = process.env): Env {
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(set);
}

type Variables = Readonly<Record<string, string | undefined>>;

export function readEnv(env: Variables = process.env): EnvSettings {
  const problems: EnvProblem[] = [];
  return {
    color: colorOf(env),
    unicode: isUnicode(env),
    isDumb: env["TERM"] === "dumb",
    trueColor: /^(?:truecolor|24bit)$/i.test(env["COLORTERM"] ?? ""),
    isLight: lightOf(env["COLORFGBG"]),
    ci: isOn(env["CI"]),
    githubActions: isOn(env["GITHUB_ACTIONS"]),
    githubWorkspace: env["GITHUB_WORKSPACE"] || null,
    githubStepSummary: env["GITHUB_STEP_SUMMARY"] || null,
    columns: /^\d{1,4}$/.test(env["COLUMNS"] ?? "") ? Number(env["COLUMNS"]) : null,
    caps: readCaps(env, problems),
    progress: readProgress(env, problems),
    agent: env["PLAIT_AGENT"] || null,
    model: env["PLAIT_MODEL"] || null,
    keepWorktrees: env["PO_KEEP_WORKTREE"] === "1",
    isSandbox: env["IS_SANDBOX"] === "1",
    home: env["HOME"] || null,
    tmpDir: env["TMPDIR"] || null,
    cast: {
      isSubprocess: env["CAST_SUBPROCESS"] === "1",
      dbUrl: env["CAST_DB_URL"] || null,
      dbPath: env["CAST_DB_PATH"] || null,
    },
    failureFile: env["PLAIT_FAILURE_FILE"] || null,
    problems,
  };
}

/** As Node decides it: FORCE_COLOR beats NO_COLOR, and each counts only when it is not empty. */
function colorOf(env: Variables): EnvSettings["color"] {
  const force = env["FORCE_COLOR"];
  if (force) return isOn(force) ? "always" : "never";
  if (env["NO_COLOR"]) return "never";
  if (isOn(env["CLICOLOR_FORCE"])) return "always";
  return env["TERM"] === "dumb" ? "never" : "auto";
}

/** Without a word about the locale UTF-8 is assumed, as in most containers. */
function isUnicode(env: Variables): boolean {
  if (env["TERM"] === "dumb") return false;
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"];
  return !locale || /utf-?8/i.test(locale);
}

/** `15;0`: the number of the background comes last; 7 and from 9 on they are light. */
function lightOf(value: string | undefined): boolean | null {
  const last = /(?:^|;)(\d{1,2})$/.exec(value ?? "")?.[1];
  return last === undefined ? null : Number(last) === 7 || Number(last) > 8;
}

function readProgress({ PLAIT_PROGRESS: written }: Variables, problems: EnvProblem[]): ProgressWord | null {
  if (!written) return null;
  const word = progressWords.find((known) => known === written);
  if (word !== undefined) return word;
  const message = `PLAIT_PROGRESS must be one of ${progressWords.join(", ")}, not ${JSON.stringify(written.slice(0, 40))}`;
  problems.push({ name: "PLAIT_PROGRESS", message, hint: "set it to one of these, or unset PLAIT_PROGRESS" });
  return null;
}

const capVariables: { readonly [Cap in keyof Caps]: string } = {
  maxPlanBytes: "PLAIT_MAX_PLAN_BYTES",
  maxDepth: "PLAIT_MAX_DEPTH",
  maxTasks: "PLAIT_MAX_TASKS",
  maxPromptBytes: "PLAIT_MAX_PROMPT_BYTES",
};

function readCaps(env: Variables, problems: EnvProblem[]): Partial<Caps> {
  const caps: { -readonly [Cap in keyof Caps]?: number } = {};
  for (const [cap, name] of Object.entries(capVariables) as [keyof Caps, string][]) {
    const written = env[name];
    if (!written) continue;
    const value = /^\d{1,12}$/.test(written) ? Number(written) : Number.NaN;
    if (value >= 1 && value <= highestCaps[cap]) caps[cap] = value;
    else {
      const message = `${name} must be a whole number from 1 to ${highestCaps[cap]}, not ${JSON.stringify(written.slice(0, 40))}`;
      problems.push({ name, message, hint: `set it to a number, or unset ${name}` });
    }
  }
  return caps;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value.toLowerCase() !== "false";
}
