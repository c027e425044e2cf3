import type { Diagnostic, Located } from "../../core/source.ts";
import { buildFormatFinding } from "../../formats/catalog.ts";
import type { Doc } from "../../formats/cpo/fields.ts";
import { type LocatedTasks, locatedWaves } from "./located.ts";

/** Waves follow one another from 1, and what is checked after a wave is checked after one that there is. */
export function checkWaves(doc: Doc, { tasks, lost }: LocatedTasks): Diagnostic[] {
  const first = new Map<number, Located<number>>();
  for (const { wave } of tasks) if (!first.has(wave.value)) first.set(wave.value, wave);
  const waves = [...first.values()].sort((a, b) => a.value - b.value);
  const checked = locatedWaves(doc);
  // A task that could not be read may be in the wave that is missed.
  return lost.length > 0
    ? repeated(checked)
    : [...gaps(waves), ...unknown(checked, waves), ...repeated(checked)];
}

function gaps(waves: readonly Located<number>[]): Diagnostic[] {
  return waves.flatMap(({ value: wave, at }, i) => {
    const before = waves[i - 1]?.value ?? 0;
    return wave === before + 1 ? [] : [buildFormatFinding("wave-order", { kind: "gap", wave, before }, at)];
  });
}

function unknown(checked: readonly Located<number>[], waves: readonly Located<number>[]): Diagnostic[] {
  const numbers = waves.map(({ value }) => value);
  return checked
    .filter(({ value }) => !numbers.includes(value))
    .map(({ value, at }) => buildFormatFinding("wave-order", { kind: "empty", wave: value }, at));
}

function repeated(checked: readonly Located<number>[]): Diagnostic[] {
  return checked.flatMap(({ value: wave, at }, i) => {
    const before = checked.slice(0, i).find((one) => one.value === wave);
    if (before === undefined) return [];
    return [
      buildFormatFinding("wave-order", { kind: "repeated", wave }, at, {
        related: [{ at: before.at, wave }],
      }),
    ];
  });
}
