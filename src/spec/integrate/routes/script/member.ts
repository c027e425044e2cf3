import type { Import } from "../../../../syntax/imports.ts";
import type { Expr, ExprKind, Scope } from "./facts.ts";
import {
  addRouter,
  type Extending,
  NOTHING,
  type OfClass,
  type Place,
  placeIn,
  type Router,
  type Value,
  type ValueKind,
  type Values,
  type World,
} from "./world.ts";

/** Files and classes that lead to each other in a ring would never end. */
const DEEPEST = 40;

/** `value.name`, `value[0]`; a name that is computed is null. */
export function memberOf(world: World, value: Value, name: string | number | null, at: Place): Values {
  switch (value.kind) {
    case "router":
    case "spot":
    case "function":
      return [{ kind: "method", of: value, name: name === null ? COMPUTED : `${name}` }];
    case "foreign":
      return [{ ...value, names: [...value.names, `${name ?? COMPUTED}`], made: null }];
    case "module":
      return typeof name === "string" ? exported(world, value.file, name, at.depth) : [NOTHING];
    case "class":
    case "instance":
      return typeof name === "string" ? classMember(world, value, name, at.depth) : [NOTHING];
    case "values":
    case "literal":
      return part(world, value, name, at.depth);
    default:
      return [NOTHING];
  }
}

/** A name that no method has. */
export const COMPUTED = "[…]";

function part(
  world: World,
  value: ValueKind<"values" | "literal">,
  name: string | number | null,
  depth: number,
): Values {
  if (typeof name === "number") return [itemsOf(world, value, depth)?.[name] ?? NOTHING];
  if (value.kind === "literal" && value.of.kind === "object" && name !== null) {
    const field = value.of.fields.get(name);
    return field === undefined ? [NOTHING] : world.evaluate(field, deeper(value.at, depth));
  }
  return [NOTHING];
}

/** However deep the value was met, whoever looks into it is deeper. */
function deeper(at: Place, depth: number): Place {
  return { ...at, depth: Math.max(at.depth, depth) + 1 };
}

/** Each of a list; null where it is none, or cannot be seen. */
export function itemsOf(world: World, value: Value, depth = 0): Values | null {
  if (value.kind === "values") return value.of;
  if (value.kind !== "literal" || value.of.kind !== "list" || depth > DEEPEST) return null;
  const at = deeper(value.at, depth);
  return value.of.of.flatMap((item): Values => {
    if (item.kind !== "spread") return [single(world.evaluate(item, at))];
    const inside = world.evaluate(item.of, at).map((one) => itemsOf(world, one, at.depth));
    return inside.length === 1 ? (inside[0] ?? [NOTHING]) : [NOTHING];
  });
}

/** An object that is written out, with where its fields are looked at; null where it is none, or one of several. */
export function objectIn(values: Values): ObjectValue | null {
  const value = single(values);
  return value.kind === "literal" && value.of.kind === "object" ? { ...value.of, at: value.at } : null;
}

/** The same for an expression, where there is one. */
export function objectAt(world: World, expr: Expr | undefined, at: Place): ObjectValue | null {
  return expr === undefined ? null : objectIn(world.evaluate(expr, at));
}

/** All that the fields of an object stand for. */
export function valuesInside(world: World, values: Values): Values {
  const object = objectIn(values);
  return object === null ? [] : [...object.fields.values()].flatMap((one) => world.evaluate(one, object.at));
}

/** What stands under these names, one in the other. */
export function objectUnder(world: World, from: ObjectValue | null, ...names: string[]): ObjectValue | null {
  return names.reduce((at, name) => at && objectAt(world, at.fields.get(name), at.at), from);
}

/** The one value of a field; null where the object does not have it. */
export function valueUnder(world: World, object: ObjectValue | null, name: string): Value | null {
  const field = object?.fields.get(name);
  return object === null || field === undefined ? null : single(world.evaluate(field, object.at));
}

export type ObjectValue = ExprKind<"object"> & { readonly at: Place };

export function single(values: Values): Value {
  return (values.length === 1 ? values[0] : undefined) ?? NOTHING;
}

/** A field or method, its own or of what it extends. */
function classMember(world: World, { file, id }: OfClass, name: string, depth: number): Values {
  const facts = world.modules.get(file)?.facts;
  const found = facts?.classes.get(id);
  const at = placeIn(file, depth + 1);
  const all = (exprs: readonly Expr[]) => exprs.flatMap((one) => world.evaluate(one, at));
  const field = found?.fields.get(name);
  if (field !== undefined && field.length > 0) return all(field);
  const method = found?.methods.get(name);
  if (method?.isGetter) return all(facts?.functions.get(method.fn)?.returns ?? []);
  if (method !== undefined) return [{ kind: "function", file, id: method.fn }];
  if (found?.base == null || depth > DEEPEST) return [NOTHING];
  const bases = world.evaluate(found.base, at);
  return bases.flatMap((base) =>
    base.kind === "class"
      ? classMember(world, base, name, depth + 1).map((one) => ofOwn(world, one, { own: { file, id }, base }))
      : [NOTHING],
  );
}

/** A router that a class makes for itself is another one in each class that extends it. */
export function ofOwn(world: World, value: Value, extending: Extending): Value {
  const { own, base } = extending;
  if (value.kind === "function") return { ...value, through: [...(value.through ?? []), extending] };
  const router = value.kind === "router" ? world.routers.get(value.id) : undefined;
  const isOfBase = (scope: Scope) => scope.ofClass === base.id;
  if (router === undefined || !isMadeInside(world, router, base.file, isOfBase)) return value;
  const scope =
    world.modules.get(own.file)?.facts.scopes.findIndex(({ ofClass }) => ofClass === own.id) ?? -1;
  return copied(world, router, { key: `${own.file} c${own.id}`, made: { file: own.file, scope } });
}

type ImportedName = Pick<Import, "from" | "imported">;

/** What an import stands for: something of another file, or of a package. */
export function imported(world: World, { from, imported: name }: ImportedName, at: Place): Values {
  const target = world.resolve(from, at.file);
  if (target !== null) return exported(world, target, name, at.depth);
  if (/^[./]/.test(from)) return [NOTHING];
  return [{ kind: "foreign", from, names: [name ?? "*"], made: null }];
}

/** `name` is null for the module itself. */
export function exported(world: World, file: string, name: string | null, depth: number): Values {
  const module = world.modules.get(file);
  if (module === undefined || depth > DEEPEST) return [NOTHING];
  const at = placeIn(file, depth + 1);
  const { exports } = module.facts;
  const whole = exports.get("=");
  if (name === null) return whole === undefined ? [{ kind: "module", file }] : world.evaluate(whole, at);
  const own = exports.get(name);
  if (own !== undefined) return world.evaluate(own, at);
  const handedOn = module.imports.find(({ isExported, local }) => isExported && local === name);
  if (handedOn !== undefined) return imported(world, handedOn, at);
  if (whole !== undefined) {
    const all = world.evaluate(whole, at);
    return name === "default" ? all : all.flatMap((one) => memberOf(world, one, name, at));
  }
  for (const { isExported, local, imported: what, from } of module.imports) {
    const isStar = isExported && local === null && what === "*" && name !== "default";
    const target = isStar ? world.resolve(from, file) : null;
    const values = target === null ? [] : exported(world, target, name, at.depth);
    if (values.some(({ kind }) => kind !== "unknown")) return values;
  }
  return [NOTHING];
}

/** Every name that a file exports, its own and those that it hands on. */
export function exportedNames(world: World, file: string, depth = 0): readonly string[] {
  const module = world.modules.get(file);
  if (module === undefined || depth > DEEPEST_STARS) return [];
  const handedOn = module.imports
    .filter(({ isExported }) => isExported)
    .flatMap(({ local, imported, from }) => {
      if (local !== null) return [local];
      const target = imported === "*" ? world.resolve(from, file) : null;
      return target === null
        ? []
        : exportedNames(world, target, depth + 1).filter((one) => one !== "default");
    });
  return [...new Set([...module.facts.exports.keys(), ...handedOn])].filter((name) => name !== "=");
}

const DEEPEST_STARS = 5;

/** Functions that lead back to themselves would make longer and longer names. */
const LONGEST = 1000;
const DEEPEST_COPY = 5;

/** `key` says which one it is; `made` where it is made. */
type Copy = { readonly key: string; readonly made: Router["made"] };

/** Another router, which has all that is added to this one. */
export function copied(world: World, router: Router, copy: Copy, depth = 0): Value {
  const { key, made } = copy;
  const id = `${key} < ${router.id}`;
  if (id.length > LONGEST || depth > DEEPEST_COPY) return { kind: "router", id: router.id };
  const under = router.base === null ? undefined : world.routers.get(router.base.router);
  if (router.base === null || under === undefined)
    return addRouter(world, { ...router, id, made, copyOf: router.id });
  // Under a prefix it is still the same app: of that, there is another one.
  const whole = copied(world, under, copy, depth + 1);
  const base = whole.kind === "router" ? { ...router.base, router: whole.id } : router.base;
  return addRouter(world, { ...router, id, made, base });
}

/** Whether the call that makes it stands in a certain function or class. */
export function isMadeInside(
  { modules }: World,
  { made }: Router,
  file: string,
  isIt: (scope: Scope) => boolean,
): boolean {
  const scopes = made?.file === file ? modules.get(file)?.facts.scopes : undefined;
  let here = made === null ? undefined : scopes?.[made.scope];
  while (here !== undefined && !isIt(here)) here = scopes?.[here.parent];
  return here !== undefined;
}
