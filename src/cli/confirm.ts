import { createInterface } from "node:readline/promises";

/** Whether somebody sits there who can be asked: both ends must be a terminal. */
export function canConfirm(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** A yes must be typed. Null where the question was ended by Ctrl-C, or nothing can be typed any more. */
export async function confirm(question: string): Promise<boolean | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closed = new Promise<null>((resolve) => {
      lines.once("SIGINT", () => resolve(null)).once("close", () => resolve(null));
    });
    const answer = await Promise.race([lines.question(`${question} [y/N] `), closed]);
    return answer === null ? null : /^\s*y(?:es)?\s*$/i.test(answer);
  } finally {
    lines.close();
  }
}
