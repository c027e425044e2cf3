import type { AnalyzeCode } from "../../core/analyze/codes.ts";
import { findCycles } from "../../core/analyze/cycles.ts";
import { quoted } from "../../core/analyze/words.ts";
import { graphOf } from "../../core/graph.ts";
import { type Diagnostic, diagnostic, type Located, type SourceRange } from "../../core/source.ts";

type Needing = { readonly id: Located<string>; readonly needs: readonly Located<string>[] };

/**
 * Tasks whose files make them wait for one another. In waves each of these needs is wrong for itself already; that they make a
 * circle is what has to be known to mend it, and what people of this format search for.
 */
export function circularNeeds(tasks: readonly Needing[]): Diagnostic[] {
  const graph = graphOf(
    tasks.map(({ id, needs }) => ({ id: id.value, needs: needs.map(({ value }) => value) })),
  );
  return findCycles(graph).map((circle) => {
    const names = [...circle, circle[0] as number].map((i) => (tasks[i] as Needing).id.value);
    const message = `circular dependency detected: \`${drawn(names)}\``;
    const hint = "delete one of these deps";
    const [at, ...others] = circle.map((i, n) => needAt(tasks[i] as Needing, names[n + 1] as string));
    const related = others.map((place, n) => ({
      at: place,
      message: `${quoted(names[n + 1] as string)} needs ${quoted(names[n + 2] as string)}`,
    }));
    return diagnostic({ code: "cycle" satisfies AnalyzeCode, message, at: at ?? null, hint, related });
  });
}

function needAt({ id, needs }: Needing, name: string): SourceRange {
  return needs.find(({ value }) => value === name)?.at ?? id.at;
}

const LONGEST_DRAWING = 12;

function drawn(names: readonly string[]): string {
  if (names.length <= LONGEST_DRAWING) return names.join(" -> ");
  return `${names.slice(0, LONGEST_DRAWING - 2).join(" -> ")} -> … -> ${names.at(-1)}`;
}
