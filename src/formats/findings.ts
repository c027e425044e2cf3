import type * as z from "zod";
import type { Diagnostic } from "../core/source.ts";
import type { Path } from "./yaml/tree.ts";

/** One thing that a schema found, free of zod's nesting. */
export type Finding = BadValue | UnknownKey;

/** A value of another type, or one that is not allowed. `expected` ends a sentence that begins "… must be". */
export type BadValue = {
  readonly kind: "type" | "value";
  readonly path: Path;
  readonly expected: string;
  readonly choices: readonly string[];
  /** Zod's names of the types that are allowed, as far as they are known. */
  readonly types: readonly string[];
};

export type UnknownKey = { readonly kind: "unknown-key"; readonly path: Path; readonly key: string };

/** Every finding of a failed parse. Of a union only the alternative is reported that the user evidently meant. */
export function findingsOf(issues: readonly z.core.$ZodIssue[]): Finding[] {
  return issues.flatMap(fromIssue);
}

function fromIssue(issue: z.core.$ZodIssue): Finding[] {
  const { path } = issue;
  const found = (kind: BadValue["kind"], expected: string, types: readonly string[]): Finding[] => [
    { kind, path, expected, choices: [], types },
  ];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({ kind: "unknown-key", path, key }));
    case "invalid_union":
      return ofUnion(issue.errors.map(findingsOf)).map((finding) => ({
        ...finding,
        path: [...path, ...finding.path],
      }));
    case "invalid_type":
      return found("type", issue.message || (typeWords[issue.expected] ?? issue.expected), [issue.expected]);
    case "invalid_value": {
      const choices = issue.values.map(String);
      const expected = choices.length === 1 ? String(choices[0]) : `one of ${choices.join(", ")}`;
      return [{ kind: "value", path, expected, choices, types: [] }];
    }
    case "too_small":
      return found("value", issue.message || `at least ${issue.minimum}`, [issue.origin]);
    case "too_big":
      return found("value", issue.message || `at most ${issue.maximum}`, [issue.origin]);
    default:
      return found("value", issue.message || "written differently", []);
  }
}

/**
 * Alternatives differ by type (a string, a list, a map), so one whose type fits is the one meant.
 * If none fits, the types of all are what was expected.
 */
function ofUnion(alternatives: readonly Finding[][]): readonly Finding[] {
  const hasType = (findings: readonly Finding[]) =>
    !findings.some((one) => one.kind === "type" && one.path.length === 0);
  const meant = alternatives.find(hasType);
  if (meant) return meant;
  const wrong = alternatives.flat().flatMap((one) => (one.kind === "type" ? [one] : []));
  const expected = [...new Set(wrong.map((one) => one.expected))].join(" or ");
  return [{ kind: "type", path: [], expected, choices: [], types: wrong.flatMap(({ types }) => types) }];
}

const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "a map",
  record: "a map",
};

/** In the order of the file. The same alias used in ten tasks has the same problem ten times; it is said once. */
export function unique(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  for (const one of [...diagnostics].sort(byPlace)) {
    const key = JSON.stringify([one.code, one.at, one.message]);
    if (!found.has(key)) found.set(key, one);
  }
  return [...found.values()];
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  const [one, other] = [a.at?.start, b.at?.start];
  return (one?.line ?? 0) - (other?.line ?? 0) || (one?.col ?? 0) - (other?.col ?? 0);
}
