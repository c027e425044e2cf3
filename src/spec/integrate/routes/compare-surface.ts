// One endpoint of the code against its operation in the contract, beside path and method.

import { compareData, type DataContext, type DataDifference } from "../types/compare-data.ts";
import type { LinkedTypes } from "../types/link.ts";
import { openType } from "../types/open-type.ts";
import type { ValueType } from "../types/shape.ts";
import { compareParameters, type SurfaceDifference } from "./compare-parameters.ts";
import { compareResponses } from "./compare-responses.ts";
import type { ApiOperation } from "./operations.ts";
import type { Route } from "./route.ts";
import type { DeclaredResponses, Surface } from "./surface.ts";

export type ComparedSurface = {
  readonly differences: readonly SurfaceDifference[];
  /** Bodies that both sides have spelled out, and that are the same: then their names do not matter. */
  readonly isSame: { readonly request: boolean; readonly response: boolean };
};

export const NOT_COMPARED: ComparedSurface = {
  differences: [],
  isSame: { request: false, response: false },
};

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
    ...parameterDifferences(contract, code, {
      paths: [path, route.path],
      context: code.areParametersText === true ? { ...request, isText: true } : request,
    }),
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

function parameterDifferences(
  { parameters: contract }: Surface,
  { parameters: code }: Surface,
  around: { readonly paths: readonly [string, string]; readonly context: DataContext },
): SurfaceDifference[] {
  return contract === null || code === null ? [] : compareParameters({ contract, code, ...around });
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
