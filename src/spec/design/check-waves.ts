import { type Diagnostic, diagnostic, type Located } from "../../core/source.ts";
import type { FormatCode } from "../../formats/codes.ts";
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

const code: FormatCode = "wave-order";

function gaps(waves: readonly Located<number>[]): Diagnostic[] {
  return waves.flatMap(({ value, at }, i) => {
    const due = (waves[i - 1]?.value ?? 0) + 1;
    if (value === due) return [];
    const message = `there is a wave ${value}, but no task is in wave ${due}; waves are numbered 1, 2, 3 …`;
    return [diagnostic({ code, message, at, hint: `write ${due} in all tasks of wave ${value}` })];
  });
}

function unknown(checked: readonly Located<number>[], waves: readonly Located<number>[]): Diagnostic[] {
  const numbers = waves.map(({ value }) => value);
  return checked
    .filter(({ value }) => !numbers.includes(value))
    .map(({ value, at }) => {
      const message = `no task is in wave ${value}, so there is nothing to check after it`;
      return diagnostic({ code, message, at, hint: `tasks are in ${numbers.join(", ")}` });
    });
}

function repeated(checked: readonly Located<number>[]): Diagnostic[] {
  return checked.flatMap(({ value, at }, i) => {
    const before = checked.slice(0, i).find((one) => one.value === value);
    if (before === undefined) return [];
    const message = `wave ${value} is listed twice`;
    const related = [{ at: before.at, message: "the first is here" }];
    return [diagnostic({ code, message, at, hint: "join the two validations with &&", related })];
  });
}
