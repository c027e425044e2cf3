/**
 * What a task may say about paths: a literal path (which covers itself and all below it), a directory with a trailing
 * slash (all below it), or a glob. Relative to the root of the repository, with "/" as separator; `parsePattern` is the
 * only maker. core/ownership knows how two of them meet.
 */
export type PathPattern = string & { readonly __pathPattern: true };

/** A part of the tree that a task may change; with a symbol only that part of the file. */
export type Claim = {
  /** `shared`: other tasks that say the same may add to it at the same time. */
  readonly mode: "any" | "create" | "modify" | "shared";
  readonly pattern: PathPattern;
  /** Dotted path of a class, function, method or module-level name; null is the whole file. */
  readonly symbol: string | null;
};

/** A claim as a person writes it. */
export function claimText(claim: Claim): string {
  return claim.symbol === null ? claim.pattern : `${claim.pattern}::${claim.symbol}`;
}

/** A name that no folder is likely to have: it has an ending, or is one of the customs (Makefile, LICENSE). */
export function looksLikeFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /[^.]\.[A-Za-z0-9_]+$/.test(name) || /^[A-Z]{2,}$/.test(name) || /[a-z]file$/.test(name);
}

/** Equal, one inside the other (`A` and `A.b`), or one of them the whole file (null). */
export function symbolsMeet(a: string | null, b: string | null): boolean {
  return a === null || b === null || a === b || isInside(a, b) || isInside(b, a);
}

/** Both tasks mean to add to it, so they may run together. */
export function areShared(a: Claim, b: Claim): boolean {
  return a.mode === "shared" && b.mode === "shared";
}

/** Without building texts: thousands of claims on one file are compared pair by pair. */
function isInside(inner: string, outer: string): boolean {
  return inner[outer.length] === "." && inner.startsWith(outer);
}
