/** What the demo agent prints, and what it must remember of it for its result. */

export type Failure = {
  readonly reason: string;
  readonly detail: string;
  readonly retryAfterMs?: number;
  readonly resetsAt?: number;
};

/** Ends the script: the attempt has failed. */
export class ScriptEnd extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.detail);
    this.failure = failure;
  }
}

/** Trying a plan costs nothing, unless the script says so. */
export const spent = { costUsd: 0, inputTokens: 0, outputTokens: 0 };
export const printed = { lastText: "" };

let calls = 0;

/** Waits until the other side has taken it: a slow reader slows the agent down, as it should. */
export function print(event: { readonly type: string } & Readonly<Record<string, unknown>>): Promise<void> {
  return write(`${JSON.stringify(event)}\n`);
}

export function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

export async function say(text: string): Promise<void> {
  printed.lastText = text;
  await print({ type: "text", text });
}

/** A tool call, with its end. What fails is told and gone past, as agents do. */
export async function useTool(name: string, target: string, use: () => Promise<void>): Promise<void> {
  calls += 1;
  const call = `call-${calls}`;
  await print({ type: "tool", call, name, target });
  try {
    await use();
    await print({ type: "tool-ended", call, ok: true });
  } catch (error) {
    await print({ type: "tool-ended", call, ok: false });
    await print({ type: "text", text: `${name} failed: ${error instanceof Error ? error.message : error}` });
  }
}
