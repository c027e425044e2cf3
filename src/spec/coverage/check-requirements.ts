import type { Diagnostic, Located, Severity, SourceRange } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { isCoveredBy, type Requirement, type RequirementSet } from "../requirements/read-requirements.ts";
import { buildCoverageFinding } from "./catalog.ts";

export type CoveringTask = { readonly id: string; readonly covers: readonly Located<string>[] };

export type RequirementCoverage = {
  readonly set: RequirementSet;
  readonly tasks: readonly CoveringTask[];
  readonly outOfScope: readonly Located<string>[];
  /** Every requirement must have a task; else only where any task says what it covers. */
  readonly isRequired: boolean;
  /** How the reader adds an id, as the end of a hint. */
  readonly addTo: string;
};

/** Requirements without a task, and ids that are not requirements. */
export function checkRequirements(coverage: RequirementCoverage): Diagnostic[] {
  const { set, tasks, outOfScope, isRequired } = coverage;
  const isUnsaid = tasks.every(({ covers }) => covers.length === 0) && outOfScope.length === 0;
  const repeated = set.repeated.map(({ first, second }) => repeatedId(first, second));
  if (isUnsaid && !isRequired) return [...repeated, ...unsaid(coverage)];
  const named = [...tasks.flatMap(({ covers }) => covers), ...outOfScope];
  const left = set.requirements.filter((one) => !named.some(({ value }) => isCoveredBy(one, value)));
  return [
    ...repeated,
    ...left.map((one) => uncovered(one, coverage)),
    ...named.flatMap((one) => unknownId(one, set)),
    ...outOfScope.flatMap((one) => coveredTwice(one, tasks)),
  ];
}

function uncovered({ id, text, at }: Requirement, { addTo }: RequirementCoverage): Diagnostic {
  return buildCoverageFinding("requirement-uncovered", { kind: "one", id, text, addTo }, at);
}

/** What was made before tasks could say it is as good as it was. */
function unsaid({ set: { requirements, hasIds }, addTo }: RequirementCoverage): Diagnostic[] {
  const [first] = requirements;
  if (first === undefined || !hasIds) return [];
  const params = { kind: "all", ids: requirements.map(({ id }) => id), addTo } as const;
  return [buildCoverageFinding("requirement-uncovered", params, first.at, { severity: "warning" })];
}

/** If plait sees no requirements in the documents, an id may still be one. */
function unknownId(
  { value: id, at }: Located<string>,
  { requirements, groups }: RequirementSet,
): Diagnostic[] {
  const known = [...requirements.map((one) => one.id), ...groups];
  if (known.includes(id) || requirements.some((one) => isCoveredBy(one, id))) return [];
  const severity: Severity = known.length === 0 ? "warning" : "error";
  const params = { id, suggestion: nearest(id, known), known };
  return [buildCoverageFinding("requirement-unknown", params, at, { severity })];
}

function coveredTwice({ value: id, at }: Located<string>, tasks: readonly CoveringTask[]): Diagnostic[] {
  for (const { id: task, covers } of tasks) {
    const claim = covers.find((one) => one.value === id);
    if (claim === undefined) continue;
    const related = [{ at: claim.at, task }];
    return [buildCoverageFinding("requirement-out-of-scope", { id, task }, at, { related })];
  }
  return [];
}

function repeatedId(first: Requirement, second: Requirement): Diagnostic {
  return buildCoverageFinding("requirement-twice", { id: second.id }, second.at, {
    related: [{ at: first.at }],
  });
}

type ValidatedWave = {
  readonly number: number;
  readonly isValidated: boolean;
  readonly at: SourceRange;
};

/** One finding for all waves after which nothing is checked, at the first of them. */
export function checkValidations(waves: readonly ValidatedWave[], severity: Severity): Diagnostic[] {
  const left = waves.filter(({ isValidated }) => !isValidated);
  const [first] = left;
  if (first === undefined) return [];
  const numbers = left.map(({ number }) => number);
  return [buildCoverageFinding("wave-unvalidated", { waves: numbers }, first.at, { severity })];
}
