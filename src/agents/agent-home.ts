import type { Env } from "../core/plan.ts";

/**
 * What an agent program needs of the user's home where that is hidden. Everything else there is not seen, and what it writes there
 * is gone with the attempt: hooks and servers that an agent plants would run at the user's next start.
 */
export type AgentHome = {
  /** Its own folder; null where the environment does not tell. */
  readonly folder: (env: Env) => string | null;
  /** Below that folder, read-only, where they are there. */
  readonly reads: readonly string[];
  /** Below that folder: conversations. They are kept for the next attempt of the task, and for the person. */
  readonly conversations: string;
  /** Files that hold what must not be inside as it is. Made anew for each start, from the text of the user's file. */
  readonly files: readonly {
    readonly path: (env: Env) => string | null;
    /** Null: there is to be none. */
    readonly fill: (text: string | null) => string | null;
  }[];
  /** Variables with secrets that it cannot do without. */
  readonly variables: RegExp;
  /** Further ones that its configuration names: a file below its folder, and where in it each name stands. */
  readonly named?: { readonly file: string; readonly pattern: RegExp };
};

/** Text of a JSON object without what refreshes a login: it works once, and whoever uses it logs everybody else out. */
export function withoutRefresh(
  text: string | null,
  strip: (file: Record<string, unknown>) => Record<string, unknown> | null,
): string | null {
  if (text === null) return null;
  try {
    const file: unknown = JSON.parse(text);
    if (typeof file !== "object" || file === null || Array.isArray(file)) return null;
    const stripped = strip(file as Record<string, unknown>);
    return stripped === null ? null : JSON.stringify(stripped);
  } catch {
    return null; // not a file of that program
  }
}
