import { withTerminal } from "./confirm.ts";

export type PersonReply =
  | { readonly kind: "yes" | "no" | "edit" }
  /** Feedback for the author. */
  | { readonly kind: "sentence"; readonly text: string }
  /** Ctrl-C, a signal, or end of input. */
  | { readonly kind: "interrupted" };

export type PersonQuestion = {
  readonly text: string;
  /** Who gets feedback: `the architect`. Null where only yes, no and e are answers. */
  readonly sentenceFor: string | null;
  readonly signal?: AbortSignal | undefined;
};

/** An empty line is a no. Any other answer is asked for again. */
export async function askPerson({ text, sentenceFor, signal }: PersonQuestion): Promise<PersonReply> {
  const other = sentenceFor === null ? "" : `, or feedback for ${sentenceFor}`;
  return withTerminal(signal, async (ask) => {
    for (let question = `${text} [y/N, e: edit${other}] `; ; ) {
      const typed = await ask(question);
      const reply = typed === null ? INTERRUPTED : parseReply(typed, sentenceFor !== null);
      if (reply !== null) return reply;
      question = `y, n, e${other}: `;
    }
  });
}

const INTERRUPTED: PersonReply = { kind: "interrupted" };

/** Null if invalid: a single word may be a typo, and feedback costs money. */
export function parseReply(typed: string, maySay: boolean): PersonReply | null {
  const text = typed.trim();
  if (/^y(?:es)?$/i.test(text)) return { kind: "yes" };
  if (/^(?:no?)?$/i.test(text)) return { kind: "no" };
  if (/^e(?:dit)?$/i.test(text)) return { kind: "edit" };
  return maySay && /\S\s+\S/.test(text) ? { kind: "sentence", text } : null;
}
