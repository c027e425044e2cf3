import { buildFinding } from "../catalog/catalog.ts";
import type { CodePlace, FindingPlace, FoundFinding } from "../finding.ts";
import type { LinkedType, LinkedTypes } from "./link.ts";
import { findMemberDifference } from "./member-difference.ts";
import {
  type Same,
  type Sameness,
  type Sides,
  sameType,
  type TypeSameness,
  valuesIn,
  worst,
} from "./same-type.ts";
import type { Field, TypeShape, ValueType } from "./shape.ts";
import { isNamed, unionMembers, unionOf } from "./value-types.ts";
import { typeInWords, type Words } from "./words.ts";

export type Compare = { readonly sides: Sides; readonly words: Words };

type FieldsOf = LinkedType & { readonly shape: Extract<TypeShape, { kind: "fields" }> };

/** Missing and extra fields, their types, and whether they may be null or omitted. */
export function compareFields(contract: FieldsOf, code: FieldsOf, { sides, words }: Compare): FoundFinding[] {
  const same = comparing(sides);
  const there = fieldPairs(contract.shape.fields, code.shape.fields);
  const differences = there.pairs.flatMap(([wanted, field]) =>
    field === null
      ? missing(wanted, contract, code, words)
      : fieldDifferences(wanted, field, { same, contract, code, sides, words }),
  );
  return [...differences, ...there.extra.flatMap((field) => extraField(field, contract, code))];
}

/** By name, and where there is none of it, by what a field is called in data; where a rule says that, as far as rules go. */
function fieldPairs(contract: readonly Field[], code: readonly Field[]) {
  const byName = new Map(code.map((field) => [field.name, field]));
  const byAlias = new Map(code.flatMap((field) => (field.alias === undefined ? [] : [[field.alias, field]])));
  const byLetters = new Map(code.map((field) => [lettersOf(field), field]));
  const ruled = (wanted: Field): Field | null => {
    const found = byLetters.get(lettersOf(wanted));
    const isRuled = wanted.isCalledByRule === true || found?.isCalledByRule === true;
    return found !== undefined && isRuled ? found : null;
  };
  const pairs = contract.map((wanted): readonly [Field, Field | null] => [
    wanted,
    byName.get(wanted.name) ?? byAlias.get(wanted.name) ?? byName.get(wanted.alias ?? "") ?? ruled(wanted),
  ]);
  const used = new Set(pairs.map(([, field]) => field));
  return { pairs, extra: code.filter((field) => !used.has(field)) };
}

/** `order_id`, `orderId` and `OrderID` have the same. */
const lettersOf = ({ name }: Field) => name.replaceAll(/[_-]/g, "").toLowerCase();

function missing(wanted: Field, contract: FieldsOf, code: FieldsOf, words: Words): FoundFinding[] {
  if (wanted.isImplied === true) return [];
  const place = { about: contract.name, at: { file: code.file, line: code.line } };
  const field = `${wanted.name}: ${typeInWords(wanted.type, words)}`;
  const { more: reason } = code.shape;
  if (reason !== null)
    return [buildFinding("type-unclear", { kind: "unseen-field", side: "code", field, reason }, place)];
  const values = { kind: "field", field, owner: code.name } as const;
  return [buildFinding("field-missing", values, { ...place, member: wanted.name })];
}

/** A field from another file is reported where the type takes it: that file may be right for others. */
function fieldPlace(field: Field, code: FieldsOf): { readonly at: CodePlace; readonly from: string | null } {
  const { file = code.file, line } = field;
  return file === code.file
    ? { at: { file, line }, from: null }
    : { at: { file: code.file, line: code.line }, from: `${file}:${line}` };
}

/** If the contract does not list fields, as with a protocol, the code may have any; so may an error. */
function extraField(field: Field, contract: FieldsOf, code: FieldsOf): FoundFinding[] {
  const saysNothing =
    /^(?:class|error)$/.test(contract.sort) && contract.shape.fields.every(({ isImplied }) => isImplied);
  const isLeast = contract.sort === "Protocol" && code.sort !== "Protocol";
  if (field.isImplied === true || saysNothing || isLeast || code.sort === "error") return [];
  const { at, from } = fieldPlace(field, code);
  const { more: reason } = contract.shape;
  const { name } = field;
  if (reason !== null) {
    const values = { kind: "unseen-field", side: "contract", field: name, reason } as const;
    return [buildFinding("type-unclear", values, { about: contract.name, at })];
  }
  const isColumn = isTable(code.sort) && !isTable(contract.sort);
  const values = { owner: code.name, field: name, from, isColumn };
  const place = { about: contract.name, at, member: name };
  return [buildFinding("field-extra", values, isColumn ? { ...place, weight: "should" } : place)];
}

type FieldContext = Compare & { readonly same: Same; readonly contract: FieldsOf; readonly code: FieldsOf };

function fieldDifferences(inContract: Field, inCode: Field, context: FieldContext): FoundFinding[] {
  const { contract, code, words, sides, same } = context;
  const [wanted, found] = [settled(inContract, sides.contract), settled(inCode, sides.code)];
  const { at, from } = fieldPlace(found, code);
  const place = { about: contract.name, at, member: found.name };
  const field = {
    ...{ owner: code.name, field: found.name, from },
    ...{ here: `\`${typeInWords(found.type, words)}\``, there: `\`${typeInWords(wanted.type, words)}\`` },
  };
  const { isSameNull: isNullSame, rest } = sameField(wanted, found, context);
  const renamed = aliasDifference(wanted, found, { about: contract.name, at });
  if (rest === "other") {
    const members = findMemberDifference({ wanted: wanted.type, found: found.type }, same, words);
    const uses = namesIn(wanted.type);
    return [buildFinding("field-type", { ...field, members }, { ...place, uses }), ...renamed];
  }
  const left = leftOut(wanted, found, words === "python" ? code.sort : "");
  const unclear =
    rest === "unclear" && isNullSame
      ? [buildFinding("type-unclear", { kind: "field", ...field }, { about: contract.name, at })]
      : [];
  if (isNullSame && left === null) return [...unclear, ...renamed];
  const weight = isNullSame ? (left?.weight ?? "must") : "must";
  const values = { ...field, isNullSame, isOptionalInCode: left === null ? null : found.isOptional };
  return [...unclear, buildFinding("field-optional", values, { ...place, weight }), ...renamed];
}

/** All names that a type is made of, without their files. */
function namesIn(type: ValueType, depth = 0): string[] {
  if (depth > DEEPEST) return [];
  if (type.kind === "union") return type.of.flatMap((one) => namesIn(one, depth + 1));
  if (type.kind !== "name") return [];
  return [type.name.replace(/^.*#/, ""), ...type.args.flatMap((one) => namesIn(one, depth + 1))];
}

/** In TypeScript, another name may say that there is nothing: then the field may be left out. */
function settled(field: Field, types: LinkedTypes): Field {
  const all = unionMembers(field.type).flatMap((one) =>
    isNamed(one, "undefined") ? [one] : unionMembers(types.expanded(one)),
  );
  if (!all.some((one) => isNamed(one, "undefined"))) return field;
  return { ...field, type: unionOf(all.filter((one) => !isNamed(one, "undefined"))), isOptional: true };
}

/** A field with another name in data is not found there. */
function aliasDifference(wanted: Field, field: Field, place: FindingPlace): FoundFinding[] {
  if (wanted.alias === undefined || field.alias === undefined || wanted.alias === field.alias) return [];
  const names = { field: field.name, here: field.alias, there: wanted.alias };
  return [buildFinding("field-missing", { kind: "alias", ...names }, place)];
}

function sameField(wanted: Field, field: Field, { same, code, sides }: FieldContext): TypeSameness {
  const found = sameType({ contract: wanted.type, code: field.type, depth: 0 }, same);
  const isLoose = field.isImplied === true || wanted.isImplied === true;
  if (field.isKey === true && found.rest === "same") return { ...found, isSameNull: true };
  if (isLoose)
    return found.rest === "same" && found.isSameNull
      ? found
      : ({ isSameNull: true, rest: "unclear" } as const);
  // A column of JSON holds what the contract says, or anything else.
  const isJson = unionMembers(field.type).some((one) => isNamed(one, "any"));
  if (isJson && isTable(code.sort)) return { rest: "same", isSameNull: true };
  return found.rest === "other" && hasColumns(code.sort)
    ? { ...found, rest: columnSame(wanted, field, sides) }
    : found;
}

/** Rows of a database, and nothing that is handed about. */
export const isTable = (sort: string) => /^(?:django model|sqlalchemy model|entity)$/.test(sort);
const hasColumns = (sort: string) => isTable(sort) || /^(?:SQLModel|serializer)$/.test(sort);

/** A column with choices holds text; a column of text may hold the values of an enum. */
function columnSame(wanted: Field, field: Field, { contract, code }: Sides): Sameness {
  const isText = (type: ValueType) => unionMembers(type).some((one) => isNamed(one, "string"));
  const isTexts = (values: readonly string[] | null | undefined) =>
    values?.every((value) => value.startsWith('"'));
  const chosen = unionMembers(code.expanded(field.type)).map((one) => valuesIn(one, code));
  const asked = unionMembers(contract.expanded(wanted.type)).map((one) => valuesIn(one, contract));
  if (isText(contract.expanded(wanted.type)) && chosen.some(isTexts)) return "same";
  return isText(code.expanded(field.type)) && asked.some(isTexts) ? "unclear" : "other";
}

/**
 * Who must give what the contract lets them leave out is refused. The other way round nobody is: a default is only read where the
 * field has a value in any case, as in a class, so that is wrong and does no harm; in a dictionary it is missing for who reads it.
 */
function leftOut(wanted: Field, field: Field, sort: string) {
  if (wanted.isOptional === field.isOptional) return null;
  if ([wanted, field].some(({ leftOutUnclear, isImplied }) => leftOutUnclear === true || isImplied === true))
    return null;
  // What can only be one value is that value, also where nobody gives it: `type: Literal["cat"] = "cat"`.
  if (field.isOptional && wanted.type.kind === "literal" && FILLED.test(sort)) return null;
  return { weight: field.isOptional && FILLED.test(sort) ? ("should" as const) : ("must" as const) };
}

const FILLED = /^(?:dataclass|attrs|BaseModel|SQLModel|NamedTuple|msgspec\.Struct|class|error|serializer)$/;

/** Types with other names are the same where all of their fields and values are. */
export function comparing(sides: Sides): Same {
  const same: Same = {
    sides,
    shapes: (contract, code, depth) => {
      if (contract.kind === "unknown" || code.kind === "unknown" || depth > DEEPEST) return "unclear";
      if (contract.kind === "values" && code.kind === "values")
        return sameValues(contract.values, code.values);
      return contract.kind === "fields" && code.kind === "fields"
        ? sameFields(contract, code, same, depth)
        : "other";
    },
  };
  return same;
}

const DEEPEST = 5;

type Fields = Extract<TypeShape, { kind: "fields" }>;

function sameFields(contract: Fields, code: Fields, same: Same, depth: number): Sameness {
  const { pairs, extra } = fieldPairs(contract.fields, code.fields);
  const isMore = contract.more !== null || code.more !== null;
  if (pairs.some(([, field]) => field === null) || extra.some(({ isImplied }) => isImplied !== true))
    return isMore ? "unclear" : "other";
  const { sides } = same;
  const all = pairs.map(([inContract, inCode]): Sameness => {
    const wanted = settled(inContract, sides.contract);
    const found = settled(inCode as Field, sides.code);
    const { isSameNull, rest } = sameType({ contract: wanted.type, code: found.type, depth }, same);
    return rest === "same" && (!isSameNull || leftOut(wanted, found, "") !== null) ? "other" : rest;
  });
  return worst(isMore ? [...all, "unclear"] : all);
}

function sameValues(contract: readonly string[], code: readonly string[]): Sameness {
  const isSame = contract.every((one) => code.includes(one)) && code.every((one) => contract.includes(one));
  return isSame ? "same" : "other";
}
