import type { ParameterDifference, StatusDifference } from "../catalog/endpoints.ts";
import type { DataRole } from "../catalog/mismatch.ts";
import type { CodePlace, FoundFinding } from "../finding.ts";
import { reasons } from "../reasons.ts";
import { compareData, type DataContext } from "../types/compare-data.ts";
import type { LinkedTypes } from "../types/link.ts";
import { openType } from "../types/open-type.ts";
import type { Field } from "../types/shape.ts";
import type { ApiParameter, DeclaredParameters, ParameterPlace } from "./route.ts";

export type SurfaceDifference = Pick<FoundFinding, "weight" | "member"> & {
  /** Null: where the endpoint is. */
  readonly at: CodePlace | null;
} & (
    | { readonly code: "endpoint-parameter"; readonly values: ParameterDifference }
    | {
        readonly code: "endpoint-request" | "endpoint-response";
        readonly values: Extract<ParameterDifference, { kind: "data" }>;
      }
    | { readonly code: "endpoint-status"; readonly values: StatusDifference }
  );

type Sides = {
  readonly contract: DeclaredParameters;
  readonly code: DeclaredParameters;
  /** The paths of both: parameters in them go by their place. */
  readonly paths: readonly [contract: string, code: string];
  readonly context: DataContext;
};

export function compareParameters({ contract, code: written, paths, context }: Sides): SurfaceDifference[] {
  const code = withFields(written, context.code);
  const inPath = pathPairs(contract, code, paths);
  const isDeclared = (place: ParameterPlace) => code.places?.includes(place) !== false;
  const rest = (all: DeclaredParameters) => all.list.filter((one) => one.in !== "path" && isDeclared(one.in));
  const found = new Map(rest(code).map((one) => [keyOf(one), one]));
  const wanted = new Set(rest(contract).map(keyOf));
  return [
    ...inPath.flatMap(([one, other]) => typeDifferences(one, other, context)),
    ...rest(contract).flatMap((one) => {
      const same = found.get(keyOf(one));
      if (one.isImplied === true) return [];
      if (same === undefined) return lacking(one, code);
      return [...requiredDifference(one, same), ...typeDifferences(one, same, context)];
    }),
    ...rest(code).flatMap((one) => (wanted.has(keyOf(one)) ? [] : extra(one))),
  ];
}

/** The fields of types that stand for several parameters. */
function withFields(parameters: DeclaredParameters, types: LinkedTypes): DeclaredParameters {
  let more = parameters.more;
  const list = (parameters.spread ?? []).flatMap(({ in: place, type }) => {
    const { members, isHidden } = openType(type, types);
    const [only] = members;
    const isSeen = !isHidden && members.length === 1 && only?.kind === "fields";
    if (!isSeen || only.more !== null) more ??= reasons.hiddenField;
    return (isSeen ? only.fields : []).map((field) => toParameter(field, place));
  });
  return { ...parameters, list: [...parameters.list, ...list], more };
}

function toParameter(
  { name, alias, type, isOptional, leftOutUnclear }: Field,
  place: ParameterPlace,
): ApiParameter {
  const isRequired = leftOutUnclear === true ? null : !isOptional;
  return { name: alias ?? name, in: place, isRequired, type };
}

const keyOf = ({ in: place, name }: ApiParameter) =>
  `${place} ${place === "header" ? name.toLowerCase() : name}`;

/** From the end: what stands before the path of a router may have parameters, too. */
function pathPairs(
  contract: DeclaredParameters,
  code: DeclaredParameters,
  paths: readonly [string, string],
): (readonly [ApiParameter, ApiParameter])[] {
  const [wanted, found] = paths.map((path) =>
    [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name).toReversed(),
  ) as [string[], string[]];
  const named = ({ list }: DeclaredParameters, name: string | undefined) =>
    list.find((one) => one.in === "path" && one.name === name);
  return wanted.flatMap((name, i) => {
    const [one, other] = [named(contract, name), named(code, found[i])];
    return one === undefined || other === undefined ? [] : [[one, other] as const];
  });
}

const toRole = ({ in: place, name }: ApiParameter): DataRole => ({ kind: "parameter", place, name });

function lacking(parameter: ApiParameter, { more, moreHeaders }: DeclaredParameters): SurfaceDifference[] {
  const isHeader = parameter.in === "header" || parameter.in === "cookie";
  const reason = more ?? (isHeader ? (moreHeaders ?? null) : null);
  const values = { kind: "parameter", role: toRole(parameter), what: "missing" } as const;
  return [reason === null ? difference("must", values) : difference("unclear", { ...values, reason })];
}

/** A client that does not send a required one is rejected. */
function extra(parameter: ApiParameter): SurfaceDifference[] {
  if (parameter.isImplied === true) return [];
  const role = toRole(parameter);
  return parameter.isRequired === true
    ? [difference("must", { kind: "parameter", role, what: "extra-required" })]
    : [difference("should", { kind: "parameter", role, what: "extra" })];
}

function requiredDifference(contract: ApiParameter, code: ApiParameter): SurfaceDifference[] {
  if (contract.isRequired === code.isRequired || code.isRequired === null) return [];
  const what = code.isRequired ? "required" : "optional";
  return [difference("must", { kind: "parameter", role: toRole(contract), what })];
}

function typeDifferences(
  contract: ApiParameter,
  code: ApiParameter,
  context: DataContext,
): SurfaceDifference[] {
  const pair = { contract: contract.type, code: code.type };
  const all = compareData(pair, { ...context, isWithoutNull: true, role: toRole(contract) });
  return all.map(({ mismatch, ...one }) => ({
    ...difference(one.weight, { kind: "data", mismatch }),
    ...one,
  }));
}

function difference(weight: SurfaceDifference["weight"], values: ParameterDifference): SurfaceDifference {
  return { code: "endpoint-parameter", weight, values, at: null };
}
