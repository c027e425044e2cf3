import { nearest } from "../suggest.ts";

/** The hint for a mistyped name, or null where no known name is near. */
export function formatSuggestion(typed: string, known: readonly string[]): string | null {
  const meant = nearest(typed, known);
  return meant === null ? null : `did you mean ${meant}?`;
}
