import { type NotCompared, workForAll } from "../ownership/overlap-pairs.ts";
import type { SourceRange } from "../source.ts";
import { checkCreated, checkCreatedInGlobs, checkCreatedInOtherLetters } from "./created.ts";
import type { ReportFinding } from "./findings.ts";
import type { Names } from "./names.ts";
import type { Needs } from "./needs.ts";
import { MOST_ORDERED_TASKS, orderOf } from "./order.ts";
import { checkOverlaps } from "./overlaps.ts";
import { checkBoundaries, checkReports, noteUnclaimed, warnOfReadOnlyClaims } from "./own-claims.ts";
import type { OwnershipCheck, ScopedTask } from "./owners.ts";

export type OwnershipContext = {
  readonly names: Names;
  readonly needs: Needs;
  readonly strict: boolean;
  /** Every file that is created has to be named; see created-in-glob.ts. */
  readonly exact?: boolean;
  readonly planAt: SourceRange;
  readonly report: ReportFinding;
};

/** Who may change what, and whether two who may run together may change the same. */
export function checkOwnership(tasks: readonly ScopedTask[], context: OwnershipContext): void {
  const { names, needs, strict, exact = false, planAt, report } = context;
  const owners = tasks.flatMap(({ draft, settings, paths }, index) => {
    return settings.access === "write" && !names.repeated.has(index) ? [{ index, draft, paths }] : [];
  });
  const unsure = strict ? "error" : "warning";
  const check: OwnershipCheck = { owners, unsure, work: workForAll(), planAt, report };
  const created = checkCreated(check);
  if (tasks.length > MOST_ORDERED_TASKS) {
    const params = { kind: "too-many-tasks", most: MOST_ORDERED_TASKS, tasks: tasks.length } as const;
    report("overlap-unclear", params, planAt, { severity: unsure });
  } else {
    const order = orderOf(needs.graph, tasks.length, needs.broken);
    reportNotCompared(check, checkOverlaps(check, order, created));
    checkCreatedInGlobs({ ...check, work: workForAll() }, { order, created, exact });
    checkCreatedInOtherLetters(check, order);
  }
  reportNotCompared(check, checkBoundaries({ ...check, work: workForAll() }));
  noteUnclaimed(owners, report);
  const readers = tasks.filter(({ settings }) => settings.access === "read-only");
  warnOfReadOnlyClaims(
    readers.map(({ draft }) => draft),
    report,
  );
  checkReports(tasks, check);
}

function reportNotCompared({ report, planAt, unsure }: OwnershipCheck, { pairs, glob }: NotCompared): void {
  if (pairs > 0) report("overlap-unclear", { kind: "too-slow", pairs, glob }, planAt, { severity: unsure });
}
