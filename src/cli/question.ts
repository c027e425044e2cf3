import { withTerminal } from "./confirm.ts";

export type PersonReply =
  | { readonly kind: "yes" | "no" | "edit" }
  /** For whoever made what is asked about. */
  | { readonly kind: "sentence"; readonly text: string }
  /** Ctrl-C, a signal, or nothing can be typed any more. */
  | { readonly kind: "interrupted" };

export type PersonQuestion = {
  readonly text: string;
  /** Who a sentence is for: `the architect`. Null where only yes, no and e are answers. */
  readonly sentenceFor: string | null;
  readonly signal?: AbortSignal | undefined;
};

/** A yes must be typed: an empty line is a no. What is neither is asked for again. */
export async function askPerson({ text, sentenceFor, signal }: PersonQuestion): Promise<PersonReply> {
  const other = sentenceFor === null ? "" : `, or a sentence for ${sentenceFor}`;
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

/** Null where it is none: one word alone may be a slip, and a sentence costs something. */
export function parseReply(typed: string, maySay: boolean): PersonReply | null {
  const text = typed.trim();
  if (/^y(?:es)?$/i.test(text)) return { kind: "yes" };
  if (/^(?:no?)?$/i.test(text)) return { kind: "no" };
  if (/^e(?:dit)?$/i.test(text)) return { kind: "edit" };
  return maySay && /\S\s+\S/.test(text) ? { kind: "sentence", text } : null;
}
