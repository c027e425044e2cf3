import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic, type Located, type Severity } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { isCoveredBy, type RequirementSet } from "../requirements/gather-requirements.ts";
import type { Requirement } from "../requirements/read-requirements.ts";
import type { CoverageCode } from "./codes.ts";

/** A task by the requirements that it says it builds. */
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

function finding(code: CoverageCode, input: Omit<Parameters<typeof diagnostic>[0], "code">): Diagnostic {
  return diagnostic({ code, ...input });
}

function uncovered({ id, text, at }: Requirement, { addTo }: RequirementCoverage): Diagnostic {
  const message = `no task covers ${quoted(id)}${text === "" ? "" : `: ${shortened(text)}`}`;
  return finding("requirement-uncovered", { message, at, hint: `add ${id} to ${addTo}` });
}

const LONGEST = 80;

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** What was made before tasks could say it is as good as it was. */
function unsaid({ set: { requirements, hasIds }, addTo }: RequirementCoverage): Diagnostic[] {
  const [first] = requirements;
  if (first === undefined || !hasIds) return [];
  const ids = listed(requirements.map(({ id }) => id));
  const message = `no task lists the requirements that it covers, so ${ids} cannot be checked`;
  const hint = `add each id to ${addTo}`;
  return [finding("requirement-uncovered", { message, at: first.at, hint, severity: "warning" })];
}

const MOST_LISTED = 8;

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, MOST_LISTED).map(quoted).join(", ");
  return ids.length > MOST_LISTED ? `${shown} and ${ids.length - MOST_LISTED} more` : shown;
}

/** Where the documents have no requirements that plait sees, an id may be one all the same. */
function unknownId({ value, at }: Located<string>, { requirements, groups }: RequirementSet): Diagnostic[] {
  const known = [...requirements.map(({ id }) => id), ...groups];
  if (known.includes(value) || requirements.some((one) => isCoveredBy(one, value))) return [];
  const severity: Severity = known.length === 0 ? "warning" : "error";
  const message = `${quoted(value)} is not a requirement of the documents`;
  const near = nearest(value, known);
  const hint =
    near !== null
      ? `did you mean ${quoted(near)}?`
      : known.length === 0
        ? "the documents have no requirement ids; plait explain requirement-unknown"
        : `the documents have ${listed(known)}`;
  return [finding("requirement-unknown", { message, at, hint, severity })];
}

function coveredTwice({ value, at }: Located<string>, tasks: readonly CoveringTask[]): Diagnostic[] {
  for (const { id, covers } of tasks) {
    const claim = covers.find((one) => one.value === value);
    if (claim === undefined) continue;
    const message = `${quoted(value)} is out of scope, but ${quoted(id)} covers it`;
    const related = [{ at: claim.at, message: `${quoted(id)} covers it here` }];
    return [finding("requirement-out-of-scope", { message, at, hint: "remove one of the two", related })];
  }
  return [];
}

function repeatedId(first: Requirement, second: Requirement): Diagnostic {
  const message = `the requirement id ${quoted(second.id)} is declared twice, and only the first is tracked`;
  const related = [{ at: first.at, message: "the first is here" }];
  const hint = "give one of them another id";
  return finding("requirement-twice", { message, at: second.at, hint, related, severity: "warning" });
}
