import { type Binding, type ClassFact, type FunctionFact, insideOf, type PythonRouteFacts } from "./facts.ts";
import type { Found, Place } from "./found.ts";

type Named = { bindings: Binding[]; fact: FunctionFact | ClassFact | null };
/** What one file says, by scope and name. */
export type ModuleIndex = {
  /** By scope and name. */
  readonly names: ReadonlyMap<string, Named>;
  readonly functions: ReadonlyMap<string, FunctionFact>;
  readonly classes: ReadonlyMap<string, ClassFact>;
};

export function indexOf({ bindings, functions, classes }: PythonRouteFacts): ModuleIndex {
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
export function inScopes(steps: readonly string[], place: Place, index: ModuleIndex): Found | null {
  for (let scope = place.scope; ; scope = outer(scope)) {
    const isSkipped = scope !== place.scope && index.classes.has(scope);
    // Seen from inside of a function, all that is around it has happened.
    const line = scope === place.scope ? place.line : Number.POSITIVE_INFINITY;
    const found = isSkipped ? null : inScope(steps, { ...place, scope, line }, index);
    if (found !== null) return found;
    if (scope === "") return null;
  }
}

export function inScope(
  steps: readonly string[],
  { path, scope, line }: Place,
  index: ModuleIndex,
): Found | null {
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
export function ofSelf(steps: readonly string[], { path, scope }: Place, index: ModuleIndex): Found | null {
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
