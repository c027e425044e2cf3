import { findCycles } from "../../core/analyze/cycles.ts";
import type { Diagnostic, Severity, SourceRange } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { buildFormatFinding } from "../catalog.ts";
import type { Batch } from "./manifest.ts";

/** What a batch waits for: another one, by its index, and where that is said. */
export type Before = { readonly batch: number; readonly at: SourceRange };

/** Per batch what it waits for, without batches that have nothing to do, and what is wrong with the order. */
export type Order = {
  readonly before: readonly (readonly Before[])[];
  readonly diagnostics: readonly Diagnostic[];
};

/** `depends_on` says what a batch waits for; without it, it is the batch above. */
export function orderOf(batches: readonly Batch[]): Order {
  const diagnostics: Diagnostic[] = [];
  const indexOf = new Map<string, number>();
  batches.forEach(({ id }, index) => {
    const first = batches[indexOf.get(id.value) ?? -1];
    if (first) diagnostics.push(sameId(id.value, id.at, first.id.at));
    else indexOf.set(id.value, index);
  });
  const said = batches.map((batch, index): Before[] => {
    if (batch.dependsOn === null) return index === 0 ? [] : [{ batch: index - 1, at: batch.id.at }];
    const found = new Map<number, Before>();
    for (const need of batch.dependsOn) {
      const target = indexOf.get(need.value);
      if (need.value === batch.id.value)
        diagnostics.push(buildFormatFinding("needs-itself", { task: need.value, noun }, need.at));
      else if (target === undefined)
        diagnostics.push(unknownNeed(batch.id.value, need, { ids: [...indexOf.keys()] }));
      else if (!found.has(target)) found.set(target, { batch: target, at: need.at });
    }
    return [...found.values()];
  });
  const circles = findCycles({
    size: said.length,
    needs: said.map((one) => one.map(({ batch }) => batch)),
    dependents: [],
  });
  diagnostics.push(...circles.map((circle) => cycle(circle, said, batches)));
  return { before: circles.length > 0 ? said.map(() => []) : withoutEmpty(said, batches), diagnostics };
}

/** Who waits for a batch without agents waits for what that one waits for. There are no circles. */
function withoutEmpty(said: readonly (readonly Before[])[], batches: readonly Batch[]): Before[][] {
  const known = new Map<number, Before[]>();
  const resolved = (index: number): Before[] => {
    const found = new Map<number, Before>();
    const rest = [...(said[index] ?? [])].reverse();
    const seen = new Set<number>();
    for (let one = rest.pop(); one; one = rest.pop()) {
      if (seen.has(one.batch)) continue;
      seen.add(one.batch);
      const { at } = one;
      if (batches[one.batch]?.agents.length) found.set(one.batch, one);
      else for (const { batch } of known.get(one.batch) ?? said[one.batch] ?? []) rest.push({ batch, at });
    }
    const result = [...found.values()];
    known.set(index, result);
    return result;
  };
  return said.map((_, index) => resolved(index));
}

export function sameId(id: string, at: SourceRange, first: SourceRange): Diagnostic {
  return buildFormatFinding("duplicate-id", { id, noun }, at, { related: [{ at: first }] });
}

const noun = "batch" as const;

/** A stream does not wait for other batches, so there it is a warning. */
export function unknownNeed(
  task: string,
  need: { value: string; at: SourceRange },
  { ids, severity = "error" }: { readonly ids: readonly string[]; readonly severity?: Severity },
): Diagnostic {
  const params = { task, need: need.value, noun, suggestion: nearest(need.value, ids), ids };
  return buildFormatFinding("unknown-need", params, need.at, { severity });
}

function cycle(
  circle: readonly number[],
  said: readonly (readonly Before[])[],
  batches: readonly Batch[],
): Diagnostic {
  const name = (index: number) => batches[index]?.id.value ?? "";
  const [first = 0] = circle;
  const related = circle.slice(0, MOST_PLACES).map((from, i) => {
    const to = circle[i + 1] ?? first;
    const at = said[from]?.find(({ batch }) => batch === to)?.at ?? (batches[from] as Batch).id.at;
    return { at, task: name(from), need: name(to), noun };
  });
  const path = [...circle, first].map(name);
  return buildFormatFinding("cycle", { path, key: "depends_on" }, (batches[first] as Batch).id.at, {
    related,
  });
}

const MOST_PLACES = 50;
