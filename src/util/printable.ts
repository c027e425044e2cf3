/** Control characters, lone surrogates and marks that turn the direction of text have no place in pictures and pages. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (char) => (char === "\n" ? "\n" : "\ufffd"));
}

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/gu;
