import type { Resolve } from "../modules.ts";
import { reasons } from "../reasons.ts";
import { type Found, type TypeModules, typeFinder } from "./find-type.ts";
import { NOWHERE, withArguments } from "./script/operators.ts";
import type { DeclaredShape, Field, TypeShape, ValueType } from "./shape.ts";
import { literalsOf, unionOf } from "./value-types.ts";

/**
 * A type with what it takes from others, wherever these are. Names of types of the project are keys there, `app/models.py#Category`,
 * so that they mean the same in whichever file they are read.
 */
export type LinkedType = {
  readonly key: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly sort: string;
  readonly home: string | null;
  readonly hasNameRule: boolean;
  readonly shape: TypeShape;
};

export type LinkedTypes = {
  /** As they are declared, in the order of files. */
  readonly declarations: readonly Declaration[];
  readonly linked: (declaration: Declaration) => LinkedType;
  readonly byKey: (key: string) => LinkedType | null;
  /** What a name in a file stands for. */
  readonly find: (name: string, file: string) => LinkedType | null;
  /** Without other names of types: what they stand for. */
  readonly expanded: (type: ValueType) => ValueType;
  /** With other names followed: what the type is in the end. */
  readonly effective: (type: LinkedType) => LinkedType;
};

export type Declaration = { readonly file: string; readonly type: DeclaredShape };

/** What a language can make of types, once all of them can be seen: `Omit<Order, "id">`. */
export type Operate = (type: ValueType, known: (name: string) => ValueType | null) => ValueType;

/** As long a way as other names, or bases, may go. */
const FURTHEST = 20;

export function linkTypes(modules: TypeModules, resolve: Resolve, operate: Operate): LinkedTypes {
  const find = typeFinder(modules, resolve);
  const declarations = [...modules].flatMap(([file, { types }]) =>
    types.types.map((type) => ({ file, type })),
  );
  const byKey = new Map<string, Declaration>();
  for (const one of declarations) if (!byKey.has(keyOf(one))) byKey.set(keyOf(one), one);
  const done = new Map<Declaration, LinkedType>();
  const begun = new Set<Declaration>();

  const linked = (declaration: Declaration): LinkedType => {
    const known = done.get(declaration);
    if (known !== undefined) return known;
    begun.add(declaration);
    const { file, type } = declaration;
    const bases = type.bases.map((base, i) => {
      const args = (type.baseArguments?.[i] ?? []).map((arg) => absolute(arg, file));
      const found = baseOf(find(base, file));
      return { base, linked: found === null ? null : { ...found, shape: shapeWith(found.shape, args) } };
    });
    const here = { key: keyOf(declaration), name: type.name, file, line: type.line, home: type.home ?? null };
    const made: LinkedType = { ...here, ...withBases(declaration, bases, absolute) };
    begun.delete(declaration);
    done.set(declaration, made);
    return made;
  };
  /** A type that is its own base, by whatever way, has none. */
  const baseOf = (found: Found): LinkedType | null => {
    const declaration = found.kind === "declared" ? byKey.get(`${found.file}#${found.name}`) : undefined;
    return declaration === undefined || begun.has(declaration) || begun.size > FURTHEST
      ? null
      : effective(linked(declaration));
  };
  const absolute = (type: ValueType, file: string): ValueType =>
    withKeys(type, (name) => keyIn(find(name, file)));
  const get = (key: string) => {
    const declaration = byKey.get(key);
    return declaration === undefined || begun.has(declaration) ? null : linked(declaration);
  };
  const { expanded, effective } = following(get, operate);
  return {
    ...{ declarations, linked, byKey: get, expanded, effective },
    find: (name, file) => {
      const found = find(name, file);
      return found.kind === "declared" ? get(`${found.file}#${found.name}`) : null;
    },
  };
}

const keyOf = ({ file, type }: Declaration) => `${file}#${type.name}`;
const keyIn = (found: Found) => (found.kind === "declared" ? `${found.file}#${found.name}` : found.name);

/** Where other names lead. What goes round in a circle is left as it is after some rounds. */
function following(get: (key: string) => LinkedType | null, operate: Operate) {
  const known = (name: string): ValueType | null => {
    const shape = get(name)?.shape;
    if (shape === undefined || shape.kind === "unknown") return null;
    if (shape.kind === "alias") return shape.type;
    if (shape.kind === "values") return unionOf(shape.values.map((value) => ({ kind: "literal", value })));
    return shape.more === null ? { kind: "fields", fields: shape.fields } : null;
  };
  const kept = new Map<string, ValueType>();
  const expanded = (type: ValueType, steps = 0): ValueType => {
    if (steps > FURTHEST) return type;
    if (type.kind === "union") return unionOf(type.of.map((one) => expanded(one, steps + 1)));
    if (type.kind !== "name") return type;
    const shape = get(type.name)?.shape;
    if (shape?.kind === "alias" && type.args.length > 0)
      return expanded(withArguments(shape.type, type.args), steps + 1);
    if (shape?.kind === "alias") {
      const found = kept.get(type.name) ?? expanded(shape.type, steps + 1);
      kept.set(type.name, found);
      return found;
    }
    const operated = operate(type, known);
    return operated === type ? type : expanded(operated, steps + 1);
  };
  const effective = (type: LinkedType, steps = 0): LinkedType => {
    if (type.shape.kind !== "alias" || steps > FURTHEST) return type;
    const meant = expanded(type.shape.type);
    const other = meant.kind === "name" ? get(meant.name) : null;
    if (other !== null && meant.kind === "name")
      return effective({ ...other, shape: shapeWith(other.shape, meant.args) }, steps + 1);
    return { ...type, shape: placed(shapeOf(meant), type.line) };
  };
  return { expanded: (type: ValueType) => expanded(type), effective: (type: LinkedType) => effective(type) };
}

/** A type with parameters, as it is where it is used. */
export function shapeWith(shape: TypeShape, args: readonly ValueType[]): TypeShape {
  if (shape.kind === "alias") return { kind: "alias", type: withArguments(shape.type, args) };
  if (shape.kind !== "fields" || args.length === 0) return shape;
  const fields = shape.fields.map((field) => ({ ...field, type: withArguments(field.type, args) }));
  return { ...shape, fields };
}

function placed(shape: TypeShape, line: number): TypeShape {
  if (shape.kind !== "fields" || shape.fields.every((field) => field.line !== NOWHERE)) return shape;
  return { ...shape, fields: shape.fields.map((field) => ({ ...field, line: field.line || line })) };
}

function shapeOf(type: ValueType): TypeShape {
  if (type.kind === "fields") return { kind: "fields", fields: type.fields, more: null };
  const values = literalsOf(type);
  return values === null ? { kind: "alias", type } : { kind: "values", values };
}

/** Names of types/shape.ts that mean the same everywhere. No project calls its own types so. */
const EVERYWHERE = new Set(
  (
    "string integer number boolean null undefined never bytes any object datetime date time duration decimal uuid " +
    "list set map tuple function symbol type ..."
  ).split(" "),
);

export const isEverywhere = (name: string): boolean => EVERYWHERE.has(name);
export const isKey = (name: string): boolean => name.includes("#");

const DEEPEST = 40;

function withKeys(type: ValueType, keyed: (name: string) => string, depth = 0): ValueType {
  if (depth > DEEPEST) return { kind: "unknown", text: "…" };
  const inner = (one: ValueType) => withKeys(one, keyed, depth + 1);
  switch (type.kind) {
    case "name":
      return {
        kind: "name",
        name: EVERYWHERE.has(type.name) ? type.name : keyed(type.name),
        args: type.args.map(inner),
      };
    case "union":
      return unionOf(type.of.map(inner));
    case "fields":
      return { kind: "fields", fields: type.fields.map((field) => ({ ...field, type: inner(field.type) })) };
    default:
      return type;
  }
}

type Base = { readonly base: string; readonly linked: LinkedType | null };

/** The fields of bases, the last one first, and over them its own. */
function withBases(
  { file, type }: Declaration,
  bases: readonly Base[],
  absolute: (type: ValueType, file: string) => ValueType,
): Pick<LinkedType, "shape" | "sort" | "hasNameRule"> {
  const { shape } = type;
  const hasNameRule = type.hasNameRule === true || bases.some(({ linked }) => linked?.hasNameRule === true);
  const sorts = bases.flatMap(({ linked }) =>
    linked === null || linked.sort === "class" ? [] : [linked.sort],
  );
  const sort = type.sort === "class" ? (sorts[0] ?? "class") : type.sort;
  const enums = bases.flatMap(({ linked }) => (linked?.shape.kind === "values" ? [linked.shape.values] : []));
  if (enums.length > 0 && shape.kind === "fields")
    return {
      ...{ sort, hasNameRule },
      shape: { kind: "values", values: [...new Set([...enums.flat(), ...(type.members ?? [])])] },
    };
  if (shape.kind === "alias")
    return { sort, hasNameRule, shape: { kind: "alias", type: absolute(shape.type, file) } };
  if (shape.kind !== "fields") return { sort, hasNameRule, shape };
  const own = shape.fields.map((field) => ({ file, ...field, type: absolute(field.type, file) }));
  const taken = bases
    .toReversed()
    .flatMap(({ linked }) => (linked?.shape.kind === "fields" ? linked.shape.fields : []));
  const more = shape.more ?? bases.map(moreOf).find((why) => why !== null) ?? null;
  const fields = overlaid(taken, own).map((field) =>
    hasNameRule ? { ...field, isCalledByRule: true } : field,
  );
  return { sort, hasNameRule, shape: { kind: "fields", fields, more } };
}

/** A key that is only added where there is none does not hide one that is written in a base. */
function overlaid(taken: readonly Field[], own: readonly Field[]): Field[] {
  const byName = new Map(taken.map((field) => [field.name, field]));
  for (const field of own) {
    const known = byName.get(field.name);
    if (known === undefined || known.isImplied === true || field.isImplied !== true)
      byName.set(field.name, field);
  }
  return [...byName.values()];
}

function moreOf({ base, linked }: Base): string | null {
  if (linked === null) return reasons.unknownBase(base);
  if (linked.shape.kind === "unknown") return reasons.unreadBase(base, linked.shape.why);
  return linked.shape.kind === "fields" ? linked.shape.more : null;
}
