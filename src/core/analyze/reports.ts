import { searchMeetings, workForAll } from "../ownership/meetings.ts";
import type { PathPattern } from "../ownership/pattern.ts";
import type { Located } from "../source.ts";
import { describeHolding, holdingsOf, type OwnershipCheck, type ScopedTask } from "./owners.ts";

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
  searchMeetings({
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
