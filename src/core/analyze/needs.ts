import type { Lost, TaskDraft } from "../draft.ts";
import type { Graph } from "../graph.ts";
import type { Located, SourceRange } from "../source.ts";
import { nearest } from "../suggest.ts";
import type { Say } from "./findings.ts";
import { mayBeLost } from "./lost.ts";
import type { Names } from "./names.ts";
import { readWaves, withBarriers } from "./waves.ts";
import { listed, quoted } from "./words.ts";

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

export function readNeeds(tasks: readonly TaskDraft[], { names, lost }: Known, say: Say): Needs {
  const broken = new Set<number>();
  const hintFor = suggestions(names);
  const inWaves = readWaves(tasks, names, say);
  const { waves } = inWaves;
  const places = tasks.map((task, index) => {
    const found = new Map<number, SourceRange>();
    const unknown = new Set<string>();
    if (task.wave !== null && waves[index] === null) broken.add(index);
    for (const need of task.needs) {
      if (unknown.has(need.value)) continue; // said once a task
      const target = targetOf(need, { task, names, lost, say, hintFor });
      if (target === null) {
        broken.add(index);
        unknown.add(need.value);
      } else if (found.has(target)) sayRepeated(task, need, found.get(target) as SourceRange, say);
      else if (isNotBefore(waves, target, index)) {
        broken.add(index);
        sayLater(need, { task, mine: waves[index] as number, theirs: waves[target] as number, say });
      } else found.set(target, need.at);
    }
    sayHeard(task, say);
    return found;
  });
  const graph = withBarriers(
    places.map((own) => [...own.keys()]),
    inWaves,
  );
  return { graph, places, broken };
}

/** By what is written: a need that is wrong in itself has been reported. */
function sayHeard({ id, needs, hears }: TaskDraft, say: Say): void {
  const needed = new Set(needs.map(({ value }) => value));
  for (const { task } of hears?.from ?? []) {
    if (needed.has(task.value)) continue;
    const message = `${quoted(id.value)} hears of ${quoted(task.value)}, which it does not need`;
    say("heard-not-needed", { message, at: task.at, hint: `add ${task.value} to its needs` });
  }
}

type Context = Known & { task: TaskDraft; say: Say; hintFor: (need: string) => string };

function targetOf(need: Located<string>, { task, names, lost, say, hintFor }: Context): number | null {
  const id = quoted(task.id.value);
  if (need.value === task.id.value) {
    say("needs-itself", { message: `${id} needs itself`, at: need.at, hint: "delete this need" });
    return null;
  }
  const target = names.indexOf.get(need.value);
  if (target !== undefined) return target;
  if (mayBeLost(need.value, lost.tasks)) return null;
  const message = `${id} needs ${quoted(need.value)}, which is no task of this plan`;
  say("unknown-need", { message, at: need.at, hint: hintFor(need.value) });
  return null;
}

/** Each misspelt name is looked up once: a plan may repeat it in hundreds of tasks. */
function suggestions({ indexOf }: Names): (need: string) => string {
  const ids = [...indexOf.keys()];
  const known = new Map<string, string>();
  return (need) => {
    const before = known.get(need);
    if (before !== undefined) return before;
    const near = known.size < MAX_LOOKUPS ? nearest(need, ids) : null;
    const hint = near === null ? `the plan has ${listed(ids, "tasks")}` : `did you mean ${quoted(near)}?`;
    known.set(need, hint);
    return hint;
  };
}

/** After so many different ones a hint helps nobody. */
const MAX_LOOKUPS = 50;

function sayRepeated(task: TaskDraft, need: Located<string>, first: SourceRange, say: Say): void {
  const message = `${quoted(task.id.value)} needs ${quoted(need.value)} twice`;
  const related = [{ at: first, message: "the first is here" }];
  say("duplicate-need", { message, at: need.at, hint: "delete one", related });
}

function isNotBefore(waves: readonly (number | null)[], target: number, index: number): boolean {
  const [theirs, mine] = [waves[target] ?? null, waves[index] ?? null];
  return theirs !== null && mine !== null && theirs >= mine;
}

function sayLater(
  need: Located<string>,
  { task, mine, theirs, say }: { task: TaskDraft; mine: number; theirs: number; say: Say },
): void {
  const [id, other] = [quoted(task.id.value), quoted(need.value)];
  const same = mine === theirs;
  const message = same
    ? `${id} needs ${other}, but both are in wave ${mine} and may start together`
    : `${id} of wave ${mine} needs ${other} of the later wave ${theirs}`;
  say("needs-later-wave", { message, at: need.at, hint: `move ${id} to wave ${theirs + 1}` });
}
