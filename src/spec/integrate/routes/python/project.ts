import type { Import } from "../../../../syntax/imports.ts";
import type { Resolve } from "../../modules.ts";
import type { Call, Expression } from "./expression.ts";
import {
  type Binding,
  type ClassFact,
  type FunctionFact,
  insideOf,
  type Parameter,
  type PythonRouteFacts,
} from "./facts.ts";
import { type Lookup, lookupIn } from "./lookup.ts";

/** All that the readers of frameworks ask about a project. */
export type PythonProject = {
  readonly modules: ReadonlyMap<string, PythonModule>;
  readonly look: Lookup;
  readonly resolve: Resolve;
  /** All calls that are statements or what a name stands for. */
  readonly allCalls: () => readonly CallSite[];
  /** Where a function of the project is called, with all that it is given. */
  readonly callsOf: (of: FunctionFact) => readonly CallSite[];
  /** A new question begins. */
  readonly fresh: () => void;
  /** False: more names were followed for one question than in anything that people write. Whoever follows one asks. */
  readonly spend: () => boolean;
};

const MOST_STEPS = 3_000;

export type CallSite = { readonly call: Call; readonly place: Place };

export function pythonProject(modules: ReadonlyMap<string, PythonModule>, resolve: Resolve): PythonProject {
  const look = lookupIn(modules, resolve);
  let calls: readonly CallSite[] | null = null;
  const allCalls = () => {
    calls ??= callsIn(modules);
    return calls;
  };
  let sites: ReadonlyMap<FunctionFact, readonly CallSite[]> | null = null;
  const callsOf = (of: FunctionFact) => {
    sites ??= callSites(allCalls(), look);
    return sites.get(of) ?? [];
  };
  let steps = 0;
  const spend = () => {
    steps += 1;
    return steps < MOST_STEPS;
  };
  const fresh = () => {
    steps = 0;
  };
  return { modules, look, resolve, allCalls, callsOf, fresh, spend };
}

function callsIn(modules: ReadonlyMap<string, PythonModule>): CallSite[] {
  return [...modules].flatMap(([path, { facts }]) => {
    const values = facts.bindings.flatMap(({ value, scope, line }) =>
      value.kind === "call" ? [{ call: value, scope, line }] : [],
    );
    return [...facts.calls, ...values].map(({ call, scope, line }) => ({
      call,
      place: { path, scope, line },
    }));
  });
}

function callSites(calls: readonly CallSite[], look: Lookup): Map<FunctionFact, CallSite[]> {
  const sites = new Map<FunctionFact, CallSite[]>();
  for (const { call, place } of calls) {
    const found = call.callee.kind === "name" ? look(call.callee.name, place) : null;
    if (found?.kind !== "function" || found.rest.length > 0) continue;
    sites.set(found.fact, [...(sites.get(found.fact) ?? []), { call, place }]);
  }
  return sites;
}

/** A class with all that it is made of. */
export type Lineage = {
  /** Itself first, then those that it stands on, the nearer ones first. */
  readonly classes: readonly { readonly path: string; readonly fact: ClassFact }[];
  /** Full names of those that are not in the project: `rest_framework.viewsets.ModelViewSet`, `str`. */
  readonly outside: readonly string[];
};

/** Of a class of the project; null where it is none. */
export function lineageOf(found: Found, { look }: PythonProject): Lineage | null {
  if (found.kind !== "class" || found.rest.length > 0) return null;
  const classes = [{ path: found.path, fact: found.fact }];
  const outside = new Set<string>();
  // What is added while the list is gone through is gone through, too.
  for (const { path, fact } of classes)
    for (const base of fact.bases) {
      const name = base.kind === "generic" ? base.of : base;
      const place = { path, scope: fact.scope, line: fact.line };
      const under = name.kind === "name" ? look(name.name, place) : null;
      if (under?.kind !== "class" || under.rest.length > 0) outside.add(under === null ? "?" : nameOf(under));
      else if (!classes.some((one) => one.fact === under.fact))
        classes.push({ path: under.path, fact: under.fact });
    }
  return { classes, outside: [...outside] };
}

/** The full name of what is not in the project, and the bare one of what nobody declares, such as `str`. */
export function nameOf(found: Found): string {
  return found.kind === "outside" || found.kind === "unknown" ? found.name : "?";
}

/** The place inside of a function or class, from where all of it is seen. */
export function placeIn(path: string, of: { scope: string; name: string }): Place {
  return { path, scope: insideOf(of), line: Number.POSITIVE_INFINITY };
}

export function bindingPlace({ path, binding: { scope, line } }: FoundKind<"binding">): Place {
  return { path, scope, line };
}

/** What a name that is written in full stands for, whatever it is; null for all that is no name. */
export function lookAt(expression: Expression, place: Place, { look }: PythonProject): Found | null {
  return expression.kind === "name" ? look(expression.name, place) : null;
}

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

export type FoundKind<K extends Found["kind"]> = Extract<Found, { readonly kind: K }>;
