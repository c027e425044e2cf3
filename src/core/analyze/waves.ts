import type { TaskDraft } from "../draft.ts";
import type { Graph } from "../graph.ts";
import type { ReportFinding } from "./findings.ts";
import type { Names } from "./names.ts";

export type Waves = {
  /** By task; null where it is in none. */
  readonly waves: readonly (number | null)[];
  /** By the number of a wave: its tasks. */
  readonly members: ReadonlyMap<number, readonly number[]>;
};

export function readWaves(tasks: readonly TaskDraft[], names: Names, report: ReportFinding): Waves {
  const waves = tasks.map((task) => readWave(task, report));
  const members = new Map<number, number[]>();
  waves.forEach((wave, index) => {
    if (wave === null || names.repeated.has(index)) return;
    const list = members.get(wave);
    if (list === undefined) members.set(wave, [index]);
    else list.push(index);
  });
  return { waves, members };
}

/**
 * Every task of a wave waits for all of the nearest lower one. Said by one node between the two waves, behind the nodes
 * of the tasks: the lower wave's tasks are its needs, and the higher wave's tasks need it. So the number of edges grows
 * with the tasks and not with their square.
 */
export function withBarriers(needs: readonly (readonly number[])[], { waves, members }: Waves): Graph {
  const lists: (readonly number[])[] = [...needs];
  const barrierOf = new Map<number, number>();
  let below: readonly number[] | undefined;
  for (const wave of [...members.keys()].sort((a, b) => a - b)) {
    if (below !== undefined) barrierOf.set(wave, lists.push(below) - 1);
    below = members.get(wave);
  }
  waves.forEach((wave, index) => {
    const barrier = wave === null ? undefined : barrierOf.get(wave);
    if (barrier !== undefined) lists[index] = [...(lists[index] ?? []), barrier];
  });
  const dependents: number[][] = lists.map(() => []);
  lists.forEach((list, index) => {
    for (const need of list) dependents[need]?.push(index);
  });
  return { size: lists.length, needs: lists, dependents };
}

function readWave({ id, wave }: TaskDraft, report: ReportFinding): number | null {
  if (wave === null || (Number.isSafeInteger(wave.value) && wave.value >= 0)) return wave?.value ?? null;
  report("bad-wave", { task: id.value, wave: wave.value }, wave.at);
  return null;
}
