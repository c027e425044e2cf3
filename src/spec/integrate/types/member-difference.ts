// Members in which two types differ, if both are too long to read as a whole.

import type { MemberDifference } from "../catalog/types.ts";
import { type Same, sameType, valuesIn } from "./same-type.ts";
import type { Field, ValueType } from "./shape.ts";
import { isNamed, unionMembers } from "./value-types.ts";
import { typeInWords, type Words } from "./words.ts";

type Pair = { readonly wanted: ValueType; readonly found: ValueType };

/** Null if two short types say it better. */
export function findMemberDifference(pair: Pair, same: Same, words: Words): MemberDifference | null {
  const found =
    differingValues(pair, same) ?? differingFields(pair, same, words) ?? differingMembers(pair, same, words);
  const isEmpty = found === null || found.lacks.length + found.extra.length + found.others.length === 0;
  return isEmpty ? null : found;
}

/** Enums, and unions of literals. */
function differingValues({ wanted, found }: Pair, { sides }: Same): MemberDifference | null {
  const [of, by] = [valuesOf(wanted, sides.contract), valuesOf(found, sides.code)];
  return of === null || by === null ? null : differing(of, by);
}

function valuesOf(type: ValueType, types: Same["sides"]["code"]): readonly string[] | null {
  const members = unionMembers(types.expanded(type)).filter((one) => !isNamed(one, "null"));
  const values = members.map((one) => valuesIn(one, types));
  const all = values.flatMap((some) => some ?? []);
  return values.includes(null) || all.length < 2 ? null : all;
}

/** Fields that are written where they are used. */
function differingFields({ wanted, found }: Pair, same: Same, words: Words): MemberDifference | null {
  if (wanted.kind !== "fields" || found.kind !== "fields") return null;
  const others = wanted.fields.flatMap((field) => {
    const other = found.fields.find(({ name }) => name === field.name);
    if (other === undefined) return [];
    const { rest, isSameNull } = sameType({ contract: field.type, code: other.type, depth: 1 }, same);
    const isSame = rest === "same" && isSameNull && other.isOptional === field.isOptional;
    const text = ({ type, isOptional }: Field) => `${typeInWords(type, words)}${isOptional ? "?" : ""}`;
    return isSame ? [] : [{ name: field.name, here: text(other), there: text(field) }];
  });
  const names = (fields: readonly Field[]) => fields.map(({ name }) => name);
  return { ...differing(names(wanted.fields), names(found.fields)), others };
}

/** Long unions of other types. */
function differingMembers({ wanted, found }: Pair, same: Same, words: Words): MemberDifference | null {
  const [of, by] = [unionMembers(wanted), unionMembers(found)];
  if (Math.max(of.length, by.length) < LONG) return null;
  const isSame = (contract: ValueType, code: ValueType) =>
    sameType({ contract, code, depth: 0 }, same).rest === "same";
  const lacks = of.filter((contract) => !by.some((code) => isSame(contract, code)));
  const has = by.filter((code) => !of.some((contract) => isSame(contract, code)));
  const [one, other] = [lacks[0], has[0]];
  const isOneEach = lacks.length === 1 && has.length === 1 && one !== undefined && other !== undefined;
  const inner = isOneEach ? differingFields({ wanted: one, found: other }, same, words) : null;
  if (inner !== null && inner.lacks.length + inner.extra.length === 0) return inner;
  const isMostOf = lacks.length * 2 > of.length && has.length * 2 > by.length;
  const text = (type: ValueType) => typeInWords(type, words);
  return isMostOf ? null : { lacks: lacks.map(text), extra: has.map(text), others: [] };
}

const LONG = 3;

const differing = (of: readonly string[], by: readonly string[]): MemberDifference => ({
  others: [],
  lacks: of.filter((one) => !by.includes(one)),
  extra: by.filter((one) => !of.includes(one)),
});
