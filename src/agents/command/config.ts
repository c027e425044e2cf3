import type { Env } from "../../core/plan.ts";
import { nearest } from "../../core/suggest.ts";
import { PLAIN_REASONS } from "../plain-reasons.ts";
import { PLACEHOLDERS, placeholdersIn, unknownPlaceholders } from "./template.ts";

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

/** Reasons that a code alone can tell. */
export type ExitReason = (typeof EXIT_REASONS)[number];

export const EXIT_REASONS = ["rate-limit", "usage-limit", ...PLAIN_REASONS] as const;

/** What is wrong with a configured agent: a sentence, and which part of it is meant. */
export type CommandProblem = {
  readonly message: string;
  readonly hint: string | null;
  /** The field, and in it an argument or an exit code; null is the agent itself. */
  readonly at: readonly ["argv" | "readOnlyArgs" | "versionArgv", number] | readonly ["exits", string] | null;
};

type SayProblem = (problem: string, hint: string | null, at?: CommandProblem["at"]) => void;

/** For the one who reads the configuration. */
export function commandProblems(agent: CommandAgent, builtIn: readonly string[]): CommandProblem[] {
  const problems: CommandProblem[] = [];
  const say: SayProblem = (problem, hint, at = null) =>
    problems.push({ message: `the agent ${JSON.stringify(agent.name)} ${problem}`, hint, at });
  if (builtIn.includes(agent.name)) say("has the name of one that plait brings along", "choose another name");
  else if (!NAME.test(agent.name)) say("has a name that cannot be used", NAME_HINT);
  checkArguments(agent, say);
  checkExits(agent, say);
  return problems;
}

function checkArguments(agent: CommandAgent, say: SayProblem): void {
  const [program = ""] = agent.argv;
  if (program.trim() === "") say("has no program", "begin the list with one", ["argv", 0]);
  if (placeholdersIn([program]).length > 0)
    say("has a placeholder in place of its program", "begin the list with a program", ["argv", 0]);
  for (const field of ["argv", "readOnlyArgs", "versionArgv"] as const) {
    for (const [i, arg] of (agent[field] ?? []).entries()) {
      if (arg.includes("\0")) say("has an argument with a NUL character", null, [field, i]);
      if (field === "versionArgv") continue; // no template
      for (const name of unknownPlaceholders([arg]))
        say(`uses {${name}}, which plait does not know`, placeholderHint(name), [field, i]);
    }
  }
}

function checkExits({ exits }: CommandAgent, say: SayProblem): void {
  for (const [code, reason] of Object.entries(exits)) {
    const at = ["exits", code] as const;
    const isCode = /^[1-9]\d{0,2}$/.test(code) && Number(code) <= 255;
    if (!isCode)
      say(`gives a meaning to ${code}, which is no exit code of a failure`, "they go from 1 to 255", at);
    if (!EXIT_REASONS.includes(reason)) {
      const known = `use one of ${EXIT_REASONS.join(", ")}`;
      say(`gives exit code ${code} the meaning ${JSON.stringify(reason)}`, known, at);
    }
  }
}

/** It stands in plans, in flags and in the state of accounts. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const NAME_HINT =
  "use letters, digits, dots, dashes and underscores, at most 64, and begin with a letter or digit";

function placeholderHint(name: string): string {
  const meant = nearest(name, PLACEHOLDERS);
  return meant === null
    ? `it knows ${PLACEHOLDERS.map((known) => `{${known}}`).join(", ")}`
    : `did you mean {${meant}}?`;
}
