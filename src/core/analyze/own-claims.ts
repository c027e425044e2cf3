import type { TaskDraft } from "../draft.ts";
import { both, type Overlap, overlap } from "../ownership/overlap.ts";
import { type NotCompared, searchOverlaps, workForAll } from "../ownership/overlap-pairs.ts";
import { claimText, type PathPattern } from "../ownership/pattern.ts";
import type { Located } from "../source.ts";
import type { TaskPaths } from "./claims.ts";
import type { ReportFinding } from "./findings.ts";
import {
  describeDoubt,
  describeHolding,
  holdingsOf,
  type Owner,
  type OwnershipCheck,
  type ScopedTask,
} from "./owners.ts";

/** What each task says about itself: its claims must not meet its own boundary. One finding a boundary. */
export function checkBoundaries(check: OwnershipCheck): NotCompared {
  let notCompared: NotCompared = { pairs: 0, glob: null };
  for (const owner of check.owners) {
    const { pairs, glob } = checkBoundary(owner, check);
    notCompared = { pairs: notCompared.pairs + pairs, glob: notCompared.glob ?? glob };
  }
  return notCompared;
}

type Own = TaskPaths["owns"][number];
type Barred = TaskPaths["boundary"][number];
type Clash = { readonly own: Own; readonly found: Overlap };

function checkBoundary(owner: Owner, check: OwnershipCheck): NotCompared {
  const owns = uniqueBy(owner.paths.owns, ({ claim }) => claim.pattern);
  const boundary = uniqueBy(owner.paths.boundary, ({ value }) => value);
  const clashes = new Map<Barred, Clash>();
  const keep = (barred: Barred, own: Own, found: Overlap) => {
    const before = clashes.get(barred);
    if (before === undefined || found.kind === "overlap") clashes.set(barred, { own, found });
    else if (before.own === own) clashes.set(barred, { own, found: both(before.found, found) });
    return true;
  };
  for (const [text, barred] of boundary) {
    const own = owns.get(text);
    if (own !== undefined) keep(barred, own, overlap(text, text));
  }
  const [mine, theirs] = [
    [...owns.values()],
    [...boundary.values()].filter((barred) => !clashes.has(barred)),
  ];
  const pairOf = (a: number, b: number) => [mine[a], theirs[b - mine.length]] as const;
  const notCompared = searchOverlaps({
    patterns: [...mine.map(({ claim }) => claim.pattern), ...theirs.map(({ value }) => value)],
    matters: (a, b) => {
      const [own, barred] = pairOf(a, b);
      return own !== undefined && barred !== undefined && clashes.get(barred)?.found.kind !== "overlap";
    },
    visit: ({ a, b, overlap: found }) => {
      const [own, barred] = pairOf(a, b);
      return own === undefined || barred === undefined || keep(barred, own, found);
    },
    work: check.work,
  });
  for (const [barred, clash] of clashes) reportClash(owner, barred, { ...clash, check });
  return notCompared;
}

function uniqueBy<T>(list: readonly T[], key: (one: T) => PathPattern): Map<PathPattern, T> {
  const found = new Map<PathPattern, T>();
  for (const one of list) if (!found.has(key(one))) found.set(key(one), one);
  return found;
}

function reportClash(
  owner: Owner,
  barred: Barred,
  { own, found, check }: Clash & { check: OwnershipCheck },
): void {
  const task = owner.draft.id.value;
  const owned = { at: own.at, task, path: claimText(own.claim) };
  const boundary = barred.value;
  if (found.kind === "overlap") {
    check.report("owns-in-boundary", { task, path: found.witness, boundary }, barred.at, {
      related: [owned],
    });
  } else if (found.kind === "may-overlap") {
    const params = { kind: "boundary", task, boundary, ...describeDoubt(found) } as const;
    check.report("overlap-unclear", params, barred.at, {
      related: [{ ...owned, mode: "owns" }],
      severity: check.unsure,
    });
  }
}

const MOST_PLACES = 50;

/** One note for all of them: a plan without any claims is fine, a plan with some probably forgot these. */
export function noteUnclaimed(owners: readonly Owner[], report: ReportFinding): void {
  const isClaimed = ({ draft }: Owner) => draft.owns.length > 0;
  const unclaimed = owners.filter((owner) => !isClaimed(owner) && owner.draft.work.kind === "agent");
  const [first, ...others] = unclaimed;
  if (first === undefined || !owners.some(isClaimed)) return;
  const related = others.slice(0, MOST_PLACES).map(({ draft: { id } }) => ({ at: id.at, task: id.value }));
  report("no-owns", { tasks: unclaimed.map(({ draft }) => draft.id.value) }, first.draft.id.at, { related });
}

export function warnOfReadOnlyClaims(tasks: readonly TaskDraft[], report: ReportFinding): void {
  for (const { id, owns } of tasks) {
    const [first] = owns;
    if (first !== undefined) report("read-only-owns", { task: id.value }, first.text.at);
  }
}

/** Report files belong to read-only tasks; new files of other tasks at these paths are not merged. */
export function checkReports(tasks: readonly ScopedTask[], check: OwnershipCheck): void {
  const reporters = new Map<PathPattern, { readonly task: string; readonly at: Located<unknown>["at"] }>();
  for (const { draft, settings, paths } of tasks) {
    const task = draft.id.value;
    const [first] = draft.reports ?? [];
    if (settings.access === "write" && first !== undefined) {
      check.report("reports-not-read-only", { task }, first.at);
    } else
      for (const { value, at } of paths.reports)
        if (!reporters.has(value)) reporters.set(value, { task, at });
  }
  if (reporters.size > 0) warnOfClaims([...reporters], check);
}

type Reporter = readonly [PathPattern, { readonly task: string; readonly at: Located<unknown>["at"] }];

/** One finding a claim. */
function warnOfClaims(reporters: readonly Reporter[], { owners, report }: OwnershipCheck): void {
  const holdings = holdingsOf(owners);
  const reported = new Set<number>();
  searchOverlaps({
    patterns: [...reporters.map(([pattern]) => pattern), ...holdings.map(({ claim }) => claim.pattern)],
    matters: (a, b) => a < reporters.length && b >= reporters.length && !reported.has(b),
    visit: ({ a, b, overlap }) => {
      const [reporter, held] = [reporters[a], holdings[b - reporters.length]];
      if (overlap.kind !== "overlap" || reporter === undefined || held === undefined) return true;
      reported.add(b);
      const [pattern, { task, at }] = reporter;
      const params = { ...describeHolding(held), reporter: task, report: pattern };
      report("reports-owned", params, held.at, { related: [{ at, task }] });
      return true;
    },
    work: workForAll(),
  });
}
