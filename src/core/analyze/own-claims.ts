import type { TaskDraft } from "../draft.ts";
import { looksLikeFile, takingFilesForFiles } from "../ownership/claims.ts";
import { findMeetings } from "../ownership/meetings.ts";
import { claimText } from "../ownership/pattern.ts";
import type { Say } from "./findings.ts";
import { nameOf, type Owner, type OwnershipCheck } from "./owners.ts";
import { listed, quoted } from "./words.ts";

/** What each task says about itself: its claims must not meet its own boundary. One finding a boundary. */
export function checkBoundaries(check: OwnershipCheck): void {
  for (const owner of check.owners) checkBoundary(owner, check);
}

function checkBoundary(owner: Owner, { say, work, unsure }: OwnershipCheck): void {
  const { owns, boundary } = owner.paths;
  if (owns.length === 0 || boundary.length === 0) return;
  const patterns = [...owns.map(({ claim }) => claim.pattern), ...boundary.map(({ value }) => value)];
  const told = new Set<number>();
  const certainFirst = findMeetings(patterns, work)
    .meetings.filter(({ a, b }) => a < owns.length && b >= owns.length)
    .map(({ a, b, overlap }) => ({ a, b, found: takingFilesForFiles(overlap) }))
    .sort((x, y) => Number(x.found.kind !== "overlap") - Number(y.found.kind !== "overlap") || x.a - y.a);
  for (const { a, b, found } of certainFirst) {
    const [own, barred] = [owns[a], boundary[b - owns.length]];
    if (!own || !barred || told.has(b) || found.kind === "disjoint") continue;
    told.add(b);
    const related = [{ at: own.at, message: `${nameOf(owner)} claims \`${claimText(own.claim)}\`` }];
    const boundaryText = `its boundary \`${barred.value}\``;
    if (found.kind === "overlap") {
      const message = `${nameOf(owner)} owns \`${found.witness}\`, but ${boundaryText} forbids it`;
      say("own-boundary-clash", {
        message,
        at: barred.at,
        hint: "narrow the claim or the boundary",
        related,
      });
    } else {
      const message = `${nameOf(owner)} perhaps owns what ${boundaryText} forbids: ${found.why}`;
      const folder = found.ifFolders.find((path) => !looksLikeFile(path));
      const hint = folder === undefined ? "write plain globs" : `write \`${folder}/\` if it is a folder`;
      say("ownership-unsure", { message, at: barred.at, hint, related, severity: unsure });
    }
  }
}

/** One note for all of them: a plan without any claims is fine, a plan with some probably forgot these. */
export function noteUnclaimed(owners: readonly Owner[], say: Say): void {
  const isClaimed = ({ draft }: Owner) => draft.owns.length > 0;
  const unclaimed = owners.filter((owner) => !isClaimed(owner) && owner.draft.work.kind === "agent");
  const [first, ...others] = unclaimed;
  if (first === undefined || !owners.some(isClaimed)) return;
  const who = listed(
    unclaimed.map(({ draft }) => draft.id.value),
    "tasks",
  );
  const claim = unclaimed.length === 1 ? "claims" : "claim";
  say("unclaimed", {
    message: `${who} ${claim} nothing and may change any file`,
    at: first.draft.id.at,
    hint: "add owns: with the paths to be changed",
    related: others.map((owner) => ({ at: owner.draft.id.at, message: `${nameOf(owner)} claims nothing` })),
  });
}

export function warnOfReadOnlyClaims(tasks: readonly TaskDraft[], say: Say): void {
  for (const { id, owns } of tasks) {
    const [first] = owns;
    if (first === undefined) continue;
    const message = `${quoted(id.value)} is read-only, so its claims mean nothing`;
    say("read-only-owns", { message, at: first.text.at, hint: "delete owns:, or write access: write" });
  }
}
