import type { TaskId } from "../../src/core/ids.ts";
import { parseClaim, parsePattern } from "../../src/core/ownership/parse.ts";
import type { Claim } from "../../src/core/ownership/pattern.ts";
import type { ChangedFile, Ownership, OwnershipFinding } from "../../src/ownership/finding.ts";
import { judgeChange } from "../../src/ownership/judge-work.ts";

function claim(text: string): Claim {
  const parsed = parseClaim(text, "modify");
  if (!parsed.ok) throw new Error(`${text} ${parsed.problem}`);
  return parsed.claim;
}

/** What a task owns, what it must not touch, and what others own: `{ api: ["src/api/"] }`. */
export function ownership(
  owns: readonly string[],
  {
    boundary = [],
    others = {},
  }: { boundary?: readonly string[]; others?: Readonly<Record<string, readonly string[]>> } = {},
): Ownership {
  return {
    owns: owns.map(claim),
    boundary: boundary.map((text) => {
      const parsed = parsePattern(text);
      if (!parsed.ok) throw new Error(`${text} ${parsed.problem}`);
      return parsed.pattern;
    }),
    others: Object.entries(others).map(([task, theirs]) => ({
      task: task as TaskId,
      owns: theirs.map(claim),
    })),
  };
}

/** A text that is null is not there. */
export function changed(path: string, before: string | null, after: string | null): ChangedFile {
  const change = before === null ? "added" : after === null ? "deleted" : "modified";
  return { path, change, before: async () => before, after: async () => after };
}

/** One case of a table: a text, the same after a change, and what is said, one finding a line. */
export type Case = {
  /** The symbols that the task owns, with spaces between. */
  readonly owns: string;
  readonly before: string;
  readonly after: string;
  readonly said?: readonly string[];
};

export async function judged(path: string, { owns, before, after }: Case): Promise<string[]> {
  const owned = ownership(owns.split(" ").map((symbol) => `${path}::${symbol}`));
  return (await judgeChange([changed(path, before, after)], owned)).map(inShort);
}

/** `line symbol what`, where it is certain; what cannot be told begins with a question mark. */
export function inShort({ kind, line, symbol, detail }: OwnershipFinding): string {
  const what = /^(.*?) was (added|removed|changed);/.exec(detail);
  const short = what === null ? detail : `${what[1]?.replaceAll("`", "")} ${what[2]}`;
  const isNamed = symbol === null || short.includes(symbol);
  return `${kind === "unsure" ? "? " : ""}${line ?? "-"} ${isNamed ? "" : `${symbol} `}${short}`;
}
