// Whether a text quotes another one word for word. Line breaks, emphasis and the shape of quotation marks are no words.

import { lineFinder } from "../../util/lines.ts";

/** What was found, as the document itself says it, and the line that it begins in. */
export type Quote = { readonly text: string; readonly line: number };

export type Quotable = { readonly find: (quoted: string) => Quote | null };

export function quotable(document: string): Quotable {
  const { plain, places } = plainText(document);
  const lineOf = lineFinder(document);
  return {
    find: (quoted) => {
      const wanted = plainText(quoted).plain.trim();
      const at = wanted === "" ? -1 : plain.indexOf(wanted);
      if (at === -1) return null;
      const start = places[at] ?? 0;
      const end = (places[at + wanted.length - 1] ?? start) + 1;
      return { text: document.slice(start, end).replace(/\s+/g, " "), line: lineOf(start) };
    },
  };
}

/** The text as it is compared, and where each of its characters stands. */
function plainText(text: string): { readonly plain: string; readonly places: readonly number[] } {
  const chars: string[] = [];
  const places: number[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charAt(i);
    if (MARKUP.test(char)) continue;
    const plain = /\s/.test(char) ? " " : (SAME[char] ?? char);
    if (plain === " " && (chars.length === 0 || chars.at(-1) === " ")) continue;
    chars.push(plain);
    places.push(i);
  }
  return { plain: chars.join(""), places };
}

const MARKUP = /[*`\\]/;
const SAME: { readonly [char: string]: string } = {
  "’": "'",
  "‘": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
};
