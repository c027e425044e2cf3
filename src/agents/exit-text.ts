import type { Ending } from "./adapter.ts";

/** How a process ended, for a sentence. */
export function exitText({ code, signal }: Pick<Ending, "code" | "signal">): string {
  if (signal !== null) return `killed by ${signal}`;
  return code === null ? "no exit code" : `exit code ${code}`;
}
