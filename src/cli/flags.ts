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

/** What the value of a flag is called: `a name`. */
export function valueName({ usage }: Flag): string | null {
  const word = /<(\w+)>/.exec(usage)?.[1];
  return word === undefined ? null : `a ${word === "n" ? "number" : word}`;
}

/** A word that begins like a flag is one, and no value; numbers below zero are told what is wrong with them. */
export function looksLikeFlag(text: string): boolean {
  return text.startsWith("-") && !/^-\d+$/.test(text);
}

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
  ascii: { usage: "--ascii", says: "print ASCII only; other characters are spelled out" },
  debug: { usage: "--debug", says: "show where an unexpected error comes from" },
  json: { usage: "--json", says: "print one JSON document" },
  graph: {
    usage: "--graph <kind>",
    says: "print the graph instead: mermaid, dot or svg",
    parse: oneOf(graphKinds),
  },
  concurrency: {
    usage: "-j, --concurrency <n>",
    says: `how many attempts may run at once, up to ${MOST_SLOTS}`,
    parse: wholeNumber(MOST_SLOTS),
  },
  agent: {
    usage: "--agent <name>",
    says: "this agent for every task, whatever the plan says",
    parse: someName,
  },
  model: {
    usage: "--model <name>",
    says: "this model for every task, whatever the plan says",
    parse: someName,
  },
  strict: { usage: "--strict", says: "ownership that cannot be decided is an error, not a warning" },
  format: {
    usage: "--format <name>",
    says: "how the plan is written; else its content decides",
    parse: someText,
  },
  maxPlanBytes: cap("maxPlanBytes", "--max-plan-bytes <n>", "largest plan file in bytes"),
  maxDepth: cap("maxDepth", "--max-depth <n>", "deepest nesting of a plan"),
  maxTasks: cap("maxTasks", "--max-tasks <n>", "most tasks of a plan"),
  maxPromptBytes: cap("maxPromptBytes", "--max-prompt-bytes <n>", "largest prompt or context file in bytes"),
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
  const most = highestCaps[name];
  return { usage, says: `${what} (default ${defaultCaps[name]}, up to ${most})`, parse: wholeNumber(most) };
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
    throw new RequestError(notOneOf(words));
  };
}

/** The end of a sentence about a word that is not among these. */
export function notOneOf(words: readonly string[]): string {
  return words.length === 1 ? `is not known: only ${words[0]} is known` : `is not one of ${words.join(", ")}`;
}

function someText(text: string): string {
  if (text.trim() !== "") return text;
  throw new RequestError("is empty");
}

/** It becomes an argument of another program, so it is held to what a plan may say (finding `bad-agent`). */
function someName(text: string): string {
  someText(text);
  if (text.startsWith("-")) throw new RequestError("would be taken for an option");
  if (text !== text.trim()) throw new RequestError("begins or ends with a blank");
  if (/\p{Cc}/u.test(text)) throw new RequestError("contains a control character");
  return text;
}
