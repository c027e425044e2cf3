import { createInterface } from "node:readline/promises";

/** Whether a person can answer: both ends must be a terminal. */
export function canConfirm(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** An empty line is a no. Null after Ctrl-C or end of input. */
export function confirm(question: string): Promise<boolean | null> {
  return withTerminal(undefined, async (ask) => {
    const answer = await ask(`${question} [y/N] `);
    return answer === null ? null : /^\s*y(?:es)?\s*$/i.test(answer);
  });
}

/** `ask` returns the typed line; null after Ctrl-C, the signal or end of input. */
async function withTerminal<T>(
  signal: AbortSignal | undefined,
  talk: (ask: (question: string) => Promise<string | null>) => Promise<T>,
): Promise<T> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const end = new AbortController();
  try {
    const closed = new Promise<null>((resolve) => {
      lines
        .once("close", () => resolve(null))
        .once("SIGINT", () => {
          process.stderr.write("\n"); // the cursor is on the line of the question
          resolve(null);
        });
      signal?.addEventListener("abort", () => resolve(null), { once: true, signal: end.signal });
      if (signal?.aborted) resolve(null);
    });
    return await talk((question) => Promise.race([lines.question(question), closed]));
  } finally {
    end.abort();
    lines.close();
  }
}

type PersonReply =
  | { readonly kind: "yes" | "no" | "edit" }
  /** Feedback for the author. */
  | { readonly kind: "sentence"; readonly text: string }
  /** Ctrl-C, a signal, or end of input. */
  | { readonly kind: "interrupted" };

type PersonQuestion = {
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
