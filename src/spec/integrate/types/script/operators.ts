import type { Field, NameType, ValueType } from "../shape.ts";
import { isNamed, named, unionMembers } from "../value-types.ts";
import { isVast, literal, primitiveOf, sameness, textsOf, unionOf, unknown } from "./value.ts";

/** What a name stands for, as far as it can be seen: null where it cannot. Bases are part of it. */
export type Known = (name: string) => ValueType | null;

/**
 * What TypeScript makes of other types. As long as one of those cannot be seen, the operation is kept as a name with arguments, such
 * as `Omit<Order, "id">`; whoever sees more asks again. `intersection` is `A & B`, `lookup` is `A["b"]`, `keyof` is itself.
 */
export const OPERATORS: ReadonlySet<string> = new Set([
  ...["Partial", "Required", "Pick", "Omit", "Exclude", "Extract", "NonNullable"],
  ...["intersection", "lookup", "keyof"],
]);

/** The type itself where an operation can be done, with those inside of its arguments; else as it was. */
export function operated(type: ValueType, known: Known): ValueType {
  const done = apply(type, known, 0);
  return done === null || isVast(done) ? type : done;
}

const DEEPEST = 20;
/** More than people write; each member of a union is combined with each of the other. */
const MOST = 64;

function apply(type: ValueType, known: Known, depth: number): ValueType | null {
  if (type.kind === "name" && type.name === "map") return fieldsOfMap(type, known, depth);
  if (type.kind !== "name" || !OPERATORS.has(type.name) || depth > DEEPEST) return null;
  const args = type.args.map((arg) => seen(arg, known, depth));
  const [first, second] = args;
  if (type.name === "intersection") return args.every((arg) => arg !== null) ? intersection(args) : null;
  if (first === undefined || first === null) return null;
  if (type.name === "Partial") return eachOf(first, (fields) => fields.map(optional));
  if (type.name === "Required") return eachOf(first, (fields) => fields.map(required));
  if (type.name === "NonNullable")
    return unionOf(unionMembers(first).filter((one) => !isNamed(one, "null") && !isNamed(one, "undefined")));
  if (type.name === "keyof") return keysOf(first);
  return second === undefined || second === null ? null : withKeys(type.name, first, second);
}

function withKeys(name: string, type: ValueType, by: ValueType): ValueType | null {
  if (name === "lookup") return lookedUp(type, by);
  if (name === "Exclude" || name === "Extract") return chosen(type, by, name === "Extract");
  const keys = keyNames(by);
  if (type.kind !== "fields" || keys === null) return null;
  const fields = type.fields.filter((field) => keys.has(field.name) === (name === "Pick"));
  return { kind: "fields", fields };
}

/** What stands behind a name; members of a union too, so that nothing of it is a name of the project any more. */
function seen(type: ValueType, known: Known, depth: number): ValueType | null {
  if (depth > DEEPEST) return null;
  if (type.kind === "unknown") return null;
  if (type.kind === "union") {
    const of = type.of.map((one) => seen(one, known, depth + 1));
    return of.every((one) => one !== null) ? unionOf(of) : null;
  }
  if (type.kind === "name" && type.name === "map") return fieldsOfMap(type, known, depth) ?? type;
  if (type.kind !== "name" || PLAIN.has(type.name)) return type;
  if (OPERATORS.has(type.name)) return apply(type, known, depth + 1);
  const found = known(type.name);
  return found === null || found === type ? null : seen(withArguments(found, type.args), known, depth + 1);
}

/** `Record<Status, number>` has a field for each of the values. */
function fieldsOfMap({ args: [key, value] }: NameType, known: Known, depth: number): ValueType | null {
  if (key?.kind !== "name" || value === undefined || PLAIN.has(key.name)) return null;
  const keys = seen(key, known, depth + 1);
  const names = keys === null ? null : textsOf(keys);
  if (names === null) return null;
  return {
    kind: "fields",
    fields: names.map((name) => ({ name, type: value, isOptional: false, line: NOWHERE })),
  };
}

/** A field that nobody wrote stands where the type does that has it. */
export const NOWHERE = 0;

/** A type parameter, by its place from 1: what stands in for it is known where the type is used. */
export const parameter = (place: number): ValueType => unknown(`${PARAMETER}${place}`);

const PARAMETER = "type parameter ";

export const isParameter = (type: ValueType): boolean =>
  type.kind === "unknown" && type.text.startsWith(PARAMETER);

/** With arguments in the place of parameters: `Page<Order>`. */
export function withArguments(type: ValueType, args: readonly ValueType[], depth = 0): ValueType {
  if (args.length === 0 || depth > DEEPEST) return type;
  const inner = (one: ValueType) => withArguments(one, args, depth + 1);
  switch (type.kind) {
    case "unknown":
      return type.text.startsWith(PARAMETER)
        ? (args[Number(type.text.slice(PARAMETER.length)) - 1] ?? type)
        : type;
    case "name":
      return { ...type, args: type.args.map(inner) };
    case "union":
      return unionOf(type.of.map(inner));
    case "fields":
      return { kind: "fields", fields: type.fields.map((field) => ({ ...field, type: inner(field.type) })) };
    case "literal":
      return type;
  }
}

const PLAIN: ReadonlySet<string> = new Set([
  ...["string", "integer", "number", "boolean", "null", "undefined", "never", "bytes", "any", "object"],
  ...["datetime", "list", "set", "map", "tuple", "function", "symbol"],
]);

/** The name under which it must be looked up; null where it is no name of the project. */
export function projectName(type: ValueType): string | null {
  return type.kind === "name" && !PLAIN.has(type.name) && !OPERATORS.has(type.name) ? type.name : null;
}

const optional = ({ leftOutUnclear: _, ...field }: Field): Field => ({ ...field, isOptional: true });
const required = ({ leftOutUnclear: _, ...field }: Field): Field => ({ ...field, isOptional: false });

function eachOf(type: ValueType, change: (fields: readonly Field[]) => Field[]): ValueType | null {
  const changed = unionMembers(type).map((one): ValueType | null => {
    if (one.kind === "fields") return { kind: "fields", fields: change(one.fields) };
    return one.kind === "literal" || isOpenMap(one) || isNamed(one, "null") ? one : null;
  });
  return changed.every((one) => one !== null) ? unionOf(changed) : null;
}

/** With any key; where the key is a type of the project, it may have a field for each of its values. */
function isOpenMap(type: ValueType): boolean {
  const [key] = type.kind === "name" && type.name === "map" ? type.args : [];
  return key?.kind === "name" && PLAIN.has(key.name);
}

/** Of unions there are only the keys that all members have; nobody writes that. */
function keysOf(type: ValueType): ValueType | null {
  if (isNamed(type, "map") && type.kind === "name") return type.args[0] ?? null;
  return type.kind === "fields" ? unionOf(type.fields.map(({ name }) => literal(name))) : null;
}

function keyNames(by: ValueType): ReadonlySet<string> | null {
  const names = textsOf(by);
  return names === null ? null : new Set(names);
}

function lookedUp(type: ValueType, by: ValueType): ValueType | null {
  if (isNamed(by, "number") && type.kind === "name") {
    if (type.name === "list") return type.args[0] ?? null;
    return type.name === "tuple" ? unionOf(type.args) : null;
  }
  const keys = keyNames(by);
  if (type.kind !== "fields" || keys === null) return null;
  const found = type.fields.filter(({ name }) => keys.has(name));
  if (found.length < keys.size || found.some(isAside)) return null;
  return unionOf(
    found.flatMap((field) => (field.isOptional ? [field.type, named("undefined")] : [field.type])),
  );
}

/** A method, or a relation between tables: what it is elsewhere is not what it is here. */
const isAside = ({ isImplied, isKey }: Field) => isImplied === true && isKey !== true;

function chosen(type: ValueType, by: ValueType, isKept: boolean): ValueType | null {
  const wanted = new Set(unionMembers(by).map(sameness));
  const isPlain = [...unionMembers(type), ...unionMembers(by)].every(
    (one) => one.kind === "literal" || isNull(one),
  );
  if (!isPlain) return null;
  return unionOf(unionMembers(type).filter((one) => wanted.has(sameness(one)) === isKept));
}

const isNull = (type: ValueType): boolean => isNamed(type, "null") || isNamed(type, "undefined");

function intersection(types: readonly ValueType[]): ValueType | null {
  let all: readonly ValueType[] | null = null;
  for (const type of types) {
    const next = unionMembers(type);
    if (all === null) all = next;
    else if (all.length * next.length > MOST) return null;
    else all = all.flatMap((one) => next.flatMap((other) => both(one, other) ?? []));
  }
  return all === null || all.length === 0 ? null : unionOf(all);
}

/** A text or number with fields is a branded one: the fields are nowhere but in the type. */
function both(one: ValueType, other: ValueType): ValueType | null {
  if (sameness(one) === sameness(other)) return one;
  if (one.kind === "fields" && other.kind === "fields")
    return { kind: "fields", fields: mergedFields(one.fields, other.fields) };
  if (one.kind === "fields" || other.kind === "fields") return one.kind === "fields" ? other : one;
  if (one.kind === "literal" && sameness(primitiveOf(one.value)) === sameness(other)) return one;
  if (other.kind === "literal" && sameness(primitiveOf(other.value)) === sameness(one)) return other;
  if (isNamed(one, "any")) return other;
  return isNamed(other, "any") ? one : null;
}

function mergedFields(one: readonly Field[], other: readonly Field[]): Field[] {
  const merged = new Map(one.map((field) => [field.name, field]));
  for (const field of other) {
    const known = merged.get(field.name);
    merged.set(field.name, known === undefined ? field : bothFields(known, field));
  }
  return [...merged.values()];
}

function bothFields(one: Field, other: Field): Field {
  const type = both(one.type, other.type) ?? named("intersection", one.type, other.type);
  return { ...one, ...other, type, isOptional: one.isOptional && other.isOptional };
}
