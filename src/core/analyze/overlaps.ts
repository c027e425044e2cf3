import { groupBy } from "../group-by.ts";
import { once } from "../ownership/once.ts";
import { both, type Overlap, overlap } from "../ownership/overlap.ts";
import { type NotCompared, searchOverlaps } from "../ownership/overlap-pairs.ts";
import { areShared, looksLikeFile, type PathPattern, symbolsMeet } from "../ownership/pattern.ts";
import type { Ordering } from "./catalog-ownership.ts";
import type { CreatedTwice } from "./created.ts";
import type { Order, TaskSet } from "./order.ts";
import {
  describeDoubt,
  describeHolding,
  findOrdering,
  type Holding,
  holdingsOf,
  type OwnershipCheck,
} from "./owners.ts";

/** Finds pairs of tasks that may run together and claim the same path; one finding a pair, the most certain one. */
export function checkOverlaps(check: OwnershipCheck, order: Order, created: CreatedTwice): NotCompared {
  const search: Search = { check, order, created, certain: new Map(), unsure: new Map() };
  const notCompared = collect(search);
  const pairs = [...search.certain.values(), ...search.unsure.values()];
  for (const pair of pairs.slice(0, MOST_LISTED)) reportPair(pair, check);
  if (pairs.length > MOST_LISTED) check.report("overlaps-not-listed", { most: MOST_LISTED }, check.planAt);
  return notCompared;
}

const MOST_LISTED = 200;
/** Looking up whether two tasks are ordered is cheap against comparing two patterns. */
const LOOKUPS_PER_WORK = 4;

/** `first` stands before `second` in the file. */
type Pair = { readonly first: Holding; readonly second: Holding; readonly found: Overlap };

/** Pairs by the numbers of their tasks. No number of doubtful ones can hide a certain one. */
type Search = {
  readonly check: OwnershipCheck;
  readonly order: Order;
  readonly created: CreatedTwice;
  readonly certain: Map<string, Pair>;
  readonly unsure: Map<string, Pair>;
};

/** The same pattern is compared once, however many tasks use it. */
type Group = {
  readonly pattern: PathPattern;
  readonly holdings: readonly Holding[];
  readonly tasks: () => TaskSet;
};

function collect(search: Search): NotCompared {
  const groups = groupsOf(search);
  for (const group of groups) {
    const found = once(() => overlap(group.pattern, group.pattern));
    const isDone = !forEachCollision([group, group], search, (x, y) =>
      keep(search, { x, y, found: found() }),
    );
    if (isDone) return { pairs: 0, glob: null };
  }
  return searchOverlaps({
    patterns: groups.map(({ pattern }) => pattern),
    work: search.check.work,
    matters: (a, b) => {
      // Stops at the first collision, so it went on to the end when there is none.
      return !forEachCollision([groups[a], groups[b]], search, () => false);
    },
    visit: ({ a, b, overlap: found }) => {
      return forEachCollision([groups[a], groups[b]], search, (x, y) => keep(search, { x, y, found }));
    },
  });
}

function groupsOf({ check, order }: Search): Group[] {
  const found = groupBy(holdingsOf(check.owners), ({ claim }) => claim.pattern);
  return Array.from(found, ([pattern, holdings]) => {
    return { pattern, holdings, tasks: once(() => order.setOf(holdings.map(({ owner }) => owner.index))) };
  });
}

/** From how many on it pays to ask for all tasks of a group at once. */
const MANY = 16;

/**
 * Each claim of the one group with each of the other, if the two can collide and nothing certain is known about their
 * tasks yet; within one group every pair once. Goes on while `visit` says so, and says whether it came to the end.
 */
function forEachCollision(
  [mine, theirs]: readonly [Group | undefined, Group | undefined],
  search: Search,
  visit: (x: Holding, y: Holding) => boolean,
): boolean {
  if (mine === undefined || theirs === undefined) return true;
  const others = theirs.holdings;
  for (let i = 0; i < mine.holdings.length; i += 1) {
    const x = mine.holdings[i] as Holding;
    if (others.length > MANY && !search.order.mayRunWithAny(x.owner.index, theirs.tasks())) continue;
    const from = mine === theirs ? i + 1 : 0;
    search.check.work.left -= (others.length - from) / LOOKUPS_PER_WORK;
    for (let j = from; j < others.length; j += 1) {
      const y = others[j] as Holding;
      if (mayCollide(x, y, search) && !visit(x, y)) return false;
    }
  }
  return true;
}

function mayCollide(x: Holding, y: Holding, { order, created, certain }: Search): boolean {
  return (
    order.mayRunTogether(x.owner.index, y.owner.index) &&
    symbolsMeet(x.claim.symbol, y.claim.symbol) &&
    !areShared(x.claim, y.claim) &&
    !(certain.size > 0 && certain.has(keyOf(x, y))) &&
    !created.has(x, y)
  );
}

/** False when enough is known. */
function keep(search: Search, { x, y, found }: { x: Holding; y: Holding; found: Overlap }): boolean {
  const [first, second] = x.owner.index < y.owner.index ? [x, y] : [y, x];
  const key = keyOf(x, y);
  if (found.kind === "overlap") {
    search.certain.set(key, { first, second, found });
    search.unsure.delete(key);
    return search.certain.size <= MOST_LISTED;
  }
  const before = search.unsure.get(key);
  if (before === undefined) {
    if (search.unsure.size <= MOST_KEPT) search.unsure.set(key, { first, second, found });
  } else if (before.first === first && before.second === second) {
    search.unsure.set(key, { first, second, found: both(before.found, found) });
  }
  return true;
}

/** Some may turn out certain and leave. */
const MOST_KEPT = 10 * MOST_LISTED;

function keyOf(x: Holding, y: Holding): string {
  const [a, b] = [x.owner.index, y.owner.index];
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

/** The task that owns the path alone where the other one shares it. */
function findUnshared(first: Holding, second: Holding): string | null {
  const owners = [first, second].filter(({ claim }) => claim.mode !== "shared");
  const [owner] = owners;
  return owners.length !== 1 || owner === undefined ? null : owner.owner.draft.id.value;
}

function reportPair({ first, second, found }: Pair, check: OwnershipCheck): void {
  const ordering = orderingOf(first, second);
  const owned = describeHolding(first);
  const tasks = { first: owned.task, second: second.owner.draft.id.value };
  if (found.kind === "overlap") {
    const path = found.witness + symbolOf(first, second);
    const folder = findFolder([first, second], found.witness);
    const unshared = findUnshared(first, second);
    const params = { ...tasks, path, folder, ordering, unshared };
    check.report("ownership-overlap", params, second.at, { related: [owned] });
  } else if (found.kind === "may-overlap") {
    const params = { kind: "tasks", ...tasks, ...describeDoubt(found), ordering } as const;
    check.report("overlap-unclear", params, second.at, {
      related: [{ ...owned, mode: "owns" }],
      severity: check.unsure,
    });
  }
}

/** What is created has to be there before it is modified, and being ordered does not help two who create it. */
function orderingOf(first: Holding, second: Holding): Ordering | null {
  const [mine, theirs] = [first.claim.mode, second.claim.mode];
  if (mine === "create" && theirs === "create") return null;
  return mine === "modify" && theirs === "create"
    ? findOrdering(second.owner, first.owner)
    : findOrdering(first.owner, second.owner);
}

/** The part of a file that both mean: the narrower of two symbols, of which one is inside the other. */
function symbolOf({ claim: a }: Holding, { claim: b }: Holding): string {
  const [one, other] = [a.symbol ?? "", b.symbol ?? ""];
  const narrower = one.length > other.length ? one : other;
  return narrower === "" ? "" : `::${narrower}`;
}

/** `*` and `src` meet at a file named src, which is hardly meant. */
function findFolder(pair: readonly Holding[], witness: string): string | null {
  const isNamed = pair.some(({ claim }) => claim.pattern === witness);
  const isMatched = pair.some(({ claim }) => claim.pattern !== witness && !claim.pattern.startsWith(witness));
  if (!isNamed || !isMatched || looksLikeFile(witness)) return null;
  return witness;
}
