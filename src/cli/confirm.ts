import { createInterface } from "node:readline/promises";

/** Whether a person can answer: both ends must be a terminal. */
export function canConfirm(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Ctrl-C leaves the cursor on the line of the question. */
function endLine(): null {
  process.stderr.write("\n");
  return null;
}

/** An empty line is a no. Null after Ctrl-C or end of input. */
export function confirm(question: string): Promise<boolean | null> {
  return withTerminal(undefined, async (ask) => {
    const answer = await ask(`${question} [y/N] `);
    return answer === null ? null : /^\s*y(?:es)?\s*$/i.test(answer);
  });
}

/** `ask` returns the typed line; null after Ctrl-C, the signal or end of input. */
export async function withTerminal<T>(
  signal: AbortSignal | undefined,
  talk: (ask: (question: string) => Promise<string | null>) => Promise<T>,
): Promise<T> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const end = new AbortController();
  try {
    const closed = new Promise<null>((resolve) => {
      lines.once("SIGINT", () => resolve(endLine())).once("close", () => resolve(null));
      signal?.addEventListener("abort", () => resolve(null), { once: true, signal: end.signal });
      if (signal?.aborted) resolve(null);
    });
    return await talk((question) => Promise.race([lines.question(question), closed]));
  } finally {
    end.abort();
    lines.close();
  }
}
