import type { Field, ValueType } from "../shape.ts";
import { isNamed, named, unionMembers } from "../value-types.ts";

export const literal = (value: string | number | boolean): ValueType => ({
  kind: "literal",
  value: JSON.stringify(value),
});

/** What is not taken apart is told as it is written; long texts are cut. */
export const unknown = (text: string): ValueType => ({
  kind: "unknown",
  text: text.replace(/\s+/g, " ").trim().slice(0, LONGEST),
});

const LONGEST = 200;

/** Members taken apart, each once, without those that others cover: `"a" | string` is a string. */
export function unionOf(types: readonly ValueType[]): ValueType {
  const each = new Map<string, ValueType>();
  const [only, ...rest] = types.flatMap(unionMembers);
  if (only !== undefined && rest.length === 0) return only;
  for (const type of types.flatMap(unionMembers)) each.set(sameness(type), type);
  if (each.has(ANY)) return named("any");
  if (each.has(TRUE) && each.has(FALSE)) each.set(sameness(named("boolean")), named("boolean"));
  const left = [...each.values()].filter((type) => !isCovered(type, each));
  if (left.length === 1) return left[0] as ValueType;
  return left.length === 0 ? named("never") : { kind: "union", of: left };
}

/** Of literals, what they are as names of fields; null where one is no literal. */
export function textsOf(type: ValueType): string[] | null {
  const texts = unionMembers(type).map((one) =>
    one.kind === "literal" ? String(JSON.parse(one.value)) : null,
  );
  return texts.every((text) => text !== null) ? texts : null;
}

/** Equal for equal types. Where a field stands is no part of its type, nor is the order of fields and members. */
export function sameness(type: ValueType): string {
  switch (type.kind) {
    case "name":
      return type.args.length === 0 ? type.name : `${type.name}<${type.args.map(sameness).join(",")}>`;
    case "literal":
      return type.value;
    case "union":
      return `(${type.of.map(sameness).toSorted().join("|")})`;
    case "fields":
      return `{${type.fields.map(samenessOfField).toSorted().join(";")}}`;
    case "unknown":
      return `?${type.text}?`;
  }
}

function samenessOfField({ name, type, isOptional }: Field): string {
  return `${JSON.stringify(name)}${isOptional ? "?" : ""}:${sameness(type)}`;
}

/**
 * Larger than anybody writes. What is read in the place of its name may contain itself twice, that again twice, and so on: it takes
 * little memory, since all is shared, and for ever to walk.
 */
export const isVast = (type: ValueType): boolean => sizeOf(type) > 2000;

const sizes = new WeakMap<ValueType, number>();

function sizeOf(type: ValueType): number {
  const known = sizes.get(type);
  if (known !== undefined) return known;
  const inner =
    type.kind === "name"
      ? type.args
      : type.kind === "union"
        ? type.of.filter(({ kind }) => kind !== "literal")
        : type.kind === "fields"
          ? type.fields.map((field) => field.type)
          : [];
  const size = inner.reduce((sum, one) => sum + sizeOf(one), 1);
  sizes.set(type, size);
  return size;
}

const ANY = sameness(named("any"));
const TRUE = sameness(literal(true));
const FALSE = sameness(literal(false));

function isCovered(type: ValueType, others: ReadonlyMap<string, ValueType>): boolean {
  if (type.kind !== "literal") return isNamed(type, "never");
  return others.has(sameness(primitiveOf(type.value)));
}

/** The type of a literal that is not constant. */
export function primitiveOf(value: string): ValueType {
  if (value.startsWith('"')) return named("string");
  return named(value === "true" || value === "false" ? "boolean" : "number");
}
