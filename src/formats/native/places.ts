import type { Located, SourceRange } from "../../core/source.ts";
import type { Path } from "../yaml/tree.ts";

/** Where values and keys stand, by paths from some place of the file on. */
export type Places = {
  readonly at: (...path: Path) => SourceRange;
  readonly keyAt: (...path: Path) => SourceRange;
};

export function placesIn({ at, keyAt }: Places, ...start: Path): Places {
  return { at: (...path) => at(...start, ...path), keyAt: (...path) => keyAt(...start, ...path) };
}

/** Places are looked up only for what was said: most keys of most tasks are not. */
export function located<T>(value: T | undefined, { at }: Places, key: string): Located<T> | null {
  return value === undefined ? null : { value, at: at(key) };
}

export function listOf<T>(
  values: readonly T[] | undefined,
  at: (index: number) => SourceRange,
): Located<T>[] {
  return (values ?? []).map((value, i) => ({ value, at: at(i) }));
}

export function listOrNull<T>(
  values: readonly T[] | undefined,
  { at }: Places,
  key: string,
): Located<T>[] | null {
  return values === undefined ? null : listOf(values, (i) => at(key, i));
}
