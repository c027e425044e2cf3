import type { EpochMs } from "../../facts.ts";
import type { Stretch } from "./stretch.ts";

/** How many slots were in use from a moment on. */
export type SlotsStep = { readonly at: EpochMs; readonly used: number };

/** An attempt has its slot from its start until its own gates are done with it. */
export function slotsInUse(stretches: Iterable<Stretch>, from: EpochMs, now: EpochMs): SlotsStep[] {
  const changes = new Map<EpochMs, number>([[from, 0]]);
  const change = (at: EpochMs, by: number) => changes.set(at, (changes.get(at) ?? 0) + by);
  for (const stretch of stretches) {
    if (stretch.kind !== "agent" && stretch.kind !== "gates") continue;
    change(stretch.from, 1);
    if (stretch.result !== "under-way" || stretch.to < now) change(stretch.to, -1);
  }
  const steps: SlotsStep[] = [];
  let used = 0;
  for (const [at, by] of [...changes].sort(([a], [b]) => a - b)) {
    used += by;
    if (steps.length === 0 || steps.at(-1)?.used !== used) steps.push({ at, used });
  }
  return steps;
}
