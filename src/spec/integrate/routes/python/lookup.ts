import type { Import } from "../../../../syntax/imports.ts";
import type { Resolve } from "../../modules.ts";
import { type Binding, type ClassFact, type FunctionFact, insideOf, type PythonRouteFacts } from "./facts.ts";
import type { Found, FoundKind, Place, PythonModule } from "./project.ts";

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
  return (name, place) => {
    const files: Files = { modules, resolve, indexAt, steps: { left: MOST_STEPS } };
    let found = lookOnce(name, place, files);
    // `module.router`, where `module` is one more name for another.
    for (let i = 0; i < DEEPEST && found.kind === "binding" && found.rest.length > 0; i += 1) {
      const { value, scope, line } = found.binding;
      if (value.kind !== "name") break;
      const before = { path: found.path, scope, line: line - 1 };
      found = lookOnce([value.name, ...found.rest].join("."), before, files);
    }
    return found;
  };
}

type Files = {
  readonly modules: ReadonlyMap<string, PythonModule>;
  readonly resolve: Resolve;
  readonly indexAt: (path: string) => ModuleIndex | null;
  /** Of one question. */
  readonly steps: { left: number };
};

function lookOnce(name: string, place: Place, files: Files): Found {
  const index = files.indexAt(place.path);
  if (index === null) return unknown(name, place.path);
  const names = name.split(".");
  const own = ofSelf(names, place, index) ?? inScopes(names, place, index);
  if (own !== null && !(isPlaceholder(own) && own.binding.scope === "")) return own;
  return imported(names, { path: place.path, depth: 0 }, files) ?? own ?? unknown(name, place.path);
}

/** `x = None` where importing `x` failed. */
function isPlaceholder(found: Found): found is FoundKind<"binding"> {
  return found.kind === "binding" && found.binding.value.kind === "constant";
}

/** In which file, after how many imports. */
type At = { readonly path: string; readonly depth: number };

function imported(names: readonly string[], at: At, files: Files): Found | null {
  const imports = files.modules.get(at.path)?.imports ?? [];
  for (let length = names.length; length > 0; length -= 1) {
    const local = names.slice(0, length).join(".");
    const one = imports.findLast((candidate) => candidate.local === local);
    if (one !== undefined) return follow(one, names.slice(length), at, files);
  }
  for (const { from } of imports.filter((one) => one.imported === "*")) {
    const path = files.resolve(from, at.path);
    const found = path === null ? null : attribute(names, { path, depth: at.depth + 1 }, files);
    if (found !== null) return found;
  }
  return null;
}

function follow({ imported: name, from }: Import, rest: readonly string[], at: At, files: Files): Found {
  const names = name === null ? rest : [name, ...rest];
  const outside = { kind: "outside", name: [from, ...names].join("."), path: at.path, rest: [] } as const;
  if (at.depth > DEEPEST) return outside;
  const file = files.resolve(from, at.path);
  const module = { importer: at.path, depth: at.depth, files };
  if (file !== null && file !== at.path) return inModule(names, { ...module, file, from }) ?? outside;
  const below = submodule(from, names, module);
  return below === null ? outside : (inModule(below.rest, { ...module, ...below }) ?? outside);
}

type Module = {
  readonly file: string;
  /** As it is imported, and by whom. */
  readonly from: string;
  readonly importer: string;
  readonly depth: number;
  readonly files: Files;
};

/** A module and what is in it: a name there, or a module below it. */
function inModule(names: readonly string[], module: Module): Found | null {
  const { file, from, depth, files } = module;
  if (names.length === 0) return { kind: "module", path: file, rest: [] };
  const found = attribute(names, { path: file, depth: depth + 1 }, files);
  if (found !== null) return found;
  const below = submodule(from, names, module);
  if (below !== null && below.file !== file)
    return inModule(below.rest, { ...module, ...below, depth: depth + 1 });
  return files.modules.has(file) ? unknown(names.join("."), file) : null;
}

function submodule(
  from: string,
  [first, ...rest]: readonly string[],
  { importer, files }: Pick<Module, "importer" | "files">,
) {
  if (first === undefined) return null;
  const name = from.endsWith(".") ? `${from}${first}` : `${from}.${first}`;
  const file = files.resolve(name, importer);
  return file === null ? null : { file, from: name, rest };
}

function attribute(names: readonly string[], at: At, files: Files): Found | null {
  const index = files.indexAt(at.path);
  files.steps.left -= 1;
  if (index === null || at.depth > DEEPEST || files.steps.left < 0) return null;
  const own = inScope(names, { path: at.path, scope: "", line: Number.POSITIVE_INFINITY }, index);
  return own !== null && !isPlaceholder(own) ? own : (imported(names, at, files) ?? own);
}

function unknown(name: string, path: string): Found {
  return { kind: "unknown", name, path, rest: [] };
}

type Named = { bindings: Binding[]; fact: FunctionFact | ClassFact | null };
/** What one file says, by scope and name. */
type ModuleIndex = {
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
  if (fact !== null && "bases" in fact) return inClass({ kind: "class", fact, path, rest }, index);
  if (fact !== null) return { kind: "function", path, rest, fact };
  const of = index.functions.get(scope);
  const parameter = of?.parameters.find(({ name }) => name === first);
  return of !== undefined && parameter !== undefined
    ? { kind: "parameter", path, rest, of, parameter }
    : null;
}

function inClass({ fact, path, rest }: FoundKind<"class">, index: ModuleIndex): Found {
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
