import { type Automaton, buildAutomaton, MAX_NEEDLE_BYTES, skip } from "./automaton.ts";
import { MASK, type MaskStream, maskValues } from "./mask-values.ts";
import { needlesOf } from "./secrets.ts";

/** Takes secrets out of what programs print (I13). Made once for a run, used by all of its streams. */
export type Masker = {
  /** One for each stream: it remembers what the last chunk ended with. */
  readonly stream: () => MaskStream;
  /** A text that is all there. */
  readonly text: (text: string) => string;
  /** What kind of secret is in a text: its beginning, `sk-ant-…`, or that its value is known; null where there is none. */
  readonly kind: (text: string) => string | null;
  /** Whether a text has the value of a secret that is known, whatever it looks like. */
  readonly isKnown: (text: string) => boolean;
  /** Forms of secrets that did not fit the table and are not looked for; 0 but for hundreds of kilobytes of secrets. */
  readonly leftOut: number;
};

export function createMasker(secrets: readonly string[]): Masker {
  const needles = needlesOf(secrets);
  const fitting = thatFit(needles);
  const automaton = fitting.length === 0 ? undefined : buildAutomaton(fitting);
  const stream = () => chained(automaton);
  const isKnown = (text: string) => automaton !== undefined && masked(maskValues(automaton), text) !== text;
  return {
    stream,
    text: (text) => masked(stream(), text),
    kind: (text) => (isKnown(text) ? KNOWN_VALUE : findPattern(text)),
    isKnown,
    leftOut: needles.length - fitting.length,
  };
}

export const KNOWN_VALUE = "the value of a secret in the environment or in a copied file";

function masked({ push, end }: MaskStream, text: string): string {
  return Buffer.concat([push(Buffer.from(text)), end()]).toString();
}

function findPattern(text: string): string | null {
  const [before, after] = masked(maskPatterns(), text).split(MASK.toString());
  if (before === undefined || after === undefined || masked(maskPatterns(), text) === text) return null;
  const known = patterns.find(({ begins }) => before.endsWith(begins));
  return known === undefined ? "a token" : `${known.begins.trim()}…`;
}

/** The values first: a token that is known is masked whole, and what is left of it is no pattern any more. */
function chained(automaton: Automaton | undefined): MaskStream {
  const patterns = maskPatterns();
  if (!automaton) return patterns;
  const values = maskValues(automaton);
  return {
    push: (chunk) => patterns.push(values.push(chunk)),
    end: () => Buffer.concat([patterns.push(values.end()), patterns.end()]),
  };
}

function thatFit(needles: readonly Buffer[]): Buffer[] {
  let room = MAX_NEEDLE_BYTES;
  const fitting: Buffer[] = [];
  for (const needle of needles) {
    if (needle.length > room) break;
    room -= needle.length;
    fitting.push(needle);
  }
  return fitting;
}

type Pattern = { readonly begins: string; readonly run: Uint8Array; readonly least: number };

const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);

const ALNUM = "A-Za-z0-9";
const WORD = `${ALNUM}_\\-`;

/** Runs are written as in a regular expression's brackets. Short or common beginnings ask for longer runs. */
const patterns: readonly Pattern[] = [
  ...of(["sk-ant-", "sk-proj-", "sk-svcacct-", "sk-or-v1-", "glpat-"], WORD, 16),
  ...of(["sk-"], ALNUM, 32),
  ...of(["sk_live_", "sk_test_", "rk_live_", "whsec_"], ALNUM, 16),
  ...of(["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"], `${ALNUM}_`, 30),
  ...of(["npm_", "hf_"], ALNUM, 30),
  ...of(["pypi-", "AIza"], WORD, 30),
  ...of(["ya29."], `${WORD}.`, 20),
  ...of(["AKIA", "ASIA"], "A-Z0-9", 16),
  ...of(["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xapp-"], `${ALNUM}\\-`, 16),
  ...of(["Bearer ", "bearer "], `${WORD}.~+/=`, 20),
  // The second part of a JSON web token is an object too, so it begins like the first; the first holds no secret.
  ...of([".eyJ"], `${WORD}.`, 12),
  ...of(privateKeys(), `${ALNUM}+/=\\\\ \\t\\r\\n`, 16),
];

const beginnings: Automaton = buildAutomaton(patterns.map(({ begins }) => Buffer.from(begins)));

/**
 * Masks secrets that are known by their looks: a beginning that says what it is, which stays, then a run of certain
 * bytes, however long. Line breaks inside a run stay too: a masked private key must not make one line of several events.
 * What is kept back is less than the least run of a pattern.
 */
function maskPatterns(): MaskStream {
  const { next, width, classOf, found, foundIndex } = beginnings;
  let state = 0;
  let kept = NOTHING;
  let undecided: Pattern | undefined; // its beginning was given out; `kept` is its run so far
  let masking: Pattern | undefined; // its mask was given out; the rest of its run is left out

  /** The index after the next beginning, or after the last byte. */
  function seek(data: Buffer, from: number): number {
    for (let i = from; i < data.length; ) {
      if (state === 0) i = skip(beginnings, data, i);
      state = next[state * width + (classOf[data[i] as number] as number)] as number;
      i += 1;
      if ((found[state] as number) > 0) {
        undecided = patterns[foundIndex[state] as number];
        return i;
      }
    }
    return data.length;
  }

  function push(chunk: Buffer, isLast: boolean): Buffer {
    const data = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
    kept = NOTHING;
    const parts: Buffer[] = [];
    let given = 0; // bytes before this one are dealt with
    let at = 0;
    while (at < data.length) {
      if (masking) {
        at = runEnd(data, at, masking);
        keepLineBreaks(data, given, at, parts);
        given = at;
        if (at < data.length) masking = undefined;
      } else if (undecided) {
        const end = runEnd(data, at, undecided);
        if (end - at >= undecided.least) {
          parts.push(data.subarray(given, at), MASK);
          given = at;
          masking = undecided;
          undecided = undefined;
          state = 0;
        } else if (end === data.length && !isLast) {
          parts.push(data.subarray(given, at));
          kept = Buffer.from(data.subarray(at));
          return joined(parts);
        } else {
          undecided = undefined;
          at = seek(data, at);
        }
      } else {
        at = seek(data, at);
      }
    }
    parts.push(data.subarray(given));
    return joined(parts);
  }

  return { push: (chunk) => push(chunk, false), end: () => push(NOTHING, true) };
}

function runEnd(data: Buffer, from: number, { run }: Pattern): number {
  let end = from;
  while (end < data.length && run[data[end] as number] === 1) end += 1;
  return end;
}

function keepLineBreaks(data: Buffer, from: number, to: number, parts: Buffer[]): void {
  for (let at = data.indexOf(NEWLINE, from); at !== -1 && at < to; at = data.indexOf(NEWLINE, at + 1)) {
    parts.push(data.subarray(at, at + 1));
  }
}

function joined(parts: Buffer[]): Buffer {
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
}

function of(beginnings: readonly string[], run: string, least: number): Pattern[] {
  const table = new Uint8Array(256);
  const member = new RegExp(`^[${run}]$`);
  for (let byte = 0; byte < 256; byte += 1) if (member.test(String.fromCharCode(byte))) table[byte] = 1;
  return beginnings.map((begins) => ({ begins, run: table, least }));
}

function privateKeys(): string[] {
  const kinds = ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "];
  return [...kinds.map((kind) => `BEGIN ${kind}PRIVATE KEY-----`), "BEGIN PGP PRIVATE KEY BLOCK-----"];
}
