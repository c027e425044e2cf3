/** What a report may hold, so that its size is bounded by the plan and not by what agents print (I10). */

/** Of the last words of one agent, and of the end of what failed, in characters. */
export const MOST_SAID = 4_000;
export const MOST_OUTPUT = 4_000;
/** Of all such texts together. */
export const MOST_TEXT = 2_000_000;
export const MOST_ATTEMPTS = 20;
export const MOST_NEEDS = 100;
export const MOST_MOMENTS = 400;
export const MOST_REFS = 200;
/** Files of one diff, and artefacts of one place. */
export const MOST_FILES = 30;
export const MOST_FINDINGS = 20;

/** A text whose middle is left out: its beginning says what it is about, its end how it came out. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = upTo(text, Math.floor(most / 2));
  const tail = text.slice(startOf(text, text.length - Math.floor(most / 2)));
  return `${head}\n[${text.length - head.length - tail.length} characters are left out]\n${tail}`;
}

/** The last of it, from the start of a line. */
export function endOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const from = text.length - most;
  const line = text.indexOf("\n", from) + 1;
  return text.slice(line > 0 && line < text.length ? line : startOf(text, from));
}

/** Never between the two halves of a character. */
const isTail = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text.charAt(at));
const upTo = (text: string, at: number): string => text.slice(0, isTail(text, at) ? at - 1 : at);
const startOf = (text: string, at: number): number => (isTail(text, at) ? at + 1 : at);
