import type { BodyType } from "../catalog/endpoints.ts";
import type { ModelUse, Route } from "./route.ts";

export type ModelDifference = {
  readonly isUnclear: boolean;
  readonly code: BodyType;
  readonly contract: BodyType;
  readonly doubt?: string | undefined;
};

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
export function compareModels({
  contract,
  code,
  route,
  known,
  answer = [],
}: Compared): ModelDifference | null {
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
  if (code.kind !== "declared" || !isSerializer(route, code.model)) return { isUnclear: false, ...types };
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

function isSerializer({ framework }: Route, model: string): boolean {
  return framework === "Django REST framework" && ofSerializer(model) !== "";
}

function ofSerializer(model: string): string {
  return model.replace(/Serializer$/, "");
}

function toBodyType(use: ModelUse): BodyType {
  if (use.kind === "declared") return { kind: "type", name: use.model, isList: use.isList };
  return use.kind === "unclear" ? { kind: "type", name: use.text, isList: false } : { kind: "none" };
}
