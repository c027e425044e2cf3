import type { Import } from "../../../../syntax/imports.ts";
import type { Binding, ClassFact, FunctionFact, Parameter, PythonRouteFacts } from "./facts.ts";

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
