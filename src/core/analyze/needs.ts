import type { Lost, TaskDraft } from "../draft.ts";
import { type Graph, graphFrom } from "../graph.ts";
import { groupBy } from "../group-by.ts";
import type { Located, SourceRange } from "../source.ts";
import { nearest } from "../suggest.ts";
import { mayBeLost, type ReportFinding } from "./findings.ts";
import type { Names } from "./names.ts";

/** Who waits for whom, by index. */
export type Needs = {
  /**
   * Sound needs only: what was reported is left out, so that it is not reported again as something else. Behind the
   * tasks stand the barriers between waves, see waves.ts.
   */
  readonly graph: Graph;
  /** Per task the place of each need that it names itself, in the order of the file. */
  readonly places: readonly ReadonlyMap<number, SourceRange>[];
  /** Tasks of which some need was left out: what they wait for is not fully known. */
  readonly broken: ReadonlySet<number>;
};

/** What a need may mean: a task, or one that was lost because it was wrong in itself. */
type Known = { readonly names: Names; readonly lost: Lost };

export function readNeeds(tasks: readonly TaskDraft[], { names, lost }: Known, report: ReportFinding): Needs {
  const broken = new Set<number>();
  const suggestFor = createSuggestions([...names.indexOf.keys()]);
  const inWaves = readWaves(tasks, names, report);
  const { waves } = inWaves;
  const places = tasks.map((task, index) => {
    const found = new Map<number, SourceRange>();
    const unknown = new Set<string>();
    if (task.wave !== null && waves[index] === null) broken.add(index);
    for (const need of task.needs) {
      if (unknown.has(need.value)) continue; // reported once per task
      const target = targetOf(need, { task, names, lost, report, suggestFor });
      if (target === null) {
        broken.add(index);
        unknown.add(need.value);
      } else if (found.has(target)) {
        const related = [{ at: found.get(target) as SourceRange }];
        report("duplicate-need", { task: task.id.value, need: need.value }, need.at, { related });
      } else if (isNotBefore(waves, target, index)) {
        broken.add(index);
        const [wave, needWave] = [waves[index] as number, waves[target] as number];
        report("needs-later-wave", { task: task.id.value, need: need.value, wave, needWave }, need.at);
      } else found.set(target, need.at);
    }
    checkSummaries(task, report);
    return found;
  });
  const graph = withBarriers(
    places.map((own) => [...own.keys()]),
    inWaves,
  );
  return { graph, places, broken };
}

/** Compares what is written: an invalid need has been reported. */
function checkSummaries({ id, needs, summaries }: TaskDraft, report: ReportFinding): void {
  const needed = new Set(needs.map(({ value }) => value));
  for (const { task } of summaries?.from ?? []) {
    if (!needed.has(task.value)) report("summary-not-needed", { task: id.value, need: task.value }, task.at);
  }
}

type Suggestion = { readonly suggestion: string | null; readonly ids: readonly string[] };
type Context = Known & { task: TaskDraft; report: ReportFinding; suggestFor: (need: string) => Suggestion };

function targetOf(need: Located<string>, { task, names, lost, report, suggestFor }: Context): number | null {
  if (need.value === task.id.value) {
    report("needs-itself", { task: task.id.value }, need.at);
    return null;
  }
  const target = names.indexOf.get(need.value);
  if (target !== undefined) return target;
  if (mayBeLost(need.value, lost.tasks)) return null;
  const params = { task: task.id.value, need: need.value, ...suggestFor(need.value) };
  report("unknown-need", params, need.at);
  return null;
}

/** Each misspelled name is looked up once: a plan may repeat it in hundreds of tasks. */
function createSuggestions(ids: readonly string[]): (need: string) => Suggestion {
  const known = new Map<string, string | null>();
  return (need) => {
    if (!known.has(need)) known.set(need, known.size < MAX_LOOKUPS ? nearest(need, ids) : null);
    return { suggestion: known.get(need) ?? null, ids };
  };
}

/** After so many different ones a suggestion does not help. */
const MAX_LOOKUPS = 50;

function isNotBefore(waves: readonly (number | null)[], target: number, index: number): boolean {
  const [theirs, mine] = [waves[target] ?? null, waves[index] ?? null];
  return theirs !== null && mine !== null && theirs >= mine;
}

export type Waves = {
  /** By task; null where it is in none. */
  readonly waves: readonly (number | null)[];
  /** By the number of a wave: its tasks. */
  readonly members: ReadonlyMap<number, readonly number[]>;
};

function readWaves(tasks: readonly TaskDraft[], names: Names, report: ReportFinding): Waves {
  const waves = tasks.map((task) => readWave(task, report));
  const members = groupBy(waves.keys(), (i) => (names.repeated.has(i) ? null : (waves[i] ?? null)));
  return { waves, members };
}

/**
 * Every task of a wave waits for all of the nearest lower one. Said by one node between the two waves, behind the nodes
 * of the tasks: the lower wave's tasks are its needs, and the higher wave's tasks need it. So the number of edges grows
 * with the tasks and not with their square.
 */
function withBarriers(needs: readonly (readonly number[])[], { waves, members }: Waves): Graph {
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
  return graphFrom(lists);
}

function readWave({ id, wave }: TaskDraft, report: ReportFinding): number | null {
  if (wave === null || (Number.isSafeInteger(wave.value) && wave.value >= 0)) return wave?.value ?? null;
  report("bad-wave", { task: id.value, wave: wave.value }, wave.at);
  return null;
}
