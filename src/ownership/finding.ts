import type { TaskId } from "../core/ids.ts";
import type { Claim, PathPattern } from "../core/ownership/pattern.ts";

/** A path that a task touched, with what can be read of it before and after. */
export type ChangedFile = {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
  /** It was a file and is a link or a submodule now, or the other way round. */
  readonly isReplaced?: boolean;
  /** Asked only where the texts decide; null: there is none, or nothing that could be read as text. */
  readonly before: () => Promise<string | null>;
  readonly after: () => Promise<string | null>;
};

/** What a task may change, and what belongs to whom besides. */
export type Ownership = {
  readonly owns: readonly Claim[];
  readonly boundary: readonly PathPattern[];
  /** All other tasks of the plan, to say whose it is. */
  readonly others: readonly { readonly task: TaskId; readonly owns: readonly Claim[] }[];
  /** The text of `.gitattributes` at the root of the base, where files may be marked as generated. */
  readonly attributes?: string | null;
};

/** One thing that a task should not have changed, or of which nobody can tell. */
export type OwnershipFinding = {
  readonly kind:
    | "outside" // a path that is not among what the task owns
    | "boundary" // a path that it must not touch
    | "symbol" // a part of a file of which it owns another part
    | "guarded" // a path that only the plan can allow to change: see core/ownership/guarded.ts
    | "unsure"; // it cannot be told
  readonly path: string;
  /** The part of the file, as a claim names it: `Cart.total`; null is the whole file, or what has no name. */
  readonly symbol: string | null;
  /** From 1, in the text after the change; of what was deleted, in the text before it. Null where the finding is about the path. */
  readonly line: number | null;
  /** Who owns it; null: nobody. */
  readonly owner: TaskId | null;
  /** What is wrong, without path and line: "not among what the task owns". */
  readonly detail: string;
  /** Of what is guarded: nor is it among what the task owns. */
  readonly isOutside?: boolean;
};
