import type { Fact } from "../../../src/core/facts.ts";
import type { Indices, RunState, TaskPhase } from "../../../src/core/run-state.ts";
import { rebuildIndices } from "../../../src/core/run-tasks.ts";
import { entries, get, type SortedMap } from "../../../src/core/sorted-map.ts";
import type { Core } from "../driver.ts";
import { hold } from "../violation.ts";

/** The fold itself: total, pure, deaf to echoes, and its indices equal to the naive derivation. */
export type Folding = { readonly core: Core; readonly fact: Fact; readonly after: RunState };

/** A fact that comes twice changes nothing, not even the identity of the state. */
export function checkEcho({ core, fact, after }: Folding): void {
  // A resume is no news that can be repeated: each one is another driver.
  if (fact.type === "run.resumed") return;
  const again = core.evolve(after, fact);
  hold(again === after, "an echo changes nothing", () => `${fact.type} does: ${difference(after, again)}`);
}

/** Whether a fact may have changed an index, or something that one is derived from. */
export function mayMoveIndices(before: RunState | null, after: RunState): boolean {
  if (before === null || before.tasks !== after.tasks || before.index !== after.index) return true;
  return before.indices.ready !== after.indices.ready || before.indices.waits !== after.indices.waits;
}

export function checkIndices(state: RunState): void {
  const kept = state.indices;
  const derived = rebuildIndices(state).indices;
  const isSame = sameIndices(kept, derived);
  hold(isSame, "indices are derived", () => `\n kept    ${plain(kept)}\n derived ${plain(derived)}`);
}

/** Counts of needs and reasons of skips, against the phases they come from. */
export function checkNeeds(state: RunState): void {
  for (const [i, { phase, unmet }] of entries(state.tasks)) {
    const { id, needs } = state.index.plan.tasks[i]!;
    const phases = needs.map((need) => [need, phaseOf(state, need)] as const);
    const open = phases.filter(([, { kind }]) => kind !== "merged" && kind !== "passed");
    hold(unmet === open.length, "unmet needs are counted", () => `${id} has ${open.length}, not ${unmet}`);
    const obstacles = phases.filter(([, { kind }]) => OBSTACLES.has(kind)).map(([need]) => need);
    if (phase.kind === "skipped") checkSkip(state, id, phase.because, obstacles);
    const isStuck = obstacles.length > 0 && MUST_BE_SKIPPED.has(phase.kind);
    hold(!isStuck, "skips spread", () => `${id} is ${phase.kind}, but ${obstacles[0]} will not come`);
  }
}

function checkSkip(state: RunState, id: string, because: string | null, obstacles: readonly string[]): void {
  if (because === null) {
    const isChosen = state.selected === null || [...state.selected].some((chosen) => chosen === id);
    hold(!isChosen, "skip reasons are true", () => `${id} was selected and is skipped without a reason`);
    return;
  }
  hold(obstacles.includes(because), "skip reasons are true", () => `${id} is skipped because of ${because}`);
}

const OBSTACLES: ReadonlySet<TaskPhase["kind"]> = new Set<TaskPhase["kind"]>([
  "failed",
  "cancelled",
  "skipped",
]);
const MUST_BE_SKIPPED: ReadonlySet<TaskPhase["kind"]> = new Set<TaskPhase["kind"]>([
  "waiting",
  "backoff",
  "parked",
]);

function phaseOf(state: RunState, id: string): TaskPhase {
  return get(state.tasks, state.index.indexOf.get(id as never)!)!.phase;
}

/** Freezes what is new in a state; what it shares with the last one is frozen already. */
export function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}

/** The shape of the trees does not matter, what is in them does. */
function sameIndices(a: Indices, b: Indices): boolean {
  const { ready, waits, queue, live, opening, groupUse, phases, ...rest } = a;
  const counts = Object.keys(rest) as (keyof typeof rest)[];
  return (
    counts.every((key) => rest[key] === b[key]) &&
    Object.entries(phases).every(([kind, count]) => b.phases[kind as keyof typeof phases] === count) &&
    sameMap(queue, b.queue) &&
    sameMap(live, b.live) &&
    sameMap(opening, b.opening) &&
    sameMap(groupUse, b.groupUse) &&
    sameMap(ready, b.ready, sameMap) &&
    sameMap(waits, b.waits, sameMap)
  );
}

function sameMap<K extends number | string, V>(
  a: SortedMap<K, V>,
  b: SortedMap<K, V>,
  same: (x: V, y: V) => boolean = Object.is,
): boolean {
  if (a === b) return true;
  const others = entries(b);
  for (const [key, value] of entries(a)) {
    const other = others.next();
    if (other.done || other.value[0] !== key || !same(value, other.value[1])) return false;
  }
  return others.next().done === true;
}

function plain({ ready, waits, queue, live, opening, groupUse, ...rest }: Indices): string {
  return JSON.stringify({
    ...rest,
    ready: list(ready).map(([lane, tasks]) => [lane, list(tasks)]),
    waits: list(waits).map(([until, tasks]) => [until, list(tasks)]),
    queue: list(queue),
    live: list(live),
    opening: list(opening),
    groupUse: list(groupUse),
  });
}

function list<K extends number | string, V>(map: SortedMap<K, V>): (readonly [K, V])[] {
  return [...entries(map)];
}

function difference(before: RunState, after: RunState | null): string {
  if (after === null) return "the run is gone";
  const keys = Object.keys(before) as (keyof RunState)[];
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  return changed.length === 0 ? "a new state with the same content" : changed.join(", ");
}
