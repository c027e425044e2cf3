import type { Env } from "../../core/plan.ts";
import { placeholdersIn, unknownPlaceholders } from "./template.ts";

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

export const EXIT_REASONS = [
  "rate-limit",
  "usage-limit",
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

/** What is wrong with a configured agent, each as a sentence; for the one who reads the configuration. */
export function commandProblems(agent: CommandAgent, builtIn: readonly string[]): string[] {
  const problems: string[] = [];
  const say = (problem: string) => problems.push(`the agent ${JSON.stringify(agent.name)} ${problem}`);
  if (builtIn.includes(agent.name)) say("has the name of one that plait brings along");
  if ((agent.argv[0] ?? "") === "") say("has no program");
  if (placeholdersIn([agent.argv[0] ?? ""]).length > 0) say("has a placeholder in place of its program");
  for (const name of unknownPlaceholders([...agent.argv, ...(agent.readOnlyArgs ?? [])])) {
    say(`uses {${name}}, which plait does not know`);
  }
  for (const [code, reason] of Object.entries(agent.exits)) {
    const isCode = /^\d{1,3}$/.test(code) && Number(code) <= 255;
    if (!isCode || Number(code) === 0) say(`gives a meaning to ${code}, which is no exit code of a failure`);
    if (!EXIT_REASONS.includes(reason)) say(`gives exit code ${code} the meaning ${JSON.stringify(reason)}`);
  }
  return problems;
}
