import type { TaskDraft } from "../draft.ts";
import type { Budget } from "../ownership/meet-segments.ts";
import type { Overlap } from "../ownership/overlap.ts";
import { type Claim, claimText, looksLikeFile } from "../ownership/pattern.ts";
import type { Access } from "../plan.ts";
import type { Severity, SourceRange } from "../source.ts";
import type { Ordering } from "./catalog-ownership.ts";
import type { TaskPaths } from "./claims.ts";
import type { ReportFinding } from "./findings.ts";

/** A task with what it says about paths. */
export type ScopedTask = {
  readonly draft: TaskDraft;
  readonly settings: { readonly access: Access };
  readonly paths: TaskPaths;
};

/** A task that may change files. Read-only tasks, and tasks whose id is taken, are none. */
export type Owner = { readonly index: number; readonly draft: TaskDraft; readonly paths: TaskPaths };

/** One claim of one task. */
export type Holding = { readonly owner: Owner; readonly claim: Claim; readonly at: SourceRange };

/** What the checks of ownership have in common. */
export type OwnershipCheck = {
  readonly owners: readonly Owner[];
  readonly unsure: Severity;
  readonly work: Budget;
  /** For findings about the plan as a whole. */
  readonly planAt: SourceRange;
  readonly report: ReportFinding;
};

export function holdingsOf(owners: readonly Owner[]): Holding[] {
  return owners.flatMap((owner) => owner.paths.owns.map(({ claim, at }) => ({ owner, claim, at })));
}

export const describeHolding = ({ owner, claim, at }: Holding) => ({
  task: owner.draft.id.value,
  path: claimText(claim),
  at,
});

type Doubt = Extract<Overlap, { kind: "may-overlap" }>;

/** What is told of two paths that may overlap. */
export const describeDoubt = ({ why, ifFolders, advice }: Doubt) => ({
  reason: why,
  folder: ifFolders.find((path) => !looksLikeFile(path)),
  advice,
});

/** How one of two tasks could be made to wait for the other. */
export function findOrdering(first: Owner, second: Owner): Ordering {
  const [mine, theirs] = [first.draft.wave?.value, second.draft.wave?.value];
  const areTogether = mine !== undefined && mine === theirs;
  return { task: second.draft.id.value, needs: areTogether ? null : first.draft.id.value };
}
