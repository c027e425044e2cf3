import type { TaskDraft } from "../draft.ts";
import type { Budget } from "../ownership/meet-segments.ts";
import type { Claim } from "../ownership/pattern.ts";
import type { Access } from "../plan.ts";
import type { Severity, SourceRange } from "../source.ts";
import type { TaskPaths } from "./claims.ts";
import type { Say } from "./findings.ts";
import { quoted } from "./words.ts";

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
  readonly say: Say;
};

export function holdingsOf(owners: readonly Owner[]): Holding[] {
  return owners.flatMap((owner) => owner.paths.owns.map(({ claim, at }) => ({ owner, claim, at })));
}

export function nameOf(owner: Owner): string {
  return quoted(owner.draft.id.value);
}

/** How one of two tasks could be made to wait for the other. */
export function orderingHint(first: Owner, second: Owner): string {
  const [mine, theirs] = [first.draft.wave?.value, second.draft.wave?.value];
  const areTogether = mine !== undefined && mine === theirs;
  return areTogether
    ? `move ${nameOf(second)} to a later wave`
    : `let ${nameOf(second)} need ${nameOf(first)}`;
}
