import type { Batch } from "./manifest.ts";

/** What the tasks of a batch are called: `b2-1-code-writer`, and `b2-verify`. */
export type BatchIds = { readonly agents: readonly string[]; readonly verify: string };

const LONGEST = 64;

export function taskIds(batches: readonly Batch[]): BatchIds[] {
  const used = new Set<string>();
  return batches.map(({ id, agents }) => {
    const start = `b${word(id.value)}`;
    return {
      agents: agents.map(({ name }, i) => unique(`${start}-${i + 1}-${word(name ?? "main")}`, used)),
      verify: unique(`${start}-verify`, used),
    };
  });
}

/** Only what is safe in branches and folders. */
function word(text: string): string {
  return text.replace(/[^A-Za-z0-9_]+/g, "-").replace(/^-|-$/g, "") || "x";
}

/** Ids are told apart without regard to case. */
function unique(wanted: string, used: Set<string>): string {
  for (let n = 1; ; n += 1) {
    const end = n === 1 ? "" : `-${n}`;
    const id = `${wanted.slice(0, LONGEST - end.length)}${end}`;
    if (used.has(id.toLowerCase())) continue;
    used.add(id.toLowerCase());
    return id;
  }
}
