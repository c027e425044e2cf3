import { buildAutomaton, MAX_NEEDLE_BYTES } from "./automaton.ts";
import { type Find, type FindSecrets, findPlainSecrets } from "./find-secrets.ts";
import { type MaskStream, maskStream } from "./mask-stream.ts";
import { patterns } from "./patterns.ts";
import { needlesOf } from "./secrets.ts";

/** Takes secrets out of what programs print (I13). Made once for a run, used by all of its streams. */
export type Masker = {
  /** One for each stream: it remembers what the last chunk ended with. */
  readonly stream: () => MaskStream;
  /** A text that is all there. */
  readonly text: (text: string) => string;
  /** What kind of secret is in a text: its beginning, `sk-ant-…`, or that its value is known; null where there is none. */
  readonly kind: (text: string) => string | null;
  /** The same for bytes that are no text, where letters come together by chance. */
  readonly kindInBinary: (bytes: Buffer) => string | null;
  /** Whether a text has the value of a secret that is known, whatever it looks like. */
  readonly isKnown: (text: string) => boolean;
  /** Forms of secrets that did not fit the table and are not looked for; 0 but for hundreds of kilobytes of secrets. */
  readonly leftOut: number;
};

const beginnings = patterns.map(({ begins }) => Buffer.from(begins));
const ROOM = MAX_NEEDLE_BYTES - beginnings.reduce((sum, { length }) => sum + length, 0);

export function createMasker(secrets: readonly string[]): Masker {
  const needles = needlesOf(secrets);
  const fitting = thatFit(needles);
  const automaton = buildAutomaton(fitting, beginnings);
  const stream = () => maskStream(automaton);
  /** In blocks, since what is looked at beside a text is as large as the text. */
  const some = (bytes: Buffer, isWanted: (find: Find) => boolean, find?: FindSecrets): Find | null => {
    let first: Find | null = null;
    const onFind = (one: Find): void => {
      if (isWanted(one)) first ??= one;
    };
    const { push, end } = maskStream(automaton, find === undefined ? { onFind } : { onFind, find });
    for (let at = 0; at < bytes.length && first === null; at += BLOCK_BYTES)
      push(bytes.subarray(at, at + BLOCK_BYTES));
    if (first === null) end();
    return first;
  };
  const isKnown = (bytes: Buffer) => some(bytes, ({ pattern }) => pattern === null) !== null;
  return {
    stream,
    text: (text) => {
      const { push, end } = stream();
      return Buffer.concat([push(Buffer.from(text)), end()]).toString();
    },
    kind: (text) => {
      const bytes = Buffer.from(text);
      return isKnown(bytes) ? KNOWN_VALUE : kindOf(some(bytes, () => true));
    },
    kindInBinary: (bytes) =>
      isKnown(bytes)
        ? KNOWN_VALUE
        : kindOf(some(bytes, ({ pattern }) => pattern?.isDistinct === true, findPlainSecrets)),
    isKnown: (text) => isKnown(Buffer.from(text)),
    leftOut: needles.length - fitting.length,
  };
}

export const KNOWN_VALUE = "the value of a secret in the environment or in a copied file";

const BLOCK_BYTES = 65_536;

const kindOf = (find: Find | null): string | null =>
  find?.pattern ? `${find.pattern.begins.trim()}…` : null;

function thatFit(needles: readonly Buffer[]): Buffer[] {
  let room = ROOM;
  const fitting: Buffer[] = [];
  for (const needle of needles) {
    if (needle.length > room) break;
    room -= needle.length;
    fitting.push(needle);
  }
  return fitting;
}
