// Bytes as a person would read them: without the codes that color a text, without characters that nobody sees, without what was
// erased again, and with escapes (`\u0041`, `\/`, `\"`, however often they are quoted) as what they stand for. A secret that is
// split or written by such means is found in what this gives, and its place in the bytes is known (I13).

export type View = {
  readonly bytes: Buffer;
  /** Where a byte of the view, and where what ends before it, lies in what was looked at. */
  readonly start: (index: number) => number;
  readonly end: (index: number) => number;
  /** The first byte of the view that lies there or later. */
  readonly index: (at: number) => number;
  /** From here on more has to come before anybody can tell: half an escape. */
  readonly pending: number;
  /** It leaves out something that may hold more than layout: links, titles, erased text. */
  readonly hasLeftOut: boolean;
  /** Letters behind a backslash: one that is not an escape may begin something. */
  readonly letters: readonly number[];
};

const [BEL, BS, LF, CR, TAB, ESC, BACKSLASH] = [0x07, 0x08, 0x0a, 0x0d, 0x09, 0x1b, 0x5c] as const;
const CSI = 0x9b;
const ST = 0x9c;
/** A sequence that goes on for longer is none. */
const LONGEST = 4096;

/** 1: this byte may begin something that is not what it looks like. */
const trigger = new Uint8Array(256);
for (let byte = 0; byte < 0x20; byte += 1) if (![TAB, LF, CR].includes(byte as 9)) trigger[byte] = 1;
for (const byte of [BACKSLASH, 0x7f, 0xc2, 0xcc, 0xcd, 0xd8, 0xe1, 0xe2, 0xe3, 0xef, 0xf3]) trigger[byte] = 1;

/** Null: it is what it looks like. `isLast`: nothing comes that could complete half an escape. */
export function viewVisible(raw: Buffer, isLast: boolean): View | null {
  let at = 0;
  while (at < raw.length && trigger[raw[at] as number] === 0) at += 1;
  return at === raw.length ? null : new Viewer(raw, isLast).view(at);
}

class Viewer {
  readonly #raw: Buffer;
  readonly #isLast: boolean;
  readonly #bytes: Buffer;
  #length = 0;
  /** By part: where it begins in the view and in the bytes, and how many bytes one that stands for a character has; 0: as is. */
  readonly #parts: number[] = [];
  readonly #letters: number[] = [];
  #hasLeftOut = false;
  /** Of the last character that was read. */
  #end = 0;

  constructor(raw: Buffer, isLast: boolean) {
    this.#raw = raw;
    this.#isLast = isLast;
    this.#bytes = Buffer.allocUnsafe(raw.length + 4);
  }

  view(first: number): View {
    const raw = this.#raw;
    this.#length = raw.copy(this.#bytes, 0, 0, first);
    if (first > 0) this.#parts.push(0, 0, 0);
    let at = first;
    while (at < raw.length) {
      const plainEnd = this.#plain(at);
      if (plainEnd > at) {
        at = plainEnd;
        continue;
      }
      const next = this.#next(at);
      if (next === INCOMPLETE) break;
      at = next;
    }
    const told = { pending: at, hasLeftOut: this.#hasLeftOut, letters: this.#letters };
    return { ...told, ...createPlaces(this.#bytes.subarray(0, this.#length), this.#parts, at) };
  }

  /** Takes what is as it looks; gives where that ends. */
  #plain(from: number): number {
    const raw = this.#raw;
    let at = from;
    const shift = this.#length - at;
    for (let byte = raw[at] as number; at < raw.length && trigger[byte] === 0; byte = raw[at] as number) {
      this.#bytes[at + shift] = byte;
      at += 1;
    }
    if (at > from) this.#parts.push(this.#length, from, 0);
    this.#length = at + shift;
    return at;
  }

  /** Deals with one character that may not be as it looks; gives where the next one begins. */
  #next(at: number): number {
    const raw = this.#raw;
    const byte = raw[at] as number;
    const after = byte === ESC ? colorEnd(raw, at) : byte === BACKSLASH ? this.#quoted(at) : 0;
    if (after > 0) return after;
    const code = this.#read(at);
    if (code === INCOMPLETE) return INCOMPLETE;
    const end = this.#end;
    if (byte === BACKSLASH || code <= 0x7f || isInvisible(code)) return this.#hide(code, at, end);
    this.#parts.push(this.#length, at, 0);
    this.#length += raw.copy(this.#bytes, this.#length, at, end);
    return end;
  }

  /** The most frequent escapes: one backslash, and a character that stands for one other. 0: another kind. */
  #quoted(at: number): number {
    const char = at + 1 < this.#raw.length ? (QUOTED[this.#raw[at + 1] as number] as number) : 0;
    if (char === 0) return 0;
    this.#parts.push(this.#length, at, 2);
    if (char < 0x20) this.#letters.push(at + 1);
    this.#bytes[this.#length++] = char;
    return at + 2;
  }

  /** Deals with a character that is not as it looks; gives where the next one begins. */
  #hide(code: number, at: number, end: number): number {
    if (code === ESC || code === CSI) return this.#sequenceEnd(code, at, end);
    if (code === BS) this.#erase();
    else if (code !== NOTHING && !isInvisible(code)) this.#character(code, at, end);
    return end;
  }

  #character(code: number, at: number, end: number): void {
    this.#parts.push(this.#length, at, end - at);
    if (code < 0x80) this.#bytes[this.#length++] = code;
    else this.#length += this.#bytes.write(String.fromCodePoint(code), this.#length);
  }

  /** The character before, unless a line ends there. Where that was given out already, nothing. */
  #erase(): void {
    this.#hasLeftOut = true;
    if (this.#length === 0 || this.#bytes[this.#length - 1] === LF) return;
    do this.#length -= 1;
    while (this.#length > 0 && ((this.#bytes[this.#length] as number) & 0xc0) === 0x80);
    while (this.#parts.length > 0 && (this.#parts.at(-3) as number) >= this.#length) this.#parts.length -= 3;
  }

  /** The character there, escaped or not; NOTHING for backslashes alone. Sets where it ends. */
  #read(at: number): number {
    const raw = this.#raw;
    const byte = raw[at] as number;
    this.#end = at + 1;
    if (byte === BACKSLASH) return this.#readEscape(at);
    if (byte < 0xc0) return byte;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    if (at + length > raw.length) return this.#missing(at, byte);
    let code = byte & (0x7f >> length);
    for (let i = at + 1; i < at + length; i += 1) {
      if (((raw[i] as number) & 0xc0) !== 0x80) return 0xfffd; // no UTF-8
      code = (code << 6) | ((raw[i] as number) & 0x3f);
    }
    this.#end = at + length;
    return code > 0x10ffff ? 0xfffd : code;
  }

  /** Any number of backslashes: each time something is quoted they double. */
  #readEscape(at: number): number {
    const raw = this.#raw;
    let i = at + 1;
    while (i < raw.length && raw[i] === BACKSLASH) i += 1;
    if (i === raw.length) return this.#missing(at, NOTHING, i);
    this.#letters.push(i);
    const byte = raw[i] as number;
    if (byte < 0x20 || byte > 0x7e) {
      this.#end = i;
      return NOTHING;
    }
    this.#end = i + 1;
    const simple = SIMPLE[String.fromCharCode(byte)];
    if (simple !== undefined) return simple;
    if (byte === 0x78) return this.#figures(at, { from: i + 1, count: 2, digits: HEX, otherwise: byte }); // x
    if (byte === 0x30) return this.#figures(at, { from: i, count: 3, digits: OCTAL, otherwise: byte }); // 033
    if (byte !== 0x75) return byte;
    const unit = this.#figures(at, { from: i + 1, count: 4, digits: HEX, otherwise: byte }); // u
    return unit >= 0xd800 && unit < 0xdc00 ? this.#pair(at, unit) : unit;
  }

  #figures(at: number, { from, count, digits, otherwise }: Figures): number {
    const text = this.#raw.subarray(from, from + count).toString("latin1");
    if (!digits.test(text)) return otherwise;
    if (text.length < count) return this.#missing(at, otherwise);
    this.#end = from + count;
    return Number.parseInt(text, digits === HEX ? 16 : 8);
  }

  /** Characters beyond 16 bits are written as two. */
  #pair(at: number, high: number): number {
    const half = this.#end;
    if (half === this.#raw.length) return this.#missing(at, 0xfffd);
    if (this.#raw[half] !== BACKSLASH) return 0xfffd;
    const low = this.#readEscape(half);
    if (low === INCOMPLETE) return INCOMPLETE;
    if (low >= 0xdc00 && low < 0xe000) return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
    this.#end = half;
    return 0xfffd;
  }

  #missing(at: number, otherwise: number, end = this.#end): number {
    if (!this.#isLast && this.#raw.length - at <= LONGEST) return INCOMPLETE;
    this.#end = end;
    return otherwise;
  }

  /** Where a sequence for the terminal ends; its own characters may be escaped as well. */
  #sequenceEnd(introducer: number, start: number, from: number): number {
    let at = from;
    const next = (): number => {
      if (at >= this.#raw.length) return this.#missing(start, END);
      const code = this.#read(at);
      if (code !== INCOMPLETE) at = this.#end;
      return code;
    };
    if (introducer === ESC && this.#raw[from] === BACKSLASH) return this.#terminatorEnd(start, from);
    const kind = introducer === CSI ? 0x5b : next();
    if (kind === INCOMPLETE) return INCOMPLETE;
    if (kind === 0x5b) return this.#controlEnd(next, () => at);
    if (!STRINGS.has(kind)) return this.#shortEnd(kind, { next, from, at: () => at });
    this.#hasLeftOut = true;
    return this.#stringEnd(next, () => at);
  }

  /** One or two characters more. */
  #shortEnd(
    kind: number,
    { next, from, at }: { next: () => number; from: number; at: () => number },
  ): number {
    if (kind >= 0x20 && kind <= 0x2f) return next() === INCOMPLETE ? INCOMPLETE : at();
    return kind >= 0x30 && kind <= 0x7e ? at() : from;
  }

  /** ESC and a backslash: twice as many as stand before ESC where that is quoted. */
  #terminatorEnd(introducer: number, from: number): number {
    let quotes = 0;
    while (this.#raw[introducer + quotes] === BACKSLASH) quotes += 1;
    let end = from;
    while (end < from + Math.max(1, quotes * 2) && this.#raw[end] === BACKSLASH) end += 1;
    return end === this.#raw.length && end < from + Math.max(1, quotes * 2)
      ? this.#missing(introducer, end, end)
      : end;
  }

  /** Colors and movements: figures, then a letter. Anything else ends it. */
  #controlEnd(next: () => number, at: () => number): number {
    for (let i = 0; i < LONGEST; i += 1) {
      const before = at();
      const code = next();
      if (code === INCOMPLETE) return INCOMPLETE;
      if (code >= 0x40 && code <= 0x7e) return at();
      if (code < 0x20 || code > 0x3f) return before;
    }
    return at();
  }

  /** Titles and links: to their end on the same line; without one only the introducer is hidden. */
  #stringEnd(next: () => number, at: () => number): number {
    const start = at();
    for (let i = 0; i < LONGEST; i += 1) {
      const before = at();
      const code = next();
      if (code === INCOMPLETE) return INCOMPLETE;
      if (code === BEL || code === ST) return at();
      if (code === ESC) return this.#terminatorEnd(before, at());
      if (code === LF || code === END) return start;
    }
    return start;
  }
}

const [HEX, OCTAL] = [/^[\da-f]*$/i, /^[0-7]*$/] as const;

type Figures = {
  readonly from: number;
  readonly count: number;
  readonly digits: RegExp;
  /** What it stands for where they are none. */
  readonly otherwise: number;
};

/** Beside characters. */
const [INCOMPLETE, NOTHING, END] = [-1, -2, -3] as const;
const STRINGS: ReadonlySet<number> = new Set([..."]PX^_"].map((char) => char.charCodeAt(0)));
const SIMPLE: { readonly [char: string]: number } = { n: LF, r: CR, t: TAB, b: BS, f: 0x0c, e: ESC };

function createPlaces(
  bytes: Buffer,
  parts: readonly number[],
  pending: number,
): Pick<View, "bytes" | "start" | "end" | "index"> {
  const value = (part: number, field: 0 | 1 | 2): number => parts[part * 3 + field] as number;
  /** The last part that begins there or before. */
  const partAt = (place: number, field: 0 | 1): number => {
    let [low, high] = [0, parts.length / 3 - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (value(middle, field) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const start = (index: number): number => {
    if (index >= bytes.length) return pending;
    const part = partAt(index, 0);
    return value(part, 1) + (value(part, 2) > 0 ? 0 : index - value(part, 0));
  };
  return {
    bytes,
    start,
    end: (index) => {
      if (index === 0) return 0;
      const part = partAt(index - 1, 0);
      return value(part, 1) + (value(part, 2) || index - value(part, 0));
    },
    index: (at) => {
      if (parts.length === 0 || at <= value(0, 1)) return 0;
      const part = partAt(at, 1);
      const next = part + 1 < parts.length / 3 ? value(part + 1, 0) : bytes.length;
      return Math.min(
        next,
        value(part, 2) > 0 && at > value(part, 1) ? next : value(part, 0) + at - value(part, 1),
      );
    },
  };
}

/** Characters without a width, and those that only change another one. */
function isInvisible(code: number): boolean {
  return code < 0x10000 ? invisible[code] === 1 || code < 0 : code >= 0xe0000 && code <= 0xe0fff;
}

const invisible = new Uint8Array(0x10000);
for (const [first, last] of [
  ...[
    [0x00, 0x08],
    [0x0b, 0x0c],
    [0x0e, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x300, 0x36f],
    [0x61c, 0x61c],
  ],
  ...[
    [0x115f, 0x1160],
    [0x17b4, 0x17b5],
    [0x180b, 0x180f],
    [0x1ab0, 0x1aff],
    [0x1dc0, 0x1dff],
    [0x200b, 0x200f],
  ],
  ...[
    [0x202a, 0x202e],
    [0x2060, 0x206f],
    [0x20d0, 0x20ff],
    [0x3164, 0x3164],
    [0xfe00, 0xfe0f],
    [0xfe20, 0xfe2f],
  ],
  ...[
    [0xfeff, 0xfeff],
    [0xffa0, 0xffa0],
    [0xfff9, 0xfffb],
  ],
] as [number, number][])
  invisible.fill(1, first, last + 1);

/** What a character stands for behind one backslash; 0 where more has to be looked at. */
const QUOTED = new Uint8Array(256);
for (let byte = 0x21; byte < 0x7f; byte += 1)
  if (!"\\ux0be".includes(String.fromCharCode(byte))) QUOTED[byte] = byte;
for (const [char, code] of Object.entries(SIMPLE))
  if (!"be".includes(char)) QUOTED[char.charCodeAt(0)] = code;

/** Behind a color, the most frequent sequence; 0 where it is another, or where bytes are missing. */
function colorEnd(raw: Buffer, at: number): number {
  if (raw[at + 1] !== 0x5b) return 0;
  let end = at + 2;
  while (end < raw.length && (raw[end] as number) >= 0x30 && (raw[end] as number) <= 0x3f) end += 1;
  return raw[end] === 0x6d ? end + 1 : 0;
}
