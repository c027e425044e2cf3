import { lineFinder } from "../../../../util/lines.ts";
import type {
  Chain,
  ClassFacts,
  Expr,
  FunctionFacts,
  Method,
  Scope,
  ScriptRouteFacts,
  TypeUse,
} from "./facts.ts";
import type { Reading } from "./read-expression.ts";

export type WrittenClass = ClassFacts & {
  readonly methods: Map<string, Method>;
  readonly fields: Map<string, Expr[]>;
};

export type WrittenScope = Scope & {
  readonly names: Map<string, Expr[]>;
  readonly types: Map<string, TypeUse>;
};

/** Everything that is found, while it is found. */
export type Draft = {
  readonly reading: Reading;
  readonly scopes: WrittenScope[];
  readonly functions: Map<number, FunctionFacts & { readonly returns: Expr[] }>;
  readonly classes: Map<number, WrittenClass>;
  readonly calls: Chain[];
  readonly exports: Map<string, Expr>;
  readonly types: Map<string, TypeUse>;
  /** Names that get another value, where they get it: which scope is meant is known at the end. */
  readonly assigned: { readonly scope: number; readonly name: string; readonly value: Expr }[];
  /** What is written behind the name of a variable that a function is the value of, by the function. */
  readonly functionTypes: Map<number, TypeUse>;
};

export function addName(draft: Draft, scope: number, name: string, value: Expr): void {
  const names = draft.scopes[scope]?.names;
  names?.set(name, [...(names.get(name) ?? []), value]);
}

export function functionAround({ scopes, functions }: Draft, scope: number) {
  for (let at = scopes[scope]; at !== undefined; at = scopes[at.parent])
    if (at.ofFunction !== null) return functions.get(at.ofFunction);
  return undefined;
}

export function classAround({ scopes, classes }: Draft, scope: number) {
  for (let at = scopes[scope]; at !== undefined; at = scopes[at.parent])
    if (at.ofClass !== null) return classes.get(at.ofClass);
  return undefined;
}

export function newScope({ scopes }: Draft, parent: number, about: Partial<Scope>): number {
  const nothing = { ofFunction: null, ofClass: null, list: null };
  scopes.push({ ...nothing, ...about, parent, names: new Map(), types: new Map() });
  return scopes.length - 1;
}

export function newDraft(text: string): Draft {
  const reading = {
    ...{ lineAt: lineFinder(text), loops: new Map(), chains: new Map() },
    ...{ links: new Set<string>(), required: new Map<string, number>() },
  };
  return {
    ...{ reading, scopes: [], functions: new Map(), classes: new Map(), calls: [] },
    ...{ exports: new Map(), types: new Map(), assigned: [], functionTypes: new Map() },
  };
}

export function finished(draft: Draft): ScriptRouteFacts {
  const { reading, assigned, functionTypes: _, ...facts } = draft;
  const { scopes } = facts;
  for (const { scope, name, value } of assigned) {
    let at = scope;
    while (at !== -1 && scopes[at]?.names.has(name) !== true) at = scopes[at]?.parent ?? -1;
    if (at !== -1) addName(draft, at, name, value);
  }
  return { ...facts, loops: reading.loops, required: reading.required };
}
