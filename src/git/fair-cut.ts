// A diff of which there is too much: every file gets a part of the room before any gets all of it, and what is left out of a file
// is said below it. The text is masked before it is cut, because half a secret is no secret that anybody would find (I13).

export type CutText = {
  readonly text: string;
  /** How much was left out; what was not even made counts with the size of its files. */
  readonly cutBytes: number;
};

export type Mask = (text: string) => string;

/** One file of the diff; `cut` is how many of its bytes are not in `kept`. */
type Section = { readonly kept: Buffer; readonly cut: number };

/** No more is kept than is wanted, however much comes (I10). */
export function createFairCut(maxBytes: number, mask: Mask | null) {
  const room = Math.max(0, maxBytes - NOTE_BYTES); // for the last line
  let sections: Section[] = [];
  const gone = { files: 0, bytes: 0 };
  return {
    /** The next files, in the order in which they are shown. */
    add: (diff: Buffer): void => {
      const all = [...sections, ...filesOf(diff).map((file) => masked(file, maxBytes, mask))];
      const isAll = total(all.map(sizeOf)) <= maxBytes;
      const kept = gone.files > 0 ? sections : isAll ? all : shared(all, room);
      gone.files += all.length - kept.length;
      gone.bytes += total(all.slice(kept.length).map(({ kept: text, cut }) => text.length + cut));
      sections = kept;
    },
    /** There is no room for any more files. */
    isFull: (): boolean => gone.files > 0,
    /** With what was never added. */
    take: (unmade: { readonly files: number; readonly bytes: number }): CutText => {
      const files = gone.files + unmade.files;
      const more = files === 0 || maxBytes < NOTE_BYTES ? "" : moreNote(files);
      const cutBytes = total(sections.map(({ cut }) => cut)) + gone.bytes + unmade.bytes;
      return { text: `${sections.map(textOf).join("")}${more}`, cutBytes };
    },
  };
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0);

/** Ends what is shown of a file that was cut. No line of a diff begins like this. */
const note = (bytes: number): string =>
  `[${bytes.toLocaleString("en-US")} bytes of this file are left out]\n`;
const moreNote = (files: number): string =>
  `[${files.toLocaleString("en-US")} more ${files === 1 ? "file is" : "files are"} left out]\n`;
const NOTE_BYTES = 60;
/** With less nothing can be said about a file but its name. */
const LEAST_BYTES = 400;

function textOf({ kept, cut }: Section): string {
  const text = kept.toString("utf8");
  return cut === 0 ? text : `${text}${text.endsWith("\n") ? "" : "\n"}${note(cut)}`;
}

const HEAD = Buffer.from("\ndiff --git ");

function filesOf(diff: Buffer): Buffer[] {
  const files: Buffer[] = [];
  for (let start = 0; start < diff.length; ) {
    const next = diff.indexOf(HEAD, start);
    const end = next === -1 ? diff.length : next + 1;
    files.push(diff.subarray(start, end));
    start = end;
  }
  return files;
}

/** More than any secret has; a secret that goes on behind the end of what is looked at may show in the last of these only. */
const GUARD_BYTES = 64 * 1024;

function masked(file: Buffer, maxBytes: number, mask: Mask | null): Section {
  if (mask === null) return { kept: file, cut: 0 };
  const most = maxBytes + 2 * GUARD_BYTES;
  const kept = Buffer.from(mask(file.toString("utf8", 0, most)));
  if (file.length <= most) return { kept, cut: 0 };
  return cutTo({ kept, cut: file.length - most }, Math.max(0, kept.length - GUARD_BYTES));
}

/** Small files stay whole, and all others get the same. Where the files are too many, the last of them are left out. */
function shared(sections: readonly Section[], room: number): Section[] {
  const sizes = sections.map(sizeOf);
  let [served, tooMany] = [0, sections.length + 1];
  while (tooMany - served > 1) {
    const middle = (served + tooMany) >> 1;
    if (waterLevel(sizes.slice(0, middle), room) >= LEAST_BYTES) served = middle;
    else tooMany = middle;
  }
  const level = waterLevel(sizes.slice(0, served), room);
  return sections
    .slice(0, served)
    .map((section) => (sizeOf(section) <= level ? section : cutTo(section, level - NOTE_BYTES)));
}

const sizeOf = ({ kept, cut }: Section): number => kept.length + (cut === 0 ? 0 : NOTE_BYTES);

/** The size up to which all are whole, so that all together have room. */
function waterLevel(sizes: readonly number[], room: number): number {
  let left = room;
  const ascending = [...sizes].sort((a, b) => a - b);
  for (const [n, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - n));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/** At the end of a line; only of a line that is longer than half of all there is room for, its beginning stays. */
function cutTo({ kept, cut }: Section, most: number): Section {
  if (kept.length <= most) return { kept, cut };
  const line = kept.lastIndexOf("\n", Math.max(0, most - 1)) + 1;
  const end = line === 0 || line >= most / 2 ? line : characterStart(kept, most - 1);
  return { kept: kept.subarray(0, end), cut: cut + kept.length - end };
}

/** Never in the middle of a character. */
function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && ((bytes[start] as number) & 0xc0) === 0x80) start -= 1;
  return start;
}
