import type { AnalyzeCode } from "../../core/analyze/codes.ts";
import { findCycles } from "../../core/analyze/cycles.ts";
import { graphOf } from "../../core/graph.ts";
import { type Diagnostic, diagnostic, type Located } from "../../core/source.ts";

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
    const [first, next] = [tasks[circle[0] as number] as Needing, tasks[circle[1] as number] as Needing];
    const at = first.needs.find(({ value }) => value === next.id.value)?.at ?? first.id.at;
    const names = [...circle, circle[0] as number].map((i) => (tasks[i] as Needing).id.value);
    const message = `circular dependency detected: \`${drawn(names)}\``;
    return diagnostic({ code: "cycle" satisfies AnalyzeCode, message, at, hint: "delete one of these deps" });
  });
}

const LONGEST_DRAWING = 12;

function drawn(names: readonly string[]): string {
  if (names.length <= LONGEST_DRAWING) return names.join(" -> ");
  return `${names.slice(0, LONGEST_DRAWING - 2).join(" -> ")} -> … -> ${names.at(-1)}`;
}
