import type { Difference } from "./difference.ts";
import { namedDifference } from "./difference-words.ts";
import type { LinkedType, LinkedTypes } from "./link.ts";
import {
  isNamed,
  membersOf,
  type Same,
  type Sameness,
  type Sides,
  sameType,
  type TypeSameness,
  valuesIn,
  worst,
} from "./same-type.ts";
import type { Field, TypeShape, ValueType } from "./shape.ts";
import { unionOf } from "./value-types.ts";
import { typeInWords, type Words } from "./words.ts";

export type Compare = { readonly sides: Sides; readonly words: Words };

type FieldsOf = LinkedType & { readonly shape: Extract<TypeShape, { kind: "fields" }> };

/** What of the fields is otherwise: missing ones, those that are too many, types, and whether they may be null or left out. */
export function compareFields(contract: FieldsOf, code: FieldsOf, { sides, words }: Compare): Difference[] {
  const same = comparing(sides);
  const there = fieldPairs(contract.shape.fields, code.shape.fields);
  const differences = there.pairs.flatMap(([wanted, field]) =>
    field === null
      ? missing(wanted, contract, code, words)
      : fieldDifferences(wanted, field, { same, code, sides, words }),
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

function missing(wanted: Field, contract: FieldsOf, code: FieldsOf, words: Words): Difference[] {
  if (wanted.isImplied === true) return [];
  const at = { file: code.file, line: code.line };
  const name = `\`${wanted.name}: ${typeInWords(wanted.type, words)}\``;
  if (code.shape.more !== null)
    return [
      {
        ...{ code: "type-unclear", weight: "cannot-tell", at },
        message: `${name} of the contract is not written here, and ${code.shape.more}`,
      },
    ];
  const whose = contract.name === code.name ? "" : ` in \`${code.name}\``;
  return [
    {
      ...{
        code: "field-missing",
        weight: "must",
        at,
        member: wanted.name,
        fix: `Add ${name} to \`${code.name}\``,
      },
      message: `${name} of the contract is missing${whose}`,
    },
  ];
}

/** What a type takes from another file is wrong where it takes it: who made that for others may be right. */
function fieldPlace(field: Field, code: FieldsOf): { readonly at: Difference["at"]; readonly name: string } {
  const name = `\`${field.name}\``;
  const { file = code.file, line } = field;
  return file === code.file
    ? { at: { file, line }, name }
    : { at: { file: code.file, line: code.line }, name: `${name} (from ${file}:${line})` };
}

/** Where the contract says nothing about its fields, as with a protocol, the code may have any; an error tells what it can. */
function extraField(field: Field, contract: FieldsOf, code: FieldsOf): Difference[] {
  const saysNothing =
    /^(?:class|error)$/.test(contract.sort) && contract.shape.fields.every(({ isImplied }) => isImplied);
  const isLeast = contract.sort === "Protocol" && code.sort !== "Protocol";
  if (field.isImplied === true || saysNothing || isLeast || code.sort === "error") return [];
  const { at, name } = fieldPlace(field, code);
  if (contract.shape.more !== null)
    return [
      {
        ...{ code: "type-unclear", weight: "cannot-tell", at },
        message: `${name} is not written in the contract, and ${contract.shape.more}`,
      },
    ];
  const isColumn = isTable(code.sort) && !isTable(contract.sort);
  const fix = `Remove \`${field.name}\` from \`${code.name}\`, or add it to the contract`;
  const extra = { code: "field-extra", at, member: field.name, fix } as const;
  return isColumn
    ? [{ ...extra, weight: "should", message: `the column ${name} is not in the contract` }]
    : [{ ...extra, weight: "must", message: `${name} is not in the contract` }];
}

type Around = Compare & { readonly same: Same; readonly code: FieldsOf };

function fieldDifferences(inContract: Field, inCode: Field, around: Around): Difference[] {
  const { code, words, sides } = around;
  const [wanted, field] = [settled(inContract, sides.contract), settled(inCode, sides.code)];
  const { at, name } = fieldPlace(field, code);
  const [here, there] = [typeInWords(field.type, words), typeInWords(wanted.type, words)];
  const { isSameNull, rest } = sameField(wanted, field, around);
  const said = `${name} is \`${here}\` here and \`${there}\` in the contract`;
  const unclear: Difference[] =
    rest === "unclear"
      ? [
          {
            ...{ code: "type-unclear", weight: "cannot-tell", at },
            message: `${said}; whether that is the same cannot be seen`,
          },
        ]
      : [];
  const renamed = aliasDifference(wanted, field, at);
  const fix = `Declare \`${field.name}\` of \`${code.name}\` as \`${there}\``;
  if (rest === "other") {
    const named = namedDifference({ wanted: wanted.type, found: field.type }, around.same, words);
    const told =
      named === null
        ? { message: said, fix }
        : {
            message: `${name} ${named.text}`,
            fix: `Change \`${field.name}\` of \`${code.name}\`: ${named.fix}`,
          };
    const typed = { code: "field-type", weight: "must", at, member: field.name } as const;
    return [{ ...typed, uses: namesIn(wanted.type), ...told }, ...renamed];
  }
  const left = leftOut(wanted, field, words === "python" ? code.sort : "");
  if (isSameNull && left === null) return [...unclear, ...renamed];
  const both = left === null ? null : `it ${left.here} here and ${left.there} in the contract`;
  const message = isSameNull
    ? `${name} ${left?.here} here and ${left?.there} in the contract`
    : both === null
      ? said
      : `${said}; ${both}`;
  const weight = isSameNull ? (left?.weight ?? "must") : "must";
  const given = left?.there === MUST ? "Require" : "Make optional:";
  const how = isSameNull ? `${given} \`${field.name}\` of \`${code.name}\`` : fix;
  return [
    ...(isSameNull ? unclear : []),
    { code: "field-optional", weight, message, at, member: field.name, fix: how },
    ...renamed,
  ];
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
  const all = membersOf(field.type).flatMap((one) =>
    isNamed(one, "undefined") ? [one] : membersOf(types.expanded(one)),
  );
  if (!all.some((one) => isNamed(one, "undefined"))) return field;
  return { ...field, type: unionOf(all.filter((one) => !isNamed(one, "undefined"))), isOptional: true };
}

/** What is called otherwise in data is not found there. */
function aliasDifference(wanted: Field, field: Field, at: Difference["at"]): Difference[] {
  if (wanted.alias === undefined || field.alias === undefined || wanted.alias === field.alias) return [];
  const message = `\`${field.name}\` is called \`${field.alias}\` in data here and \`${wanted.alias}\` in the contract`;
  const fix = `Call \`${field.name}\` \`${wanted.alias}\` in data`;
  return [{ code: "field-missing", weight: "must", message, at, fix }];
}

function sameField(wanted: Field, field: Field, { same, code, sides }: Around): TypeSameness {
  const found = sameType({ contract: wanted.type, code: field.type, depth: 0 }, same);
  const isLoose = field.isImplied === true || wanted.isImplied === true;
  if (field.isKey === true && found.rest === "same") return { ...found, isSameNull: true };
  if (isLoose)
    return found.rest === "same" && found.isSameNull
      ? found
      : ({ isSameNull: true, rest: "unclear" } as const);
  // A column of JSON holds what the contract says, or anything else.
  const isJson = membersOf(field.type).some((one) => isNamed(one, "any"));
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
  const isText = (type: ValueType) => membersOf(type).some((one) => isNamed(one, "string"));
  const isTexts = (values: readonly string[] | null | undefined) =>
    values?.every((value) => value.startsWith('"'));
  const chosen = membersOf(code.expanded(field.type)).map((one) => valuesIn(one, code));
  const asked = membersOf(contract.expanded(wanted.type)).map((one) => valuesIn(one, contract));
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
  return field.isOptional
    ? { here: MAY, there: MUST, weight: FILLED.test(sort) ? ("should" as const) : ("must" as const) }
    : { here: MUST, there: MAY, weight: "must" as const };
}

const [MAY, MUST] = ["may be left out", "must be given"] as const;

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
        ? sameFields(contract, code, { same, depth })
        : "other";
    },
  };
  return same;
}

const DEEPEST = 5;

type Fields = Extract<TypeShape, { kind: "fields" }>;

function sameFields(
  contract: Fields,
  code: Fields,
  at: { readonly same: Same; readonly depth: number },
): Sameness {
  const { pairs, extra } = fieldPairs(contract.fields, code.fields);
  const isMore = contract.more !== null || code.more !== null;
  if (pairs.some(([, field]) => field === null) || extra.some(({ isImplied }) => isImplied !== true))
    return isMore ? "unclear" : "other";
  const { sides } = at.same;
  const all = pairs.map(([inContract, inCode]): Sameness => {
    const wanted = settled(inContract, sides.contract);
    const found = settled(inCode as Field, sides.code);
    const { isSameNull, rest } = sameType(
      { contract: wanted.type, code: found.type, depth: at.depth },
      at.same,
    );
    return rest === "same" && (!isSameNull || leftOut(wanted, found, "") !== null) ? "other" : rest;
  });
  return worst(isMore ? [...all, "unclear"] : all);
}

function sameValues(contract: readonly string[], code: readonly string[]): Sameness {
  const isSame = contract.every((one) => code.includes(one)) && code.every((one) => contract.includes(one));
  return isSame ? "same" : "other";
}
