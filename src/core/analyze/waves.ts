import type { TaskDraft } from "../draft.ts";
import type { Say } from "./findings.ts";
import type { Names } from "./names.ts";
import { quoted } from "./words.ts";

export type Waves = {
  /** By task; null where it is in none. */
  readonly waves: readonly (number | null)[];
  /** By task: all tasks of the nearest earlier wave, for which every task of a wave waits. */
  readonly barriers: readonly (readonly number[])[];
};

export function waveBarriers(tasks: readonly TaskDraft[], names: Names, say: Say): Waves {
  const waves = tasks.map((task) => readWave(task, say));
  const members = new Map<number, number[]>();
  waves.forEach((wave, index) => {
    if (wave === null || names.repeated.has(index)) return;
    const list = members.get(wave);
    if (list === undefined) members.set(wave, [index]);
    else list.push(index);
  });
  const before = new Map<number, readonly number[]>();
  let last: readonly number[] = [];
  for (const wave of [...members.keys()].sort((a, b) => a - b)) {
    before.set(wave, last);
    last = members.get(wave) ?? [];
  }
  return { waves, barriers: waves.map((wave) => (wave === null ? [] : (before.get(wave) ?? []))) };
}

function readWave({ id, wave }: TaskDraft, say: Say): number | null {
  if (wave === null || (Number.isSafeInteger(wave.value) && wave.value >= 0)) return wave?.value ?? null;
  const message = `${quoted(id.value)} is in wave ${wave.value}; waves are whole numbers from 0`;
  say("bad-wave", { message, at: wave.at, hint: "write `wave: 1`" });
  return null;
}
