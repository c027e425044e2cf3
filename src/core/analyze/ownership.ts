import { type NotCompared, workForAll } from "../ownership/meetings.ts";
import type { SourceRange } from "../source.ts";
import { checkCreated } from "./created.ts";
import { checkCreatedInGlobs, checkCreatedInOtherLetters } from "./created-in-glob.ts";
import type { Say } from "./findings.ts";
import type { Names } from "./names.ts";
import type { Needs } from "./needs.ts";
import { MOST_ORDERED_TASKS, orderOf } from "./order.ts";
import { checkOverlaps } from "./overlaps.ts";
import { checkBoundaries, noteUnclaimed, warnOfReadOnlyClaims } from "./own-claims.ts";
import type { OwnershipCheck, ScopedTask } from "./owners.ts";
import { checkReports } from "./reports.ts";
import { counted, quoted } from "./words.ts";

export type OwnershipContext = {
  readonly names: Names;
  readonly needs: Needs;
  readonly strict: boolean;
  /** Every file that is created has to be named; see created-in-glob.ts. */
  readonly exact?: boolean;
  readonly planAt: SourceRange;
  readonly say: Say;
};

/** Who may change what, and whether two who may run together may change the same. */
export function checkOwnership(tasks: readonly ScopedTask[], context: OwnershipContext): void {
  const { names, needs, strict, exact = false, planAt, say } = context;
  const owners = tasks.flatMap(({ draft, settings, paths }, index) => {
    return settings.access === "write" && !names.repeated.has(index) ? [{ index, draft, paths }] : [];
  });
  const unsure = strict ? "error" : "warning";
  const check: OwnershipCheck = { owners, unsure, work: workForAll(), planAt, say };
  const created = checkCreated(check);
  if (tasks.length > MOST_ORDERED_TASKS) {
    const message = `claims are compared in plans of at most ${MOST_ORDERED_TASKS} tasks; this one has ${tasks.length}`;
    say("ownership-unsure", { message, at: planAt, severity: unsure });
  } else {
    const order = orderOf(needs.graph, tasks.length, needs.broken);
    sayNotCompared(check, checkOverlaps(check, order, created));
    checkCreatedInGlobs({ ...check, work: workForAll() }, { order, created, exact });
    checkCreatedInOtherLetters(check, order);
  }
  sayNotCompared(check, checkBoundaries({ ...check, work: workForAll() }));
  noteUnclaimed(owners, say);
  const readers = tasks.filter(({ settings }) => settings.access === "read-only");
  warnOfReadOnlyClaims(
    readers.map(({ draft }) => draft),
    say,
  );
  checkReports(tasks, check);
}

function sayNotCompared({ say, planAt, unsure }: OwnershipCheck, { pairs, glob }: NotCompared): void {
  if (pairs === 0) return;
  const message = `${counted(pairs, "pair")} of claims ${pairs === 1 ? "was" : "were"} not compared, because comparing globs took too long`;
  const hint = glob && `name folders or files instead of globs such as ${quoted(glob)}`;
  say("ownership-unsure", { message, at: planAt, hint, severity: unsure });
}
