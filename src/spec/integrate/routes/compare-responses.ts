import type { StatusDifference } from "../catalog/endpoints.ts";
import { compareData, type DataContext } from "../types/compare-data.ts";
import type { ValueType } from "../types/shape.ts";
import type { SurfaceDifference } from "./compare-parameters.ts";
import type { DeclaredResponses, DocumentHabits } from "./surface.ts";

type Sides = {
  readonly contract: DeclaredResponses;
  readonly code: DeclaredResponses;
  readonly habits: DocumentHabits | null;
  readonly context: DataContext;
};

/** Which statuses there are, and what each answers with. */
export function compareResponses(sides: Sides): SurfaceDifference[] {
  return [...compareStatuses(sides), ...compareBodies(sides)];
}

const isSuccess = (status: string) => /^2(?:\d\d|XX)$/.test(status);
const isError = (status: string) => /^[45](?:\d\d|XX)$/.test(status);

/** `2XX` stands for all that begin so, and `default` for all that are not named. */
function covers(statuses: readonly string[], status: string): boolean {
  const family = `${status.slice(0, 1)}XX`;
  const isFamily = status.endsWith("XX") && statuses.some((one) => one.startsWith(status.slice(0, 1)));
  return statuses.includes(status) || statuses.includes(family) || isFamily;
}

function compareStatuses({ contract, code, habits }: Sides): SurfaceDifference[] {
  const [wanted, found] = [contract, code].map(({ byStatus }) => [...byStatus.keys()]) as [
    string[],
    string[],
  ];
  const own = found.filter(
    (status) => habits?.addedStatuses.test(status) !== true || wanted.includes(status),
  );
  return [...successDifferences(wanted, own, code.isWhole), ...errorDifferences(wanted, own)];
}

function successDifferences(
  wanted: readonly string[],
  found: readonly string[],
  isWhole: boolean,
): SurfaceDifference[] {
  const [asked, given] = [wanted.filter(isSuccess), found.filter(isSuccess)];
  if (!isWhole || asked.length === 0 || given.length === 0 || found.includes("default")) return [];
  const lost = asked.filter((status) => !covers(given, status));
  const added = wanted.includes("default") ? [] : given.filter((status) => !covers(asked, status));
  const [first] = lost;
  if (first !== undefined && lost.length === 1 && added.length === 1)
    return [difference("must", { kind: "other", contract: first, code: added[0] ?? "" })];
  return statusDifferences("must", lost, added);
}

/** Errors are thrown without a declaration: only where some are declared, others are missed. */
function errorDifferences(wanted: readonly string[], found: readonly string[]): SurfaceDifference[] {
  const [asked, given] = [wanted.filter(isError), found.filter(isError)];
  if (asked.length === 0 || given.length === 0) return [];
  const isOpen = wanted.includes("default") || found.includes("default");
  const lost = isOpen ? [] : asked.filter((status) => !covers(given, status));
  const added = isOpen ? [] : given.filter((status) => !covers(asked, status));
  return statusDifferences("should", lost, added);
}

function compareBodies({ contract, code, habits, context }: Sides): SurfaceDifference[] {
  return bodyPairs(contract, code).flatMap(([status, wanted, found]) => {
    if (habits?.addedStatuses.test(status) === true) return [];
    const all = compareData({ contract: wanted, code: found }, { ...context, role: { kind: "response" } });
    const where = isSuccess(status) ? undefined : status;
    return all.map(({ mismatch, ...one }) => ({
      ...{ code: "endpoint-response", values: { kind: "data", mismatch, status: where } },
      ...one,
    }));
  });
}

/** By status; where both have one answer only that means success, these. */
function bodyPairs(
  contract: DeclaredResponses,
  code: DeclaredResponses,
): (readonly [string, ValueType, ValueType])[] {
  const successes = ({ byStatus }: DeclaredResponses) =>
    [...byStatus].filter(([status]) => isSuccess(status));
  const [wanted, found] = [successes(contract), successes(code)];
  const isOne = wanted.length === 1 && found.length === 1;
  const one: [string, ValueType | null | undefined, ValueType | null | undefined][] = isOne
    ? [[wanted[0]?.[0] ?? "", wanted[0]?.[1], found[0]?.[1]]]
    : [];
  const others = [...contract.byStatus].filter(([status]) => !(isOne && isSuccess(status)));
  const same = others.map(([status, type]) => [status, type, code.byStatus.get(status)] as const);
  return [...one, ...same].flatMap(([status, a, b]) =>
    a == null || b == null ? [] : [[status, a, b] as const],
  );
}

function statusDifferences(
  weight: SurfaceDifference["weight"],
  lost: readonly string[],
  added: readonly string[],
): SurfaceDifference[] {
  return [
    ...lost.map((status) => difference(weight, { kind: "missing", status })),
    ...added.map((status) => difference(weight, { kind: "extra", status })),
  ];
}

function difference(weight: SurfaceDifference["weight"], values: StatusDifference): SurfaceDifference {
  return { code: "endpoint-status", weight, values, at: null };
}
