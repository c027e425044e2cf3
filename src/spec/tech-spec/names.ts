// Ids and file names of tech specs: TS-0042 and TS-0042-inventory-service.md.

/** Whether a text is an id as it is written: at least four digits. */
export function isTechSpecId(text: string): boolean {
  return /^TS-\d{4,15}$/.test(text);
}

export function techSpecId(number: number): string {
  return `TS-${String(number).padStart(4, "0")}`;
}

/** What people type for an id: TS-0042, ts-42, 42. Null for anything else, such as a path. */
export function numberAsked(word: string): number | null {
  const digits = /^(?:ts-?)?(\d{1,15})$/i.exec(word.trim())?.[1];
  return digits === undefined ? null : Number(digits);
}

export function numberOfFile(name: string): number | null {
  const digits = /^ts-(\d{1,15})(?!\d)/i.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** One more than the highest: a number that was given away once, and whose file is gone, is seldom taken again. */
export function nextNumber(taken: Iterable<number>): number {
  let highest = 0;
  for (const number of taken) highest = Math.max(highest, number);
  return highest + 1;
}

/** A title of which nothing can be kept gives the id alone. */
export function techSpecFile(number: number, title: string): string {
  const slug = kebab(title);
  return `${techSpecId(number)}${slug === "" ? "" : `-${slug}`}.md`;
}

const LONGEST = 60;

/** Letters that no accent can be taken from. */
const SPELLED: { readonly [letter: string]: string } = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", þ: "th", ı: "i" },
  ...{ "&": " and ", "+": " plus " },
};

/** Lower-case words with dashes, in ASCII, cut between words; empty where the title has no letter of that kind. */
export function kebab(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[ßæœøđłþı&+]/g, (letter) => SPELLED[letter] ?? "")
    .normalize("NFKD")
    .replace(/\p{M}|['’]/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  if (slug.length <= LONGEST) return slug;
  const cut = slug.slice(0, LONGEST + 1).replace(/-[^-]*$/, "");
  return cut.length <= LONGEST ? cut : cut.slice(0, LONGEST); // one word that is longer than all of it
}

/** Front matter and headings have one line each. */
export function toOneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/ +/g, " ")
    .trim();
}
