import { findCycles } from "../../core/analyze/cycles.ts";
import { graphOf } from "../../core/graph.ts";
import type { Diagnostic, Located } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";

type Needing = { readonly id: Located<string>; readonly needs: readonly Located<string>[] };

/**
 * Tasks whose files make them wait for one another. In waves each of these needs is wrong for itself already; that they make a
 * cycle is what has to be known to fix it.
 */
export function circularNeeds(tasks: readonly Needing[]): Diagnostic[] {
  const graph = graphOf(
    tasks.map(({ id, needs }) => ({ id: id.value, needs: needs.map(({ value }) => value) })),
  );
  return findCycles(graph).map((circle) => {
    const path = [...circle, circle[0] as number].map((i) => (tasks[i] as Needing).id.value);
    const [first, ...related] = circle.map((i, n) => {
      const { id, needs } = tasks[i] as Needing;
      const need = path[n + 1] as string;
      return { at: needs.find(({ value }) => value === need)?.at ?? id.at, task: id.value, need };
    });
    return buildFormatFinding("cycle", { path, key: "deps" }, first?.at ?? null, { related });
  });
}
