import { ANY, type CharSet, classEnd, classSet, codesOf, contains, single } from "./charset.ts";
import { once } from "./once.ts";

/** What a pattern says about one segment of a path; "depth" stands for any number of segments, none included. */
export type Segment =
  | { readonly kind: "depth" }
  | { readonly kind: "text"; readonly text: string }
  | GlobSegment;

export type GlobSegment = {
  readonly kind: "glob";
  readonly tokens: readonly Token[];
  /** Built when first asked for: most segments are told apart by their letters. */
  readonly automaton: () => Automaton;
  /** Every name that matches begins with the one and ends with the other; in codes, where null is any character. */
  readonly head: readonly (number | null)[];
  readonly tail: readonly (number | null)[];
};

/**
 * A bracket expression also stands for its own text: `app/[slug]/page.tsx` names a folder that exists in many web
 * projects, and nobody should have to escape it.
 */
export type Token =
  | { readonly kind: "character"; readonly code: number }
  | { readonly kind: "one" }
  | { readonly kind: "star" }
  | { readonly kind: "class"; readonly set: CharSet; readonly text: string };

/** State 0 begins. An edge without a set costs no character. */
export type Automaton = { readonly states: readonly (readonly Edge[])[]; readonly accept: number };
export type Edge = { readonly on: CharSet | null; readonly to: number };

export function readSegment(text: string): Segment {
  if (text === "**") return { kind: "depth" };
  const tokens = tokensOf(text);
  if (tokens.every((token) => token.kind === "character")) return { kind: "text", text };
  return {
    kind: "glob",
    tokens,
    automaton: once(() => automatonOf(tokens, "may-be-empty")),
    head: leadingCodes(tokens),
    tail: leadingCodes(tokens.toReversed()).reverse(),
  };
}

/** `*` alone: any one segment. */
export const ANY_SEGMENT: Segment = readSegment("*");

/** With "filled", every `*` takes at least one character: examples made that way look like real names. */
export function automatonOf(tokens: readonly Token[], stars: "may-be-empty" | "filled"): Automaton {
  const accept = tokens.length;
  const states: Edge[][] = Array.from({ length: accept + 1 }, () => []);
  tokens.forEach((token, here) => {
    const edges = states[here] as Edge[];
    const next = here + 1;
    if (token.kind === "character") edges.push({ on: single(token.code), to: next });
    else if (token.kind === "one") edges.push({ on: ANY, to: next });
    else if (token.kind === "star") {
      edges.push({ on: ANY, to: here }, { on: stars === "filled" ? ANY : null, to: next });
    } else {
      edges.push({ on: token.set, to: next });
      spell(token.text, { states, from: here, to: next });
    }
  });
  return { states, accept };
}

export function acceptsName(segment: Segment, name: string): boolean {
  if (segment.kind === "glob") return acceptsText(segment.automaton(), name);
  return segment.kind === "depth" || segment.text === name;
}

function acceptsText(automaton: Automaton, text: string): boolean {
  let current = withFreeMoves(automaton, new Set([0]));
  for (const code of codesOf(text)) {
    const reached = new Set<number>();
    for (const state of current) {
      for (const { on, to } of automaton.states[state] as readonly Edge[]) {
        if (on !== null && contains(on, code)) reached.add(to);
      }
    }
    if (reached.size === 0) return false;
    current = withFreeMoves(automaton, reached);
  }
  return current.has(automaton.accept);
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let i = 0; i < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(i) as number);
    const end = character === "[" ? classEnd(text, i) : null;
    const piece = end === null ? character : text.slice(i, end);
    i += piece.length;
    if (end !== null) tokens.push({ kind: "class", set: classSet(piece), text: piece });
    else if (character === "?") tokens.push({ kind: "one" });
    else if (character !== "*") tokens.push({ kind: "character", code: character.codePointAt(0) as number });
    else if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
  }
  return tokens;
}

/** Up to the first token that may stand for more or less than one character. */
function leadingCodes(tokens: readonly Token[]): (number | null)[] {
  const codes: (number | null)[] = [];
  for (const token of tokens) {
    if (token.kind === "character") codes.push(token.code);
    else if (token.kind === "one") codes.push(null);
    else break;
  }
  return codes;
}

/** A chain of new states beside the main line, one per character of a text. */
function spell(text: string, chain: { states: Edge[][]; from: number; to: number }): void {
  const codes = codesOf(text);
  let here = chain.from;
  codes.forEach((code, i) => {
    const next = i === codes.length - 1 ? chain.to : chain.states.push([]) - 1;
    (chain.states[here] as Edge[]).push({ on: single(code), to: next });
    here = next;
  });
}

/** The set grows while it is walked, so moves that follow on one another are all found. */
function withFreeMoves({ states }: Automaton, reached: Set<number>): Set<number> {
  for (const state of reached) {
    for (const { on, to } of states[state] as readonly Edge[]) if (on === null) reached.add(to);
  }
  return reached;
}
