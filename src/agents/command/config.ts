import type { Env } from "../../core/plan.ts";
import { nearest } from "../../core/suggest.ts";
import { PLAIN_REASONS } from "../adapter.ts";

/** An agent that the user configured: any program that takes a prompt and works in its current folder. */
export type CommandAgent = {
  readonly name: string;
  /** Null: the name. */
  readonly title: string | null;
  /** A template: `{prompt-file}`, `{worktree}`, `{model}`, `{name}`, `{task}` are filled in. */
  readonly argv: readonly string[];
  /** Added for read-only tasks; null when the program has no such mode. */
  readonly readOnlyArgs: readonly string[] | null;
  readonly env: Env;
  /** Prints the version; null where it cannot be asked. */
  readonly versionArgv: readonly string[] | null;
  /** Whose limits its attempts share. */
  readonly account: string | null;
  /** Failures that the program tells by its exit code; every other code but 0 is an agent-error. */
  readonly exits: { readonly [code: string]: ExitReason };
};

export type ExitReason = (typeof EXIT_REASONS)[number];

export const EXIT_REASONS = ["rate-limit", "usage-limit", ...PLAIN_REASONS] as const;

export type CommandProblem = {
  /** The end of a sentence that begins with the agent. */
  readonly problem: string;
  readonly hint: string | null;
  /** The field, and in it an argument or an exit code; null is the agent itself. */
  readonly at: readonly ["argv" | "readOnlyArgs" | "versionArgv", number] | readonly ["exits", string] | null;
};

type ReportProblem = (problem: string, hint: string | null, at?: CommandProblem["at"]) => void;

export function commandProblems(agent: CommandAgent, builtIn: readonly string[]): CommandProblem[] {
  const problems: CommandProblem[] = [];
  const report: ReportProblem = (problem, hint, at = null) => problems.push({ problem, hint, at });
  if (builtIn.includes(agent.name)) report("has the name of a built-in agent", "rename it: `my-claude`");
  else if (!NAME.test(agent.name)) report("has an invalid name", NAME_HINT);
  checkArguments(agent, report);
  checkExits(agent, report);
  return problems;
}

function checkArguments(agent: CommandAgent, report: ReportProblem): void {
  const [program = ""] = agent.argv;
  if (program.trim() === "")
    report("does not name a program to run", "start the list with a program: `run: [my-agent]`", ["argv", 0]);
  if (placeholdersIn([program]).length > 0)
    report("has a placeholder as the program to run", "start the list with a program: `run: [my-agent]`", [
      "argv",
      0,
    ]);
  for (const field of ["argv", "readOnlyArgs", "versionArgv"] as const) {
    for (const [i, arg] of (agent[field] ?? []).entries()) {
      if (arg.includes("\0")) report("has an argument with a NUL character", null, [field, i]);
      if (field === "versionArgv") continue; // no template
      for (const name of namesIn([arg]).filter((one) => !isPlaceholder(one)))
        report(`uses the unknown placeholder {${name}}`, placeholderHint(name), [field, i]);
    }
  }
}

function checkExits({ exits }: CommandAgent, report: ReportProblem): void {
  for (const [code, reason] of Object.entries(exits)) {
    const at = ["exits", code] as const;
    const isCode = /^[1-9]\d{0,2}$/.test(code) && Number(code) <= 255;
    if (!isCode)
      report(`has the exit code ${code}`, "use codes from 1 to 255: `exits: { 75: rate-limit }`", at);
    if (!EXIT_REASONS.includes(reason)) {
      const known = `use one of ${EXIT_REASONS.join(", ")}`;
      report(`has the unknown reason ${JSON.stringify(reason)} for exit code ${code}`, known, at);
    }
  }
}

/** It stands in plans, in flags and in the state of accounts. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const NAME_HINT = "use up to 64 letters, digits, dots, dashes and underscores: `my-agent`";

function placeholderHint(name: string): string {
  const meant = nearest(name, PLACEHOLDERS);
  return meant === null
    ? `use a known placeholder: ${PLACEHOLDERS.map((known) => `{${known}}`).join(", ")}`
    : `did you mean {${meant}}?`;
}

/** Arguments with placeholders. Each stays one argument whatever is put into it: nothing goes through a shell. */

const PLACEHOLDERS = ["prompt-file", "worktree", "model", "name", "task"] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];
type Values = { readonly [P in Placeholder]: string | null };

const PATTERN = /\{([a-z][a-z-]*)\}/g;

/** The arguments, or the first placeholder that has no value. */
export function fillIn(
  argv: readonly string[],
  values: Values,
):
  | { readonly ok: true; readonly argv: readonly string[] }
  | { readonly ok: false; readonly missing: Placeholder } {
  const missing = placeholdersIn(argv).find((name) => values[name] === null);
  if (missing !== undefined) return { ok: false, missing };
  const fill = (whole: string, name: string) => (isPlaceholder(name) ? values[name] : null) ?? whole;
  return { ok: true, argv: argv.map((arg) => arg.replace(PATTERN, fill)) };
}

export function placeholdersIn(argv: readonly string[]): Placeholder[] {
  return namesIn(argv).filter(isPlaceholder);
}

function namesIn(argv: readonly string[]): string[] {
  return argv.flatMap((arg) => [...arg.matchAll(PATTERN)].map(([, name = ""]) => name));
}

function isPlaceholder(name: string): name is Placeholder {
  return (PLACEHOLDERS as readonly string[]).includes(name);
}
