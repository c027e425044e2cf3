import { reasons } from "../reasons.ts";
import type { TypeShape, ValueType } from "./shape.ts";

export const named = (name: string, ...args: readonly ValueType[]): ValueType => ({
  ...{ kind: "name", name, args },
});

export const nullType: ValueType = named("null");
export const anyType: ValueType = named("any");

/** The members of a union; of everything else, itself. */
export const unionMembers = (type: ValueType): readonly ValueType[] =>
  type.kind === "union" ? type.of : [type];

export const isNamed = (type: ValueType, name: string): boolean => type.kind === "name" && type.name === name;

/** Nested unions are taken apart, and each type is in it once; of one type, it is that type. */
export function unionOf(types: readonly ValueType[]): ValueType {
  const flat = types.flatMap(unionMembers);
  const each = [...new Map(flat.map((type) => [JSON.stringify(type), type])).values()];
  return each.length === 1 ? (each[0] as ValueType) : { kind: "union", of: each };
}

/** The values of which it is one, if it says nothing else than that. */
export function literalsOf(type: ValueType): string[] | null {
  const all = unionMembers(type);
  const values = all.flatMap((one) => (one.kind === "literal" ? [one.value] : []));
  return values.length === all.length ? values : null;
}

/** Fields, values, another name, or that it cannot be told. */
export function shapeOf(type: ValueType): TypeShape {
  if (type.kind === "fields") return { kind: "fields", fields: type.fields, more: null };
  if (type.kind === "unknown") return { kind: "unknown", why: reasons.unreadType(type.text) };
  const values = literalsOf(type);
  return values === null ? { kind: "alias", type } : { kind: "values", values };
}
