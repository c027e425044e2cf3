import type * as z from "zod";
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
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({ kind: "unknown-key", path, key }));
    case "invalid_union":
      return ofUnion(issue.errors.map(findingsOf)).map((finding) => ({
        ...finding,
        path: [...path, ...finding.path],
      }));
    case "invalid_type":
      return [
        {
          kind: "type",
          path,
          expected: issue.message || typeWord(issue.expected),
          choices: [],
          types: [issue.expected],
        },
      ];
    case "invalid_value":
      return [{ kind: "value", path, ...oneOf(issue.values.map(String)), types: [] }];
    case "too_small":
      return [
        {
          kind: "value",
          path,
          expected: issue.message || `at least ${issue.minimum}`,
          choices: [],
          types: [issue.origin],
        },
      ];
    case "too_big":
      return [
        {
          kind: "value",
          path,
          expected: issue.message || `at most ${issue.maximum}`,
          choices: [],
          types: [issue.origin],
        },
      ];
    default:
      return [
        { kind: "value", path, expected: issue.message || "written differently", choices: [], types: [] },
      ];
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

function oneOf(choices: readonly string[]): { expected: string; choices: readonly string[] } {
  return { expected: choices.length === 1 ? String(choices[0]) : `one of ${choices.join(", ")}`, choices };
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

function typeWord(zodType: string): string {
  return typeWords[zodType] ?? zodType;
}
