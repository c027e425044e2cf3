import { findCycles } from "../../core/analyze/cycles.ts";
import { graphOf } from "../../core/graph.ts";
import type { Diagnostic, Located, SourceRange } from "../../core/source.ts";
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
    const [at, ...others] = circle.map((i, n) => needAt(tasks[i] as Needing, path[n + 1] as string));
    const related = others.map((place, n) => ({
      at: place,
      task: path[n + 1] as string,
      need: path[n + 2] as string,
    }));
    return buildFormatFinding("cycle", { path, key: "deps" }, at ?? null, { related });
  });
}

function needAt({ id, needs }: Needing, name: string): SourceRange {
  return needs.find(({ value }) => value === name)?.at ?? id.at;
}
