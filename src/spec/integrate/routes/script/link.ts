import type { Resolve } from "../../modules.ts";
import { reasons } from "../../reasons.ts";
import { METHODS } from "./adding.ts";
import { evaluate, stepped } from "./evaluate.ts";
import type { Chain, Expr, ScriptRouteFacts } from "./facts.ts";
import { give } from "./give.ts";
import { exported, itemsOf, valuesInside } from "./member.ts";
import {
  type Found,
  type Framework,
  type MethodCall,
  NO_TURNS,
  type Place,
  placeIn,
  type Router,
  type ScriptModule,
  type Turns,
  type Value,
  type ValueKind,
  type Values,
  type World,
} from "./world.ts";

/** Calls lead to calls: functions get routers that other functions made. Nothing that people write needs more. */
const MOST_ROUNDS = 10;

/** Goes through all calls of all files, until it is known what every function is called with. */
export function explore(
  modules: ReadonlyMap<string, ScriptModule>,
  resolve: Resolve,
  frameworks: readonly Framework[],
): World {
  const all = relevantFiles(modules, resolve, (from) => frameworks.some((one) => one.packages.test(from)));
  const relevant = [...modules].filter(([file]) => all.has(file));
  const kept = {
    ...{ modules, resolve, frameworks },
    routing: new Map(relevant.map(([file, { facts }]) => [file, routingFunctions(facts)])),
    given: new Map<string, Value[]>(),
    routers: new Map<string, Router>(),
  };
  for (let round = 1; ; round++) {
    const world = newWorld(kept);
    const before = sizeOf(kept.given);
    for (const [file, { facts }] of relevant) walkFile(world, file, facts);
    if (sizeOf(kept.given) === before || round === MOST_ROUNDS) return world;
  }
}

function walkFile(world: World, file: string, { calls, exports }: ScriptRouteFacts): void {
  for (const chain of calls)
    for (const turns of turnsAround(world, file, chain.scope)) walk(world, chain, { file, turns, depth: 0 });
  for (const value of exports.values()) noteServed(world, world.evaluate(value, placeIn(file)), "exported");
}

function sizeOf(given: ReadonlyMap<string, Values>): number {
  return [...given.values()].reduce((sum, { length }) => sum + length, 0);
}

function newWorld(parts: Omit<World, "known" | "found" | "evaluate">): World {
  const found: Found = { routes: [], unclear: [], mounts: [], served: new Set() };
  const world: World = {
    ...parts,
    known: new WeakMap(),
    found,
    evaluate: (expr, at) => evaluate(world, expr, at),
  };
  return world;
}

/** A chain, step by step: each call in it does what it does. */
function walk(world: World, { base, steps }: Chain, at: Place): void {
  let values = world.evaluate(base, at);
  let line: number | null = null;
  let lastPath: Expr | null = null;
  for (const step of steps) {
    if (step.kind === "call") {
      const performed = { call: step, at, line: line ?? step.line, lastPath };
      for (const callee of values) perform(world, callee, performed);
      if (values.every(({ kind }) => kind === "unknown")) noteHandedOver(world, performed);
      const first = step.arguments[0];
      if (first !== undefined && first.kind !== "function") lastPath = first;
    } else line = step.line;
    values = stepped(world, values, step, at);
    if (step.kind !== "call") noteServed(world, values, "exported");
  }
}

/** `register(app)`, and nobody knows what `register` is: routes may be added there. */
function noteHandedOver(world: World, { call, at, line }: Performed): void {
  const given = call.arguments.flatMap((one) => world.evaluate(one, at));
  for (const router of new Set(given.flatMap((one) => (one.kind === "router" ? [one.id] : [])))) {
    const why = reasons.passedRouter;
    world.found.unclear.push({ router, file: at.file, line, why, head: "" });
  }
}

/** `container.resolve(UserRoutes).register(app)`: what a package gives may be something of the project. */
function isOfContainer({ names }: ValueKind<"foreign">): boolean {
  return (
    names.slice(0, -1).includes("()") &&
    /rout|regist|mount|bind|attach|endpoint|controller/i.test(names.at(-1) ?? "")
  );
}

type Performed = Pick<MethodCall, "call" | "at" | "line" | "lastPath">;

function perform(world: World, callee: Value, performed: Performed): void {
  const { call, at } = performed;
  switch (callee.kind) {
    case "method":
      performMethod(world, callee, performed);
      return;
    case "function":
    case "class":
      give(world, callee, call, at);
      return;
    case "module":
      for (const one of exported(world, callee.file, "default", at.depth)) give(world, one, call, at);
      return;
    case "foreign":
      for (const one of call.arguments) noteServed(world, world.evaluate(one, at), "handed out");
      if (isOfContainer(callee)) noteHandedOver(world, performed);
      return;
  }
}

function performMethod(world: World, { of, name }: ValueKind<"method">, performed: Performed): void {
  const id = of.kind === "router" ? of.id : of.kind === "spot" ? of.router : null;
  const router = id === null ? undefined : world.routers.get(id);
  const spot = of.kind === "spot" ? of : null;
  router?.framework.perform(world, { router, name, ...performed, spot });
}

/** `app.fetch` and its like are taken by who serves it; a package that is handed the whole app serves it, too. */
function noteServed(world: World, values: Values, how: "exported" | "handed out"): void {
  for (const value of [...values, ...valuesInside(world, values)]) {
    if (value.kind === "router" && how === "handed out") world.found.served.add(value.id);
    if (value.kind !== "method" || value.of.kind !== "router") continue;
    const { framework } = world.routers.get(value.of.id) ?? {};
    if (framework?.serves.test(value.name)) world.found.served.add(value.of.id);
  }
}

/** Lists of routers that people write are shorter. */
const MOST_TURNS = 200;

/** Every turn of the loops around a place; one without any where it is in none, or what they go through cannot be seen. */
function turnsAround(world: World, file: string, scope: number): readonly Turns[] {
  let all: readonly Turns[] = [NO_TURNS];
  for (const { key, list } of loopsAround(world, file, scope)) {
    all = all.flatMap((turns): readonly Turns[] => {
      const lists = world.evaluate(list, { file, turns, depth: 0 }).map((one) => itemsOf(world, one));
      const items = lists.length === 1 ? lists[0] : null;
      if (items == null) return [turns];
      return items.map((item) => new Map([...turns, [key, item]]));
    });
    if (all.length > MOST_TURNS) return [NO_TURNS];
  }
  return all;
}

type Loop = { readonly key: string; readonly list: Expr };

/** The outermost first. */
function loopsAround(world: World, file: string, scope: number): readonly Loop[] {
  const facts = world.modules.get(file)?.facts;
  const found: Loop[] = [];
  for (let i = scope; i >= 0; i = facts?.scopes[i]?.parent ?? -1) {
    const here = facts?.scopes[i];
    if (here?.list != null) found.push({ key: `${file} ${i}`, list: here.list });
    const list = here?.ofFunction == null ? undefined : facts?.loops.get(here.ofFunction);
    if (list !== undefined) found.push({ key: `${file} f${here?.ofFunction}`, list });
  }
  return found.reverse();
}

/**
 * Files whose calls can make a route, or bring a router to where one is made: those that use a framework, or call something as one
 * calls a router, and all that import them. The others are looked at only where a name leads there.
 */
function relevantFiles(
  modules: ReadonlyMap<string, ScriptModule>,
  resolve: Resolve,
  isPackage: (from: string) => boolean,
): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  const found = new Set<string>();
  for (const [file, { facts, imports }] of modules) {
    const all = new Set([...imports.map(({ from }) => from), ...facts.required.keys()]);
    for (const from of all) {
      const target = resolve(from, file);
      if (target !== null) importers.set(target, [...(importers.get(target) ?? []), file]);
      else if (isPackage(from)) found.add(file);
    }
    if (facts.calls.some(isRouting)) found.add(file);
  }
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer); // a set goes on while it grows
  return found;
}

/** Functions inside of which something is called as one calls a router: what they are told may be part of a route. */
function routingFunctions({ calls, scopes, classes }: ScriptRouteFacts): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { scope } of calls.filter(isRouting)) {
    for (let at = scopes[scope]; at !== undefined; at = scopes[at.parent]) {
      if (at.ofFunction !== null) found.add(at.ofFunction);
      const own = at.ofClass === null ? undefined : classes.get(at.ofClass);
      for (const { fn } of own?.methods.values() ?? []) found.add(fn);
    }
  }
  return found;
}

/** How many arguments such a call has at least; those with fewer stand in a chain with one of these. */
const FEWEST: Readonly<Record<string, number>> = {
  ...{ use: 1, route: 1, register: 1, basePath: 1, openapi: 2, mount: 2, all: 2, on: 3 },
};

function isRouting({ steps }: Chain): boolean {
  return steps.some((step, i) => {
    const next = steps[i + 1];
    if (next?.kind !== "call" || step.kind === "call") return false;
    const name = step.kind === "member" ? step.name : "";
    const fewest = METHODS.test(name) || step.kind === "index" ? 2 : FEWEST[name];
    return fewest !== undefined && next.arguments.length >= fewest;
  });
}
