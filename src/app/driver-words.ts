import { open } from "node:fs/promises";

export type EndedDriver = {
  readonly log: string;
  /** Where in the log its words begin. */
  readonly from: number;
  /** Null when a signal ended it. */
  readonly code: number | null;
};

const MOST_BYTES = 64 * 1024;

/** Why a driver ended, as it said itself: whoever asks through a page has no terminal beside it to read a log in. */
export async function driverWords({ log, from, code }: EndedDriver): Promise<{ why: string; hint: string }> {
  const text = await readFrom(log, from).catch(() => ""); // then the code is all that is known
  const found = /^(?:error|plait): (.+)(?:\n {2}help: (.+))?$/gm;
  const [, message, help] = [...text.matchAll(found)].at(-1) ?? [];
  const read = `read why: ${log}`;
  if (message === undefined)
    return { why: code === null ? ", by a signal" : `, with exit code ${code}`, hint: read };
  return {
    why: `: ${message.replace(/\.$/, "")}`,
    hint: help === undefined ? read : `${help}; all that it said: ${log}`,
  };
}

async function readFrom(path: string, from: number): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, from);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
