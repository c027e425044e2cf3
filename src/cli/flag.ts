import { RequestError } from "./request-error.ts";

/** A command-line flag, and the parsers that several flags share. */
export type Flag = {
  /** As commander reads it: short form, long form, value. */
  readonly usage: string;
  /** For help. Absent: help prints the flag on the line of the flag in front of it. */
  readonly summary?: string | undefined;
  /** Returns the value, or throws a RequestError whose message follows the flag and the value. */
  readonly parse?: ((text: string) => unknown) | undefined;
  /** Repeatable; the value is a list. */
  readonly isList?: true;
};

/** A value without a parser of its own is any text that is not empty. */
export function flag(usage: string, summary?: string, parse?: Flag["parse"]): Flag {
  return { usage, summary, parse: parse ?? (usage.includes("<") ? parseNonEmpty : undefined) };
}

export function listFlag(usage: string, summary: string, parse?: Flag["parse"]): Flag {
  return { ...flag(usage, summary, parse), isList: true };
}

/** Flags by the name of their option, with the type of their value. */
export type Values<Name extends string, Value> = { readonly [N in Name]?: Value };

/** Without what was not given. */
export function pickGiven<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

export function parseInteger(most: number, least = 1): (text: string) => number {
  return (text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new RequestError(`is not a whole number from ${least} to ${most}`);
  };
}

export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((known) => known === text);
    if (word !== undefined) return word;
    throw new RequestError(formatNotOneOf(words));
  };
}

/** The message about a value that is not in the list; follows the value. */
export function formatNotOneOf(words: readonly string[]): string {
  return words.length === 1 ? `is not ${words[0]}` : `is not one of ${words.join(", ")}`;
}

export function parseNonEmpty(text: string): string {
  if (text.trim() !== "") return text;
  throw new RequestError("is empty");
}

export function parseUsd(text: string): number {
  const value = /^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0) return value;
  if (value === 0) throw new RequestError("is not more than 0");
  throw new RequestError("is not an amount in USD, such as 5 or 2.50");
}

const UNITS: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000 };
const LONGEST_MS = 7 * 24 * 3_600_000;

export function parseDuration(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const value = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (value > 0 && value <= LONGEST_MS) return value;
  throw new RequestError("is not a time such as 90s, 45m or 2h (max 168h)");
}

/** The name becomes an argument of another program: the rules of finding `bad-agent`. */
export function parseName(text: string): string {
  parseNonEmpty(text);
  if (text.startsWith("-")) throw new RequestError("begins with a dash");
  if (text !== text.trim()) throw new RequestError("begins or ends with a space");
  if (/\p{Cc}/u.test(text)) throw new RequestError("contains a control character");
  return text;
}
