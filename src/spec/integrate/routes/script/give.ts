import type { Call } from "./facts.ts";
import { single, valuesInside } from "./member.ts";
import { keyOf, NOTHING, type Place, placeIn, type Value, type Values, type World } from "./world.ts";

/** More are never told apart. */
const MOST_VALUES = 24;

/** What a function, or the constructor of a class, is called with. */
export function give(world: World, callee: Value, call: Call, at: Place): void {
  if (callee.kind !== "function" && callee.kind !== "class") return;
  const target = callee.kind === "class" ? constructorOf(world, callee) : callee;
  if (target === null) return;
  const fn = world.modules.get(target.file)?.facts.functions.get(target.id);
  const isRouting = world.routing.get(target.file)?.has(target.id) === true;
  const spread = call.arguments.findIndex(({ kind }) => kind === "spread");
  fn?.parameters.forEach(({ fallback }, index) => {
    const given = spread !== -1 && index >= spread ? undefined : call.arguments[index];
    const left = fallback === null ? [NOTHING] : world.evaluate(fallback, placeIn(target.file));
    const values = given === undefined ? left : world.evaluate(given, at);
    if (isRouting || values.some((one) => hasRouter(world, one)))
      giveOne(world, { ...target, index }, values);
  });
}

/** Others only pass on what they are told: of that, routers count. */
function hasRouter(world: World, value: Value): boolean {
  if (value.kind === "router") return true;
  return valuesInside(world, [value]).some(({ kind }) => kind === "router");
}

type Target = { readonly file: string; readonly id: number };

type Parameter = Target & { readonly index: number };

/** Adds values that a parameter is known to get. */
export function giveOne({ given }: World, { file, id, index }: Parameter, values: Values): void {
  const key = `${file} ${id} ${index}`;
  const known = given.get(key) ?? [];
  const keys = new Set(known.map(keyOf));
  const fresh = values.filter((one) => !keys.has(keyOf(one)));
  if (known.length < MOST_VALUES) given.set(key, [...known, ...fresh]);
}

const DEEPEST = 10;

/** Its own, or that of what it extends. */
function constructorOf(world: World, { file, id }: Target, depth = 0): Target | null {
  const found = world.modules.get(file)?.facts.classes.get(id);
  const own = found?.methods.get("constructor");
  if (own !== undefined) return { file, id: own.fn };
  if (found?.base == null || depth > DEEPEST) return null;
  const base = single(world.evaluate(found.base, placeIn(file)));
  return base.kind === "class" ? constructorOf(world, base, depth + 1) : null;
}
