import { type Automaton, buildAutomaton, MAX_NEEDLE_BYTES } from "./automaton.ts";
import { maskPatterns } from "./mask-patterns.ts";
import { type MaskStream, maskValues } from "./mask-values.ts";
import { needlesOf } from "./secrets.ts";

/** Takes secrets out of what programs print (I13). Made once for a run, used by all of its streams. */
export type Masker = {
  /** One for each stream: it remembers what the last chunk ended with. */
  readonly stream: () => MaskStream;
  /** A text that is all there. */
  readonly text: (text: string) => string;
  /** Forms of secrets that did not fit the table and are not looked for; 0 but for hundreds of kilobytes of secrets. */
  readonly leftOut: number;
};

export function createMasker(secrets: readonly string[]): Masker {
  const needles = needlesOf(secrets);
  const fitting = thatFit(needles);
  const automaton = fitting.length === 0 ? undefined : buildAutomaton(fitting);
  const stream = () => chained(automaton);
  return {
    stream,
    text: (text) => {
      const { push, end } = stream();
      return Buffer.concat([push(Buffer.from(text)), end()]).toString();
    },
    leftOut: needles.length - fitting.length,
  };
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
