import { defaultCaps, highestCaps } from "../config/caps.ts";
import type { Caps } from "../core/caps.ts";
import { RequestError } from "./request-error.ts";

/** Every flag of the program, in one table; commands name those that they take. */
export type Flag = {
  /** As commander reads it: short form, long form, value. */
  readonly usage: string;
  readonly says: string;
  /** Gives the value, or throws a RequestError that ends a sentence about what was typed. */
  readonly parse?: (text: string) => unknown;
};

/** The values after parsing. Each field is there only when the flag was given. */
export type Options = {
  readonly color?: boolean;
  readonly ascii?: boolean;
  readonly cwd?: string;
  readonly debug?: boolean;
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly format?: string;
  readonly graph?: GraphKind;
  readonly concurrency?: number;
  readonly agent?: string;
  readonly model?: string;
} & Partial<Caps>;

const graphKinds = ["mermaid", "dot", "svg"] as const;
export type GraphKind = (typeof graphKinds)[number];

const MOST_SLOTS = 256;

export const flags = {
  cwd: { usage: "-C, --cwd <folder>", says: "act as if started in that folder", parse: someText },
  color: { usage: "--color", says: "colours even where no terminal is seen" },
  noColor: { usage: "--no-color", says: "no colours" },
  ascii: { usage: "--ascii", says: "no characters beyond ASCII" },
  debug: { usage: "--debug", says: "show where an unexpected error comes from" },
  json: { usage: "--json", says: "print one JSON document" },
  graph: {
    usage: "--graph <kind>",
    says: "print the graph instead: mermaid, dot or svg",
    parse: oneOf(graphKinds),
  },
  concurrency: {
    usage: "-j, --concurrency <n>",
    says: "how many tasks may run at once",
    parse: wholeNumber(MOST_SLOTS),
  },
  agent: {
    usage: "--agent <name>",
    says: "this agent for every task, whatever the plan says",
    parse: someText,
  },
  model: {
    usage: "--model <name>",
    says: "this model for every task, whatever the plan says",
    parse: someText,
  },
  strict: { usage: "--strict", says: "ownership that cannot be decided is an error, not a warning" },
  format: {
    usage: "--format <name>",
    says: "how the plan is written; else its content decides",
    parse: someText,
  },
  maxPlanBytes: cap("maxPlanBytes", "--max-plan-bytes <n>", "largest plan file"),
  maxDepth: cap("maxDepth", "--max-depth <n>", "deepest nesting of a plan"),
  maxTasks: cap("maxTasks", "--max-tasks <n>", "most tasks of a plan"),
  maxPromptBytes: cap("maxPromptBytes", "--max-prompt-bytes <n>", "largest prompt or context file"),
} satisfies Record<string, Flag>;

export type FlagName = keyof typeof flags;

/** Taken by every command. */
export const globalFlags: readonly FlagName[] = ["cwd", "color", "noColor", "ascii", "debug"];
/** Taken by every command that reads a plan. */
export const planFlags: readonly FlagName[] = [
  "format",
  "strict",
  "maxPlanBytes",
  "maxDepth",
  "maxTasks",
  "maxPromptBytes",
];

function cap(name: keyof Caps, usage: string, what: string): Flag {
  return { usage, says: `${what} (default ${defaultCaps[name]})`, parse: wholeNumber(highestCaps[name]) };
}

function wholeNumber(most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : 0;
    if (value >= 1 && value <= most) return value;
    throw new RequestError(`is not a whole number from 1 to ${most}`);
  };
}

function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((known) => known === text);
    if (word !== undefined) return word;
    throw new RequestError(`is not one of ${words.join(", ")}`);
  };
}

function someText(text: string): string {
  if (text.trim() !== "") return text;
  throw new RequestError("is empty");
}
