import { code, inline } from "../util/markdown-text.ts";

/**
 * Text that servers find nothing in: no `@name`, `#12`, `owner/name#12`, commit, address or formula. Plain prose stays as it is, all
 * else is code.
 */
export function quiet(text: string, asCode: (text: string) => string = code): string {
  const isProse = /^[\p{L}\p{M}\p{N} .,;:'’()…"?!%–—-]*$/u.test(text);
  return isProse && !/[0-9a-f]{7}|\bgh-\d|www\.|\w\.\w/i.test(text) ? inline(text) : asCode(text);
}

/** A sentence of plait's own, in which a branch or an address may stand; commits are to be linked. */
export const quietWords = (text: string): string =>
  text.replace(/\S*[^\s.,;:]/g, (word) => (/^[0-9a-f]{7}$/.test(word) ? word : quiet(word)));

/** Prose of others, word for word: only the words that could link or mention become code. */
export const quietProse = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/\(?\S*[^\s.,;:)]/g, (word) =>
      word.startsWith("(") ? `(${quiet(word.slice(1))}` : quiet(word),
    );
