// What is sent and received, as the contract describes it and as the code declares it: fields, their types, what may be left out or
// be null. The direction matters: a server may accept more than it promises, and answer with less than it could.

import type { Without } from "../catalog/catalog.ts";
import type { DataMismatch, DataRole, DataSubject } from "../catalog/mismatch.ts";
import type { CodePlace, FoundFinding } from "../finding.ts";
import type { LinkedTypes } from "./link.ts";
import { type OpenMember, type OpenType, openType, type TypeOwner } from "./open-type.ts";
import type { Field, ValueType } from "./shape.ts";

export type DataDifference = {
  readonly weight: FoundFinding["weight"];
  readonly mismatch: DataMismatch;
  /** Of the code; null: where the endpoint is. */
  readonly at: CodePlace | null;
  /** The field or the value that differs; left out: the whole. */
  readonly member?: string;
};

export type DataContext = {
  readonly direction: "request" | "response";
  readonly contract: LinkedTypes;
  readonly code: LinkedTypes;
  /** In which the code is written. TypeScript has one name for all numbers, and decorators say more than types do. */
  readonly language: "python" | "script" | "document";
  /** Texts may stand for numbers: the framework, or the handler, converts them. */
  readonly isText?: boolean;
  /** As in an address: what may be null may be left out. */
  readonly isWithoutNull?: boolean;
  /** A document may not list fields of responses as required that are always there. */
  readonly isLooseAboutDefaults?: boolean;
};

type At = DataContext & {
  readonly role: DataRole;
  /** From the type that it is in: `lines[].price`; empty: the whole. */
  readonly path: string;
  readonly owner: TypeOwner | null;
  readonly seen: ReadonlySet<string>;
  readonly place: CodePlace | null;
  readonly member?: string;
  /** The contract lets it be left out. */
  readonly isOptional: boolean;
};

type Pair = { readonly contract: ValueType; readonly code: ValueType };

export function compareData(pair: Pair, context: DataContext & Pick<At, "role">): DataDifference[] {
  const start = { path: "", owner: null, seen: new Set<string>(), place: null, isOptional: false };
  return compare(pair, { ...context, ...start });
}

function compare(pair: Pair, at: At): DataDifference[] {
  const [contract, code] = [openType(pair.contract, at.contract), openType(pair.code, at.code)];
  if (contract.isHidden || code.isHidden) return [];
  if (contract.members.length === 0 || code.members.length === 0) return [];
  const kinds = compareKinds(contract, code, at);
  if (kinds.length > 0) return kinds;
  return [...compareNull(contract, code, at), ...compareInside(contract, code, at)];
}

/** What may be left out in the contract is often null in the code: who reads it expects that there may be nothing. */
function compareNull(contract: OpenType, code: OpenType, at: At): DataDifference[] {
  if (contract.hasNull === code.hasNull || at.isWithoutNull === true) return [];
  if (at.direction === "request" && contract.hasNull) {
    const weight = at.language === "script" ? "should" : "must";
    return [difference(weight, { kind: "null", isNullInCode: false }, at)];
  }
  if (at.direction === "request" || contract.hasNull || at.isOptional) return [];
  return [difference("must", { kind: "null", isNullInCode: true }, at)];
}

/** Kinds of JSON: a list where the contract has an object. */
function compareKinds(contract: OpenType, code: OpenType, at: At): DataDifference[] {
  const kindsIn = ({ members }: OpenType) => [...new Set(members.map(kindOf))];
  const [wanted, found] = [kindsIn(contract), kindsIn(code)];
  const isMet = (kind: string) => found.some((one) => fits(kind, one, at));
  const isAllowed = (kind: string) => wanted.some((one) => fits(one, kind, at));
  if (at.direction === "request" ? wanted.every(isMet) : found.every(isAllowed)) return [];
  return [difference("must", { kind: "json", code: found, contract: wanted }, at)];
}

function kindOf(member: OpenMember): string {
  if (member.kind === "plain") return member.name;
  if (member.kind === "literal") return literalKind(member.value);
  return member.kind === "list" ? "array" : "object";
}

function literalKind(value: string): string {
  if (value.startsWith('"')) return "string";
  return value === "true" || value === "false" ? "boolean" : /^-?\d+$/.test(value) ? "integer" : "number";
}

/** Whether data of the one kind can be of the other. A decimal is a text or a number, as the serializer likes. */
function fits(contract: string, code: string, { direction, isText, language }: At): boolean {
  const both = [contract, code];
  const isPlain = both.every((kind) => kind !== "array" && kind !== "object");
  if (contract === code || (isText === true && isPlain)) return true;
  if (both.includes("decimal")) return both.some((kind) => /^(?:string|number)$/.test(kind));
  if (!both.every((kind) => kind === "integer" || kind === "number")) return false;
  return language === "script" || (direction === "response" ? contract : code) === "number";
}

function compareInside(contract: OpenType, code: OpenType, at: At): DataDifference[] {
  if ([...contract.members, ...code.members].some(({ kind }) => kind === "literal"))
    return compareValues(contract, code, at);
  const [wanted, ...others] = contract.members;
  const [found, ...more] = code.members;
  if (wanted === undefined || found === undefined || others.length + more.length > 0) return [];
  if (wanted.kind === "list" && found.kind === "list")
    return compare({ contract: wanted.item, code: found.item }, { ...at, path: `${at.path}[]` });
  if (wanted.kind === "map" && found.kind === "map")
    return compare({ contract: wanted.value, code: found.value }, { ...at, path: `${at.path}{}` });
  return wanted.kind === "fields" && found.kind === "fields" ? compareFields(wanted, found, at) : [];
}

/** An enum of the contract that is any text in the code is checked elsewhere, or nowhere. */
function compareValues(contract: OpenType, code: OpenType, at: At): DataDifference[] {
  const [wanted, found] = [valuesOf(contract), valuesOf(code)];
  if (wanted !== null && found !== null) {
    const lost = wanted.filter((value) => !found.includes(value));
    const added = found.filter((value) => !wanted.includes(value));
    const { values: owner } = code;
    const where = owner === null ? at : { ...at, place: owner.at };
    const differs = (isMissing: boolean) => (value: string) => {
      const mismatch = { kind: "value", value, isMissing, of: owner?.name ?? null } as const;
      return difference("must", mismatch, { ...where, member: value });
    };
    return [...lost.map(differs(true)), ...added.map(differs(false))];
  }
  if (at.language === "script" || (wanted === null) === (found === null)) return [];
  if (wanted !== null)
    return [difference("should", { kind: "values", values: wanted, side: "contract" }, at)];
  if (at.direction === "response") return [];
  return [difference("should", { kind: "values", values: found ?? [], side: "code" }, at)];
}

function valuesOf({ members }: OpenType): string[] | null {
  const values = members.flatMap((one) => (one.kind === "literal" ? [one.value] : []));
  return values.length === members.length ? values : null;
}

type Fields = Extract<OpenMember, { kind: "fields" }>;

function compareFields(contract: Fields, code: Fields, outer: At): DataDifference[] {
  const pair = `${contract.owner?.key ?? ""} ${code.owner?.key ?? ""}`;
  if (contract.owner !== null && outer.seen.has(pair)) return [];
  const own = code.owner === null ? {} : { owner: code.owner, path: "", place: code.owner.at };
  const at: At = { ...outer, ...own, seen: new Set([...outer.seen, pair]) };
  const isSent = ({ only, type }: Field) =>
    (only === undefined || only === at.direction) && !(type.kind === "name" && type.name === "function");
  const wanted = contract.fields.filter(isSent);
  const found = code.fields.filter(isSent);
  // Pydantic writes answers by their aliases; what it reads may come by either.
  const isByAlias = at.direction === "response" && /^(?:BaseModel|SQLModel)$/.test(code.owner?.sort ?? "");
  const byName = fieldFinder(found, isByAlias);
  const pairs = wanted.map((field) => [field, byName(field)] as const);
  const used = new Set(pairs.map(([, field]) => field));
  const isAside = new Set(code.fields.filter((field) => !isSent(field)).map(({ name }) => name));
  return [
    ...pairs.flatMap(([field, same]) =>
      same === null ? lacking(field, code, { at, isAside }) : compareField(field, same, { at, code }),
    ),
    ...(contract.more === null ? found.filter((field) => !used.has(field)) : []).flatMap((field) =>
      extraField(field, { at, contract }),
    ),
  ];
}

/** By what it is called in data, else by its name; where a rule makes names, by their letters. */
function fieldFinder(fields: readonly Field[], isByAlias: boolean): (wanted: Field) => Field | null {
  const byAlias = new Map(
    fields.flatMap((field) => (field.alias === undefined ? [] : [[field.alias, field]])),
  );
  const named = fields.filter(({ alias }) => !isByAlias || alias === undefined);
  const byName = new Map(named.map((field) => [field.name, field]));
  const ruled = fields.filter(({ isCalledByRule }) => isCalledByRule === true);
  const byLetters = new Map(ruled.map((field) => [lettersOf(field), field]));
  return (wanted) =>
    byAlias.get(wanted.name) ?? byName.get(wanted.name) ?? byLetters.get(lettersOf(wanted)) ?? null;
}

const lettersOf = ({ name }: Field) => name.replaceAll(/[_-]/g, "").toLowerCase();

type LackAt = { readonly at: At; readonly isAside: ReadonlySet<string> };

function lacking(field: Field, code: Fields, { at, isAside }: LackAt): DataDifference[] {
  if (isAside.has(field.name)) return [];
  const { more: reason } = code;
  const mismatch = { kind: "field", field: fieldPath(field, at), isMissing: true, reason } as const;
  return [difference(reason === null ? "must" : "unclear", mismatch, { ...at, member: field.name })];
}

/** Who must send what the contract does not name is refused. */
function extraField(field: Field, { at, contract }: { at: At; contract: Fields }): DataDifference[] {
  if (field.isImplied === true || contract.fields.some(({ name }) => name === field.name)) return [];
  const isNeeded = at.direction === "request" && !field.isOptional && field.leftOutUnclear !== true;
  const mismatch = { kind: "field", field: fieldPath(field, at), isMissing: false, reason: null } as const;
  const own = { ...at, place: fieldPlace(field, at), member: field.name };
  return [difference(isNeeded ? "must" : "should", mismatch, own)];
}

function compareField(wanted: Field, field: Field, { at, code }: { at: At; code: Fields }): DataDifference[] {
  const inside: At = {
    ...at,
    path: fieldPath(wanted, at),
    place: fieldPlace(field, at),
    member: field.name,
    isOptional: wanted.isOptional,
  };
  const left = leftOut(wanted, field, { at, sort: code.owner?.sort ?? "" });
  // Few people mark each field of a response that is there; in a request it decides who is refused.
  const weight = at.language === "script" && at.direction === "response" ? "should" : "must";
  const optional =
    left === null ? [] : [difference(weight, { kind: "optional", isOptionalInCode: left }, inside)];
  // A relation is there when somebody asks for it, and what it is then nobody sees.
  if (field.isImplied === true && field.isKey !== true) return [];
  return [...optional, ...compare({ contract: wanted.type, code: field.type }, inside)];
}

/** Fields with a default are always in a response, where a class makes it. */
const FILLED =
  /^(?:dataclass|attrs|BaseModel|SQLModel|RootModel|NamedTuple|msgspec\.Struct|class|serializer|\w+ model|entity)$/;

/** Whether a field is optional in the code and not in the contract; null: both agree, or it does not matter. */
function leftOut(wanted: Field, field: Field, { at, sort }: { at: At; sort: string }): boolean | null {
  if (wanted.isOptional === field.isOptional || field.leftOutUnclear === true) return null;
  if (field.isImplied === true || field.isKey === true) return null;
  if (at.direction === "response") {
    const isAlways = at.isLooseAboutDefaults === true || (at.language === "python" && FILLED.test(sort));
    return wanted.isOptional || isAlways ? null : true;
  }
  return !wanted.isOptional;
}

const fieldPath = ({ name }: Field, { path }: At) => (path === "" ? name : `${path}.${name}`);

/** A field that comes from another file is told where the type takes it. */
function fieldPlace({ file, line }: Field, { owner, place }: At): CodePlace | null {
  if (owner === null && file !== undefined) return { file, line: line === 0 ? null : line };
  if (owner === null || line === 0) return place;
  return (file ?? owner.at.file) === owner.at.file ? { file: owner.at.file, line } : owner.at;
}

/** In a file without line numbers, the whole mismatch tells one member from another. */
function difference(
  weight: DataDifference["weight"],
  what: Without<DataMismatch, keyof DataSubject>,
  { role, path, owner, place, member }: At,
): DataDifference {
  const mismatch = { ...what, role, path, owner: owner?.name ?? null } as DataMismatch;
  const known = place?.line === null ? JSON.stringify(mismatch) : member;
  return { weight, mismatch, at: place, ...(known !== undefined && { member: known }) };
}
