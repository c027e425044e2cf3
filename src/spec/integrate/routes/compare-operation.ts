import type { CodePlace, FoundFinding } from "../finding.ts";
import type { LinkedTypes } from "../types/link.ts";
import type { ContractVerdict } from "../verdict.ts";
import { compareModels } from "./compare-models.ts";
import { type ComparedSurface, compareSurface, NOT_COMPARED } from "./compare-surface.ts";
import type { ApiOperation } from "./operations.ts";
import type { Route } from "./route.ts";

/** The types of the language that a route is written in; null: they are not known. */
export type TypesOf = (route: Route) => LinkedTypes | null;

type Around = { readonly known: ReadonlySet<string>; readonly typesOf?: TypesOf };

/** An operation against the routes that answer to it: one that is as the contract says is enough. */
export function compareOperation(
  operation: ApiOperation,
  fitting: readonly Route[],
  around: Around,
): ContractVerdict {
  const about = aboutOf(operation);
  const all = fitting.map((route): ContractVerdict => {
    const findings = routeFindings(operation, route, around);
    const isWrong = findings.some(({ weight }) => weight === "must");
    const isUnclear = findings.some(({ weight }) => weight === "cannot-tell");
    const status = isWrong ? "differs" : isUnclear ? "cannot-tell" : "ok";
    return { about, status, at: placeOf(route), findings };
  });
  const best = ["ok", "cannot-tell"].flatMap((status) => all.filter((one) => one.status === status));
  return (best[0] ?? all[0]) as ContractVerdict;
}

function routeFindings(operation: ApiOperation, route: Route, { known, typesOf }: Around): FoundFinding[] {
  const types = typesOf?.(route) ?? null;
  const surface = types === null ? NOT_COMPARED : compareSurface(operation, route, types);
  const models = (["request", "response"] as const).flatMap((side) =>
    modelFinding(operation, route, { known, surface, side }),
  );
  // Where another type is named, what is in it is no second mistake.
  const isNamed = (code: string) =>
    models.some((one) => one.side !== null && code === `endpoint-${one.side}`);
  return [
    ...models.map(({ finding }) => finding),
    ...surface.differences
      .filter(({ code }) => !isNamed(code))
      .map(({ code, at, ...told }) =>
        findingOf(operation, told.weight === "cannot-tell" ? "endpoint-unclear" : code, {
          ...told,
          at: at ?? placeOf(route),
        }),
      ),
  ];
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
  const isUnclear = difference.kind === "unclear";
  // An inline type has no name that could be compared; its fields were.
  if (isUnclear && surface.differences.some(({ code }) => code === `endpoint-${side}`)) return [];
  const start = side === "request" ? "it takes" : "it answers with";
  const finding = findingOf(operation, isUnclear ? "endpoint-unclear" : `endpoint-${side}`, {
    weight: isUnclear ? "cannot-tell" : "must",
    message: `${start} ${difference.text}`,
    at: placeOf(route),
  });
  return [{ side: isUnclear ? null : side, finding }];
}

function findingOf(
  operation: ApiOperation,
  code: FoundFinding["code"],
  told: Pick<FoundFinding, "weight" | "message" | "at" | "member">,
): FoundFinding {
  return { area: "endpoints", code, about: aboutOf(operation), ...told };
}

export function aboutOf({ method, route }: ApiOperation): string {
  return `${method} ${route}`;
}

/** Null: a document tells of it, and no file of the code was found to have it. */
export function placeOf({ file, line }: CodePlace): CodePlace | null {
  return file === "" ? null : { file, line };
}
