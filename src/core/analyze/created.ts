import { groupBy } from "../group-by.ts";
import { compile } from "../ownership/compile.ts";
import { fold } from "../ownership/entries.ts";
import { searchOverlaps } from "../ownership/overlap-pairs.ts";
import { type Claim, claimText, type PathPattern, symbolsMeet } from "../ownership/pattern.ts";
import type { Order } from "./order.ts";
import { describeHolding, type Holding, holdingsOf, type OwnershipCheck } from "./owners.ts";

/** Claims that create the same path: they are not reported as an overlap again. */
export type CreatedTwice = { readonly has: (x: Holding, y: Holding) => boolean };

/**
 * A path can be created once, whatever the order; later tasks are held against the first. Only plain paths count: what
 * a glob will create is unknown; see created-in-glob.ts.
 */
export function checkCreated({ owners, report }: OwnershipCheck): CreatedTwice {
  const creators = new Map<string, Holding[]>();
  const created = new Map<Claim, readonly string[]>();
  const told = new Set<string>();
  for (const holding of holdingsOf(owners)) {
    if (holding.claim.mode !== "create") continue;
    const paths = plainPaths(holding.claim.pattern);
    created.set(holding.claim, paths);
    for (const path of paths) {
      const before = creators.get(path) ?? [];
      const first = before.find((other) => isSameThing(other, holding));
      before.push(holding);
      creators.set(path, before);
      if (first === undefined || told.has(keyOf(first, holding))) continue;
      told.add(keyOf(first, holding));
      reportTwice(path, first, holding, report);
    }
  }
  return {
    has: (x, y) => {
      if (x.claim.mode !== "create" || y.claim.mode !== "create") return false;
      const others = created.get(y.claim) ?? [];
      return (created.get(x.claim) ?? []).some((path) => others.includes(path));
    },
  };
}

/** Of braces each; a glob has none. */
function plainPaths(pattern: PathPattern): string[] {
  return compile(pattern).flatMap((way) => (way.kind === "literal" ? [way.path] : []));
}

function isSameThing(a: Holding, b: Holding): boolean {
  return a.owner !== b.owner && symbolsMeet(a.claim.symbol, b.claim.symbol);
}

function keyOf(a: Holding, b: Holding): string {
  return `${a.owner.index} ${b.owner.index}`;
}

function reportTwice(path: string, one: Holding, other: Holding, report: OwnershipCheck["report"]): void {
  const [first, second] = [one.owner.draft.id.value, other.owner.draft.id.value];
  const related = [{ at: one.at, task: first, path: claimText(one.claim) }];
  report("created-twice", { first, second, path }, other.at, { related });
}

type Around = {
  readonly order: Order;
  readonly created: CreatedTwice;
  /** Who writes it can still name every file: then it has to, and two globs that meet are told of too. */
  readonly exact: boolean;
};

/**
 * Paths that a task creates by name and that a glob of an earlier or a later one covers. Whether it will create them nobody knows.
 * One finding a glob. Tasks that may run together are told of as an overlap.
 */
export function checkCreatedInGlobs(check: OwnershipCheck, around: Around): void {
  const groups = creationsOf(check);
  const found = new Map<Holding, Covered>();
  for (const group of around.exact ? groups : []) pair(group, group, { found, around, check });
  searchOverlaps({
    patterns: groups.map(({ pattern }) => pattern),
    matters: () => true,
    visit: ({ a, b, overlap }) => {
      const [one, other] = [groups[a] as Group, groups[b] as Group];
      if (overlap.kind !== "overlap") return true;
      const isNamed = (group: Group) => group.paths.has(overlap.witness);
      const [glob, named] = isNamed(one) ? [other, one] : [one, other];
      if (isNamed(named) || around.exact) pair(glob, named, { found, around, check });
      return true;
    },
    work: check.work,
  });
  for (const [glob, covered] of found) reportCovered(glob, covered, check, around.exact);
}

type Group = {
  readonly pattern: PathPattern;
  readonly paths: ReadonlySet<string>;
  readonly holdings: readonly Holding[];
};
/** What others create that a glob covers: by name, or with a glob too. */
type Covered = { readonly named: Holding[]; readonly globs: Holding[] };

/** The same pattern is compared once, however many tasks use it. */
function creationsOf({ owners }: OwnershipCheck): Group[] {
  const created = holdingsOf(owners).filter(({ claim }) => claim.mode === "create");
  const found = groupBy(created, ({ claim }) => claim.pattern);
  return Array.from(found, ([pattern, holdings]) => {
    return { pattern, holdings, paths: new Set(plainPaths(pattern)) };
  });
}

const MOST_PLACES = 50;

type Search = {
  readonly found: Map<Holding, Covered>;
  readonly around: Around;
  readonly check: OwnershipCheck;
};

function pair(globs: Group, named: Group, { found, around, check }: Search): void {
  for (const [i, x] of globs.holdings.entries()) {
    for (const y of globs === named ? named.holdings.slice(i + 1) : named.holdings) {
      check.work.left -= 1;
      if (check.work.left <= 0) return;
      if (!arePaired(x, y, around)) continue;
      const covered = found.get(x) ?? { named: [], globs: [] };
      const others = named.paths.size === 0 ? covered.globs : covered.named;
      if (others.length < MOST_PLACES && !others.includes(y)) others.push(y);
      found.set(x, covered);
    }
  }
}

function arePaired(x: Holding, y: Holding, { order, created }: Around): boolean {
  return (
    x.owner !== y.owner &&
    !order.mayRunTogether(x.owner.index, y.owner.index) &&
    symbolsMeet(x.claim.symbol, y.claim.symbol) &&
    !created.has(x, y)
  );
}

function reportCovered(
  glob: Holding,
  { named, globs }: Covered,
  { report, unsure }: OwnershipCheck,
  exact: boolean,
): void {
  const isNamed = named.length > 0;
  const others = (isNamed ? named : globs).sort((a, b) => a.owner.index - b.owner.index);
  const related = others.map(describeHolding);
  const [other] = related;
  if (other === undefined) return;
  const { task, path } = describeHolding(glob);
  const severity = !isNamed ? "warning" : exact ? "error" : unsure;
  const params = { task, glob: path, other, more: others.length - 1, isNamed };
  report("created-twice", params, glob.at, { related, severity });
}

/** Paths that are two where letters count as they are written, and one on the file systems that macOS and Windows use. */
export function checkCreatedInOtherLetters({ owners, report, unsure }: OwnershipCheck, order: Order): void {
  const known = new Map<string, { readonly path: string; readonly holding: Holding }>();
  const told = new Set<string>();
  for (const holding of holdingsOf(owners)) {
    if (holding.claim.mode !== "create") continue;
    for (const path of plainPaths(holding.claim.pattern)) {
      const first = known.get(fold(path));
      if (first === undefined) known.set(fold(path), { path, holding });
      if (first === undefined || first.path === path || first.holding.owner === holding.owner) continue;
      const [a, b] = [first.holding.owner, holding.owner];
      const key = `${a.index} ${b.index}`;
      if (order.mayRunTogether(a.index, b.index) || told.has(key)) continue;
      told.add(key);
      const [one, other] = [
        { ...describeHolding(holding), path },
        { ...describeHolding(first.holding), path: first.path, mode: "creates" as const },
      ];
      report("overlap-unclear", { kind: "letters", one, other }, holding.at, {
        related: [other],
        severity: unsure,
      });
    }
  }
}
