import type { SyntaxNode } from "../../../../syntax/tree.ts";
import type { ValueType } from "../shape.ts";
import { isNamed, named, unionMembers } from "../value-types.ts";
import type { At, Reading, Side } from "./reading.ts";
import { unionOf } from "./value.ts";

/** What a schema of Zod says of a value, and of the field that has it. */
export type Schema = {
  readonly type: ValueType;
  readonly isOptional: boolean;
  /** It has a default. */
  readonly leftOutUnclear: boolean;
  /** Another file says whether it may be left out. */
  readonly isElsewhere?: boolean;
};

export const schemaFor = (type: ValueType): Schema => ({ type, isOptional: false, leftOutUnclear: false });

/** `.min(1)`; without a call, `.shape`. */
export type Step = {
  readonly name: string;
  readonly call: SyntaxNode | null;
  readonly args: readonly SyntaxNode[];
};

/** What the readers of schemas ask each other for. */
export type Schemas = {
  readonly reading: Reading;
  readonly side: Side;
  readonly at: At;
  /** Null: it is no schema. */
  readonly schemaOf: (node: SyntaxNode) => Schema | null;
  /** `{ a: z.string() }`, or what stands for it; null where not all of it can be seen. */
  readonly fieldsIn: (node: SyntaxNode | undefined) => ValueType | null;
};

/** What comes later takes the place of what was there. */
export function overlaid(parts: readonly ValueType[]): ValueType {
  const told = parts.filter((part) => part.kind !== "fields" || part.fields.length > 0);
  if (!told.every((part) => part.kind === "fields"))
    return told.length === 1 ? (told[0] as ValueType) : named("intersection", ...told);
  const fields = new Map(told.flatMap((part) => part.fields.map((field) => [field.name, field])));
  return { kind: "fields", fields: [...fields.values()] };
}

/** It lets through what it does not know. */
export function loosened(type: ValueType | null, more: ValueType = named("any")): ValueType | null {
  if (type?.kind !== "fields") return type;
  const rest = { name: REST, type: more, isOptional: true, line: type.fields[0]?.line ?? 1 };
  return { kind: "fields", fields: [...type.fields.filter(({ name }) => name !== REST), rest] };
}

export function tightened(type: ValueType): ValueType {
  return type.kind === "fields"
    ? { kind: "fields", fields: type.fields.filter(({ name }) => name !== REST) }
    : type;
}

const REST = "[string]";

/** The elements of a list, or the values of an object, where all are literals. */
export function valuesIn(type: ValueType | null): ValueType | null {
  if (type === null) return null;
  const each = isNamed(type, "tuple") && type.kind === "name" ? type.args : null;
  const all = type.kind === "fields" ? type.fields.map((field) => field.type) : (each ?? unionMembers(type));
  return all.length > 0 && all.every(({ kind }) => kind === "literal") ? unionOf(all) : null;
}

/** What stands behind a name of this file; else itself. */
export function opened(type: ValueType, { known }: Reading): ValueType {
  return type.kind === "name" && type.args.length === 0 ? (known(type.name) ?? type) : type;
}
