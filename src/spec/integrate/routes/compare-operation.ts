import { buildFinding } from "../catalog/catalog.ts";
import type { BodyDifference, BodyType } from "../catalog/endpoints.ts";
import type { CodePlace, ContractVerdict, FindingPlace, FoundFinding } from "../finding.ts";
import type { LinkedTypes } from "../types/link.ts";
import type { SurfaceDifference } from "./compare-parameters.ts";
import { type ComparedSurface, compareSurface, NOT_COMPARED } from "./compare-surface.ts";
import type { ApiOperation } from "./operations.ts";
import type { ModelUse, Route } from "./route.ts";

/** The types of the language that a route is written in; null: they are not known. */
export type TypesOf = (route: Route) => LinkedTypes | null;

type Around = { readonly known: ReadonlySet<string>; readonly typesOf?: TypesOf };

/** An operation against the routes that serve it: one that matches the contract is enough. */
export function compareOperation(
  operation: ApiOperation,
  routes: readonly Route[],
  around: Around,
): ContractVerdict {
  const about = aboutOf(operation);
  const all = routes.map((route): ContractVerdict => {
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
  { known, surface, side }: Pick<Around, "known"> & { surface: ComparedSurface; side: Side },
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

type ModelDifference = Pick<BodyDifference, "code" | "contract" | "doubt"> & { readonly isUnclear: boolean };

type Compared = {
  /** Any of these is right. */
  readonly contract: readonly ModelUse[];
  readonly code: ModelUse;
  readonly route: Route;
  /** Where a request is compared: what the contract has for the answer. */
  readonly answer?: readonly ModelUse[];
  /** All names that the contract has for models. */
  readonly known: ReadonlySet<string>;
};

/** Names of types are compared as they are; null: they are the same, or only one side names a type. */
function compareModels({ contract, code, route, known, answer = [] }: Compared): ModelDifference | null {
  const [first] = contract;
  const isSilent = contract.some(({ kind }) => kind === "undeclared") || first === undefined;
  if (isSilent || code.kind === "undeclared") return null;
  if (contract.some((one) => isSame(one, code))) return null;
  const wanted = contract.filter(({ kind }) => kind !== "unclear");
  const types = { code: toBodyType(code), contract: toBodyType(first) };
  if (contract.some((one) => isSameWords(one, code))) return null;
  if (code.kind === "unclear" || wanted.length === 0) return { isUnclear: true, ...types };
  if (code.kind === "declared" && code.doubt !== undefined)
    return { isUnclear: true, ...types, doubt: code.doubt };
  const isSerializer = route.framework === "Django REST framework" && code.kind === "declared";
  if (!isSerializer || ofSerializer(code.model) === "") return { isUnclear: false, ...types };
  // A serializer is named after what it makes, or otherwise.
  const model = ofSerializer(code.model);
  if (wanted.some((one) => isSame(one, { ...code, model }))) return null;
  // One serializer reads and writes: named after what it answers with, it may leave out what requests do not have.
  const isBoth = isSame(route.response, code) && answer.some((one) => isSame(one, { ...code, model }));
  const isMeant = wanted.some((one) => one.kind === "declared" && one.model === model);
  const isOther = known.has(model) && !isMeant && !isBoth;
  const isNothing = wanted.every(({ kind }) => kind === "none");
  return { isUnclear: !isOther && !isNothing, ...types };
}

function isSame(a: ModelUse, b: ModelUse): boolean {
  if (a.kind !== "declared" || b.kind !== "declared") return a.kind === b.kind && a.kind === "none";
  return a.model === b.model && a.isList === b.isList;
}

/** `Page[Order]` is `Page_Order_` or `PageOrder` in documents, and `Union[A, B]` is one of both, in any order. */
function isSameWords(contract: ModelUse, code: ModelUse): boolean {
  if (code.kind !== "unclear") return false;
  const text = code.text.replaceAll(/\b\w+\./g, ""); // `schemas.Order`
  if (contract.kind === "declared")
    return !contract.isList && /^\w+\[/.test(text) && lettersOf(contract.model) === lettersOf(text);
  const isUnion = /^Union\[[^[]*\]$|^[^[]*$/.test(text);
  return isUnion && contract.kind === "unclear" && namesOf(contract.text) === namesOf(text);
}

function namesOf(union: string): string {
  const names = union.split(/\W+/).filter((word) => !/^(?:Union|None|)$/.test(word));
  return names.sort().join();
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\d]/gu, "").toLowerCase();
}

function ofSerializer(model: string): string {
  return model.replace(/Serializer$/, "");
}

function toBodyType(use: ModelUse): BodyType {
  if (use.kind === "declared") return { kind: "type", name: use.model, isList: use.isList };
  return use.kind === "unclear" ? { kind: "type", name: use.text, isList: false } : { kind: "none" };
}
