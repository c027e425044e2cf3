// One endpoint of the code against its operation in the contract, beside path and method.

import type { StatusDifference } from "../catalog/endpoints.ts";
import type { FoundFinding } from "../finding.ts";
import { compareData, type DataContext, type DataDifference } from "../types/compare-data.ts";
import type { LinkedTypes } from "../types/link.ts";
import { openType } from "../types/open-type.ts";
import type { ValueType } from "../types/shape.ts";
import { compareParameters, type SurfaceDifference } from "./compare-parameters.ts";
import type { ApiOperation } from "./operations.ts";
import type { DeclaredResponses, DocumentHabits, Route, Surface } from "./route.ts";

export type ComparedSurface = {
  readonly differences: readonly SurfaceDifference[];
  /** Bodies that both sides have spelled out, and that are the same: then their names do not matter. */
  readonly isSame: { readonly request: boolean; readonly response: boolean };
};

export const NOT_COMPARED: ComparedSurface = { differences: [], isSame: { request: false, response: false } };

/** `types` are those of the language that the route is written in. */
export function compareSurface(
  { surface: contract, types: contractTypes, route: path }: ApiOperation,
  route: Route,
  types: LinkedTypes,
): ComparedSurface {
  const { surface: code } = route;
  if (code === undefined) return NOT_COMPARED;
  const { language, habits = null } = code;
  const shared = { contract: contractTypes, code: types, language };
  const loose = { isLooseAboutDefaults: habits?.isLooseAboutDefaults === true };
  const request: DataContext = { ...shared, direction: "request" };
  const response: DataContext = { ...shared, ...loose, direction: "response" };
  const differences = [
    ...(contract.parameters === null || code.parameters === null
      ? []
      : compareParameters({
          ...{ contract: contract.parameters, code: code.parameters, paths: [path, route.path] },
          context: code.areParametersText === true ? { ...request, isText: true } : request,
        })),
    ...requestDifferences(contract, code, request),
    ...(contract.responses === null || code.responses === null
      ? []
      : compareResponses({ contract: contract.responses, code: code.responses, habits, context: response })),
  ];
  const has = (kind: SurfaceDifference["code"]) => differences.some((one) => one.code === kind);
  return {
    // Places in a document that was printed are nowhere.
    differences: language === "document" ? differences.map((one) => ({ ...one, at: null })) : differences,
    isSame: {
      request:
        !has("endpoint-request") &&
        areSame(contract.request?.type ?? null, code.request?.type ?? null, shared),
      response:
        !has("endpoint-response") &&
        areSame(successType(contract.responses), successType(code.responses), shared),
    },
  };
}

function requestDifferences(
  { request: contract }: Surface,
  { request: code }: Surface,
  context: DataContext,
): SurfaceDifference[] {
  if (contract === null || code === null) return [];
  const role = { kind: "request" } as const;
  const all = compareData({ contract: contract.type, code: code.type }, { ...context, role });
  const isLoose = contract.isRequired === true && code.isRequired === false;
  const mismatch = { kind: "optional", isOptionalInCode: true, role, path: "", owner: null } as const;
  const optional: DataDifference[] = isLoose ? [{ weight: "must", mismatch, at: null }] : [];
  return [...optional, ...all].map(({ mismatch: one, ...rest }) => ({
    ...{ code: "endpoint-request", values: { kind: "data", mismatch: one } },
    ...rest,
  }));
}

function successType(responses: DeclaredResponses | null): ValueType | null {
  const types = [...(responses?.byStatus ?? [])].flatMap(([status, type]) =>
    status.startsWith("2") && type !== null ? [type] : [],
  );
  return types.length === 1 ? (types[0] ?? null) : null;
}

type Sides = { readonly contract: LinkedTypes; readonly code: LinkedTypes };

function areSame(contract: ValueType | null, code: ValueType | null, sides: Sides): boolean {
  return contract !== null && code !== null && isWhole(contract, sides.contract) && isWhole(code, sides.code);
}

/** All of its fields can be seen. */
function isWhole(type: ValueType, types: LinkedTypes, depth = 0): boolean {
  const { members, isHidden } = openType(type, types);
  const [only] = members;
  if (isHidden || members.length !== 1 || only === undefined || depth > 3) return false;
  if (only.kind === "list") return isWhole(only.item, types, depth + 1);
  return only.kind === "fields" && only.more === null && only.fields.length > 0;
}

type ResponseSides = {
  readonly contract: DeclaredResponses;
  readonly code: DeclaredResponses;
  readonly habits: DocumentHabits | null;
  readonly context: DataContext;
};

/** Which statuses there are, and what each answers with. */
function compareResponses(sides: ResponseSides): SurfaceDifference[] {
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

function compareStatuses({ contract, code, habits }: ResponseSides): SurfaceDifference[] {
  const [wanted, found] = [[...contract.byStatus.keys()], [...code.byStatus.keys()]];
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

function compareBodies({ contract, code, habits, context }: ResponseSides): SurfaceDifference[] {
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
  weight: FoundFinding["weight"],
  lost: readonly string[],
  added: readonly string[],
): SurfaceDifference[] {
  return [
    ...lost.map((status) => difference(weight, { kind: "missing", status })),
    ...added.map((status) => difference(weight, { kind: "extra", status })),
  ];
}

function difference(weight: FoundFinding["weight"], values: StatusDifference): SurfaceDifference {
  return { code: "endpoint-status", weight, values, at: null };
}
