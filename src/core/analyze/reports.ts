import { searchMeetings, workForAll } from "../ownership/meetings.ts";
import { claimText, type PathPattern } from "../ownership/pattern.ts";
import type { Located } from "../source.ts";
import { holdingsOf, nameOf, type OwnershipCheck, type ScopedTask } from "./owners.ts";
import { quoted } from "./words.ts";

/** Report files are for tasks that only look; where they are, nobody else's new files are merged. */
export function checkReports(tasks: readonly ScopedTask[], check: OwnershipCheck): void {
  const reporters = new Map<PathPattern, { readonly task: string; readonly at: Located<unknown>["at"] }>();
  for (const { draft, settings, paths } of tasks) {
    const task = quoted(draft.id.value);
    const [first] = draft.reports ?? [];
    if (settings.access === "write" && first !== undefined) {
      const message = `${task} writes, so it has no report files: what it leaves is committed`;
      check.say("reports-of-writer", {
        message,
        at: first.at,
        hint: "write access: read-only, or delete reports:",
      });
    } else
      for (const { value, at } of paths.reports)
        if (!reporters.has(value)) reporters.set(value, { task, at });
  }
  if (reporters.size > 0) warnOfClaims([...reporters], check);
}

type Reporter = readonly [PathPattern, { readonly task: string; readonly at: Located<unknown>["at"] }];

/** One finding a claim. */
function warnOfClaims(reporters: readonly Reporter[], { owners, say }: OwnershipCheck): void {
  const holdings = holdingsOf(owners);
  const told = new Set<number>();
  searchMeetings({
    patterns: [...reporters.map(([pattern]) => pattern), ...holdings.map(({ claim }) => claim.pattern)],
    matters: (a, b) => a < reporters.length && b >= reporters.length && !told.has(b),
    visit: ({ a, b, overlap }) => {
      const [reporter, held] = [reporters[a], holdings[b - reporters.length]];
      if (overlap.kind !== "overlap" || reporter === undefined || held === undefined) return true;
      told.add(b);
      const [pattern, { task, at }] = reporter;
      const claim = quoted(claimText(held.claim));
      say("reports-claimed", {
        message: `${nameOf(held.owner)} claims ${claim}, and ${task} reports in ${quoted(pattern)}: what ${task} leaves there is not merged`,
        at: held.at,
        hint: "let the two use different paths",
        related: [{ at, message: `${task} reports here` }],
      });
      return true;
    },
    work: workForAll(),
  });
}
