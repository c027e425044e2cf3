/** Where things stand in plan files, and what is said about them. */

/** Line and column count from 1; a column counts UTF-16 units, as editors do. Line 0: there are no lines, as in a flag. */
export type Position = { readonly line: number; readonly col: number };

/** From start up to, not including, end. */
export type SourceRange = { readonly file: string; readonly start: Position; readonly end: Position };

/** A value and where the user wrote it. */
export type Located<T> = { readonly value: T; readonly at: SourceRange };

export type Severity = "error" | "warning" | "note";

/** One finding about a plan. Codes are stable: `plait explain <code>` tells more. */
export type Diagnostic = {
  readonly code: string;
  readonly severity: Severity;
  /** What is wrong, with the values; one sentence without a final period. */
  readonly message: string;
  /** The way to it inside of its document, such as `tasks[2].scope.create[0]`, for readers who have no lines. */
  readonly path?: string;
  readonly at: SourceRange | null;
  /** What to type instead. */
  readonly hint: string | null;
  /** Other places that belong to the finding. */
  readonly related: readonly RelatedPlace[];
};

export type RelatedPlace = { readonly at: SourceRange; readonly message: string; readonly path?: string };
