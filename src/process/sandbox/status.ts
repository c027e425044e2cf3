import type { Readable } from "node:stream";
import type { Child } from "../spawn.ts";

export const STATUS_FD = 3;

const MOST_STATUS = 4_096;

export type Status = ReturnType<typeof readStatus>;

/** What stands around a program tells about it: lines of JSON with one number or list each, on a descriptor of its own. */
export function readStatus(child: Child) {
  const pipe = child.stdio[STATUS_FD] as Readable | null | undefined;
  let text = "";
  pipe?.on("data", (chunk: Buffer) => {
    if (text.length < MOST_STATUS) text += chunk.toString("latin1");
  });
  pipe?.on("error", () => undefined); // then it says no more
  const ended = new Promise<void>((resolve) => {
    if (pipe === null || pipe === undefined) resolve();
    else pipe.once("close", () => resolve());
  });
  const find = (key: string, pattern: string): string | null =>
    new RegExp(`"${key}"\\s*:\\s*${pattern}`).exec(text)?.[1] ?? null;
  return {
    /** Resolves when nobody writes there any more. */
    ended,
    number: (key: string): number | null => {
      const found = find(key, "(\\d+)");
      return found === null ? null : Number(found);
    },
    list: (key: string): number[] =>
      (find(key, "\\[([\\d,]*)\\]") ?? "").split(",").filter(Boolean).map(Number),
  };
}
