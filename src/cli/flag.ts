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
