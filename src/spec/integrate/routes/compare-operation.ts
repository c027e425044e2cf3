import { buildFinding } from "../catalog/catalog.ts";
import type { CodePlace, FindingPlace, FoundFinding } from "../finding.ts";
import type { LinkedTypes } from "../types/link.ts";
import type { ContractVerdict } from "../verdict.ts";
import { compareModels } from "./compare-models.ts";
import type { SurfaceDifference } from "./compare-parameters.ts";
import { type ComparedSurface, compareSurface, NOT_COMPARED } from "./compare-surface.ts";
import type { ApiOperation } from "./operations.ts";
import type { Route } from "./route.ts";

/** The types of the language that a route is written in; null: they are not known. */
export type TypesOf = (route: Route) => LinkedTypes | null;

type Around = { readonly known: ReadonlySet<string>; readonly typesOf?: TypesOf };

/** An operation against the routes that serve it: one that matches the contract is enough. */
export function compareOperation(
  operation: ApiOperation,
  fitting: readonly Route[],
  around: Around,
): ContractVerdict {
  const about = aboutOf(operation);
  const all = fitting.map((route): ContractVerdict => {
    const findings = routeFindings(operation, route, around);
    const isWrong = findings.some(({ weight }) => weight === "must");
    const isUnclear = findings.some(({ weight }) => weight === "unclear");
    const status = isWrong ? "differs" : isUnclear ? "unclear" : "ok";
    return { about, status, at: placeOf(route), findings };
  });
  const best = ["ok", "unclear"].flatMap((status) => all.filter((one) => one.status === status));
  return (best[0] ?? all[0]) as ContractVerdict;
}

function routeFindings(operation: ApiOperation, route: Route, { known, typesOf }: Around): FoundFinding[] {
  const types = typesOf?.(route) ?? null;
  const surface = types === null ? NOT_COMPARED : compareSurface(operation, route, types);
  const models = (["request", "response"] as const).flatMap((side) =>
    modelFinding(operation, route, { known, surface, side }),
  );
  // A difference inside a wrong type is not a second mistake.
  const isNamed = (code: string) =>
    models.some((one) => one.side !== null && code === `endpoint-${one.side}`);
  return [
    ...models.map(({ finding }) => finding),
    ...surface.differences
      .filter(({ code }) => !isNamed(code))
      .map((one) => differenceFinding(one, { about: aboutOf(operation), at: one.at ?? placeOf(route) })),
  ];
}

function differenceFinding(one: SurfaceDifference, { about, at }: FindingPlace): FoundFinding {
  const { weight, member } = one;
  const place = { about, at, weight, ...(member !== undefined && { member }) };
  switch (one.code) {
    case "endpoint-status":
      return buildFinding(one.code, one.values, place);
    case "endpoint-parameter":
      return buildFinding(weight === "unclear" ? "endpoint-unclear" : one.code, one.values, place);
    default:
      return buildFinding(weight === "unclear" ? "endpoint-unclear" : one.code, one.values, place);
  }
}

type Side = "request" | "response";
type ModelFinding = { readonly side: Side | null; readonly finding: FoundFinding };

function modelFinding(
  operation: ApiOperation,
  route: Route,
  {
    known,
    surface,
    side,
  }: Pick<Around, "known"> & { readonly surface: ComparedSurface; readonly side: Side },
): ModelFinding[] {
  const answer = side === "request" ? operation.response : [];
  const difference = compareModels({
    ...{ contract: operation[side], code: route[side], route, known, answer },
  });
  if (difference === null || surface.isSame[side]) return [];
  const { isUnclear, ...types } = difference;
  // An inline type has no name that could be compared; its fields were.
  if (isUnclear && surface.differences.some(({ code }) => code === `endpoint-${side}`)) return [];
  const values = { kind: "body", side, ...types } as const;
  const place = { about: aboutOf(operation), at: placeOf(route) };
  const finding = buildFinding(isUnclear ? "endpoint-unclear" : `endpoint-${side}`, values, place);
  return [{ side: isUnclear ? null : side, finding }];
}

export function aboutOf({ method, route }: ApiOperation): string {
  return `${method} ${route}`;
}

/** Null: only a printed document has it, no file of the code. */
export function placeOf({ file, line }: CodePlace): CodePlace | null {
  return file === "" ? null : { file, line };
}
