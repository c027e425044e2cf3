import type { Import } from "../../../../syntax/imports.ts";
import type { Resolve } from "../../modules.ts";
import {
  type Binding,
  type ClassFact,
  type FunctionFact,
  insideOf,
  type Parameter,
  type PythonRouteFacts,
} from "./facts.ts";

export type PythonModule = { readonly facts: PythonRouteFacts; readonly imports: readonly Import[] };

/** Where a name is used: which one is meant depends on it. */
export type Place = { readonly path: string; readonly scope: string; readonly line: number };

/** What a name stands for. `rest` are the attributes behind it of which nothing is known: `urls` of `router.urls`. */
export type Found = { readonly path: string; readonly rest: readonly string[] } & (
  | { readonly kind: "binding"; readonly binding: Binding; readonly all: readonly Binding[] }
  | { readonly kind: "function"; readonly fact: FunctionFact }
  | { readonly kind: "class"; readonly fact: ClassFact }
  | { readonly kind: "parameter"; readonly of: FunctionFact; readonly parameter: Parameter }
  | { readonly kind: "module" }
  /** Of a package, with its full name: `fastapi.APIRouter`, and no rest. */
  | { readonly kind: "outside"; readonly name: string }
  | { readonly kind: "unknown"; readonly name: string }
);

export type Lookup = (name: string, place: Place) => Found;

/** Imports of imports, and never a circle for ever. */
const DEEPEST = 20;
const MOST_STEPS = 500;

/** Names over all files of a project, as Python would find them without running anything. */
export function lookupIn(modules: ReadonlyMap<string, PythonModule>, resolve: Resolve): Lookup {
  const indices = new Map<string, ModuleIndex>();
  const indexAt = (path: string): ModuleIndex | null => {
    const module = modules.get(path);
    if (module === undefined) return null;
    const known = indices.get(path) ?? indexOf(module.facts);
    indices.set(path, known);
    return known;
  };

  let steps = 0; // of one question
  const look: Lookup = (name, place) => {
    steps = 0;
    let found = first(name, place);
    // `module.router`, where `module` is one more name for another.
    for (let i = 0; i < DEEPEST && found.kind === "binding" && found.rest.length > 0; i += 1) {
      const { value, scope, line } = found.binding;
      if (value.kind !== "name") break;
      found = first([value.name, ...found.rest].join("."), { path: found.path, scope, line: line - 1 });
    }
    return found;
  };

  const first: Lookup = (name, place) => {
    const index = indexAt(place.path);
    if (index === null) return unknown(name, place.path);
    const names = name.split(".");
    const own = ofSelf(names, place, index) ?? inScopes(names, place, index);
    const isEmpty =
      own?.kind === "binding" && own.binding.value.kind === "constant" && own.binding.scope === "";
    if (own !== null && !isEmpty) return own;
    return imported(names, place.path, 0) ?? own ?? unknown(name, place.path);
  };

  const imported = (steps: readonly string[], path: string, depth: number): Found | null => {
    const imports = modules.get(path)?.imports ?? [];
    const longest = steps
      .map((_, i) => steps.slice(0, steps.length - i).join("."))
      .map((local) => ({ local, one: imports.findLast((one) => one.local === local) }))
      .find(({ one }) => one !== undefined);
    if (longest?.one !== undefined) {
      const rest = steps.slice(longest.local.split(".").length);
      return follow(longest.one, { path, rest, depth });
    }
    for (const star of imports.filter(({ imported }) => imported === "*")) {
      const file = resolve(star.from, path);
      const found = file === null || depth > DEEPEST ? null : attribute(steps, file, depth + 1);
      if (found !== null) return found;
    }
    return null;
  };

  const follow = (
    { imported: name, from }: Import,
    { path, rest, depth }: { path: string; rest: readonly string[]; depth: number },
  ): Found => {
    const steps = name === null ? rest : [name, ...rest];
    const outside = { kind: "outside", name: [from, ...steps].join("."), path, rest: [] } as const;
    if (depth > DEEPEST) return outside;
    const file = resolve(from, path);
    if (file !== null && file !== path)
      return inModule(steps, { file, from, importer: path, depth }) ?? outside;
    const below = submodule(from, steps, path);
    return below === null ? outside : (inModule(below.rest, { ...below, importer: path, depth }) ?? outside);
  };

  /** A module and what is in it: a name there, or a module below it. */
  const inModule = (
    steps: readonly string[],
    { file, from, importer, depth }: { file: string; from: string; importer: string; depth: number },
  ): Found | null => {
    if (steps.length === 0) return { kind: "module", path: file, rest: [] };
    const found = attribute(steps, file, depth + 1);
    if (found !== null) return found;
    const below = submodule(from, steps, importer);
    if (below !== null && below.file !== file)
      return inModule(below.rest, { ...below, importer, depth: depth + 1 });
    return modules.has(file) ? { kind: "unknown", name: steps.join("."), path: file, rest: [] } : null;
  };

  const submodule = (from: string, steps: readonly string[], importer: string) => {
    const [first, ...rest] = steps;
    if (first === undefined) return null;
    const name = from.endsWith(".") ? `${from}${first}` : `${from}.${first}`;
    const file = resolve(name, importer);
    return file === null ? null : { file, from: name, rest };
  };

  const attribute = (names: readonly string[], path: string, depth: number): Found | null => {
    const index = indexAt(path);
    steps += 1;
    if (index === null || depth > DEEPEST || steps > MOST_STEPS) return null;
    const own = inScope(names, { path, scope: "", line: Number.POSITIVE_INFINITY }, index);
    const isEmpty = own?.kind === "binding" && own.binding.value.kind === "constant";
    return own !== null && !isEmpty ? own : (imported(names, path, depth) ?? own);
  };

  return look;
}

type Named = { bindings: Binding[]; fact: FunctionFact | ClassFact | null };
type ModuleIndex = {
  /** By scope and name. */
  readonly names: ReadonlyMap<string, Named>;
  readonly functions: ReadonlyMap<string, FunctionFact>;
  readonly classes: ReadonlyMap<string, ClassFact>;
};

function indexOf({ bindings, functions, classes }: PythonRouteFacts): ModuleIndex {
  const names = new Map<string, Named>();
  const at = (scope: string, name: string) => {
    const key = `${scope}:${name}`;
    const known = names.get(key) ?? { bindings: [], fact: null };
    names.set(key, known);
    return known;
  };
  for (const one of bindings) if (!one.isAdded) at(one.scope, one.name).bindings.push(one);
  for (const one of [...functions, ...classes]) at(one.scope, one.name).fact = one;
  return {
    names,
    functions: new Map(functions.map((one) => [insideOf(one), one])),
    classes: new Map(classes.map((one) => [insideOf(one), one])),
  };
}

/** From the innermost function outwards. What stands in a class is known by its bare name in the class itself only. */
function inScopes(steps: readonly string[], place: Place, index: ModuleIndex): Found | null {
  for (let scope = place.scope; ; scope = outer(scope)) {
    const isSkipped = scope !== place.scope && index.classes.has(scope);
    // Seen from inside of a function, all that is around it has happened.
    const line = scope === place.scope ? place.line : Number.POSITIVE_INFINITY;
    const found = isSkipped ? null : inScope(steps, { ...place, scope, line }, index);
    if (found !== null) return found;
    if (scope === "") return null;
  }
}

function inScope(steps: readonly string[], { path, scope, line }: Place, index: ModuleIndex): Found | null {
  const [first = "", ...rest] = steps;
  const named = index.names.get(`${scope}:${first}`);
  const binding = chosen(named?.bindings ?? [], line);
  if (binding !== null) return { kind: "binding", path, rest, binding, all: named?.bindings ?? [] };
  const fact = named?.fact ?? null;
  if (fact !== null && "bases" in fact) return inClass({ fact, path, rest }, index);
  if (fact !== null) return { kind: "function", path, rest, fact };
  const of = index.functions.get(scope);
  const parameter = of?.parameters.find(({ name }) => name === first);
  return of !== undefined && parameter !== undefined
    ? { kind: "parameter", path, rest, of, parameter }
    : null;
}

function inClass(
  { fact, path, rest }: { fact: ClassFact; path: string; rest: readonly string[] },
  index: ModuleIndex,
): Found {
  const whole: Found = { kind: "class", path, rest, fact };
  const scope = insideOf(fact);
  const [next, ...after] = rest;
  const named = next === undefined ? undefined : index.names.get(`${scope}:${next}`);
  const binding = chosen(named?.bindings ?? [], Number.POSITIVE_INFINITY);
  if (binding !== null) return { kind: "binding", path, rest: after, binding, all: named?.bindings ?? [] };
  const inner = named?.fact ?? null;
  if (inner === null) return whole;
  return "bases" in inner
    ? { kind: "class", path, rest: after, fact: inner }
    : { kind: "function", path, rest: after, fact: inner };
}

/** `self.app` is bound in any method of the class. */
function ofSelf(steps: readonly string[], { path, scope }: Place, index: ModuleIndex): Found | null {
  const [self, name, ...rest] = steps;
  if ((self !== "self" && self !== "cls") || name === undefined) return null;
  for (let around = scope; around !== ""; around = outer(around)) {
    if (!index.classes.has(around)) continue;
    const all = [...index.names]
      .filter(
        ([key]) =>
          key === `${around}:${name}` || (key.startsWith(`${around}.`) && key.endsWith(`:${self}.${name}`)),
      )
      .flatMap(([, { bindings }]) => bindings);
    const binding = chosen(all, Number.POSITIVE_INFINITY);
    return binding === null ? null : { kind: "binding", path, rest, binding, all };
  }
  return null;
}

/** The last one before the line; seen from elsewhere, the first that makes something. */
function chosen(bindings: readonly Binding[], line: number): Binding | null {
  if (line !== Number.POSITIVE_INFINITY) {
    const before = bindings.findLast((one) => one.line <= line);
    if (before !== undefined) return before;
  }
  return bindings.find(({ value }) => value.kind === "call") ?? bindings.at(-1) ?? null;
}

function outer(scope: string): string {
  return scope.slice(0, Math.max(0, scope.lastIndexOf(".")));
}

function unknown(name: string, path: string): Found {
  return { kind: "unknown", name, path, rest: [] };
}
