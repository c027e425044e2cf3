import { RequestError } from "./request-error.ts";

/** A flag of the program, and the readers of values that several have. */
export type Flag = {
  /** As commander reads it: short form, long form, value. */
  readonly usage: string;
  readonly says: string;
  /** Gives the value, or throws a RequestError that ends a sentence about what was typed. */
  readonly parse?: (text: string) => unknown;
  /** May be given more than once; the value is the list. */
  readonly isList?: true;
};

export function wholeNumber(most: number, least = 1): (text: string) => number {
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
    throw new RequestError(notOneOf(words));
  };
}

/** The end of a sentence about a word that is not among these. */
export function notOneOf(words: readonly string[]): string {
  return words.length === 1 ? `is not known: only ${words[0]} is known` : `is not one of ${words.join(", ")}`;
}

export function someText(text: string): string {
  if (text.trim() !== "") return text;
  throw new RequestError("is empty");
}

export function money(text: string): number {
  const value = /^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (value > 0) return value;
  throw new RequestError("is not an amount above 0, such as 5 or 2.50");
}

const UNITS: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000 };
const LONGEST_MS = 7 * 24 * 3_600_000;

export function duration(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const value = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (value > 0 && value <= LONGEST_MS) return value;
  throw new RequestError("is not a duration such as 90s, 45m or 2h, of at most 168h");
}

/** It becomes an argument of another program, so it is held to what a plan may say (finding `bad-agent`). */
export function someName(text: string): string {
  someText(text);
  if (text.startsWith("-")) throw new RequestError("would be taken for an option");
  if (text !== text.trim()) throw new RequestError("begins or ends with a blank");
  if (/\p{Cc}/u.test(text)) throw new RequestError("contains a control character");
  return text;
}
