/**
 * A sketch of one file of TypeScript or JavaScript: what its names are bound to and what is called, with all else left out. Whether
 * `x.get("/y", z)` makes a route is known only when all files are: `x` may come from anywhere. Plain data, since trees are freed.
 */
export type ScriptRouteFacts = {
  /** The first is the file itself. */
  readonly scopes: readonly Scope[];
  /** By where they begin in the text, as classes are. */
  readonly functions: ReadonlyMap<number, FunctionFacts>;
  readonly classes: ReadonlyMap<number, ClassFacts>;
  /** Everything that is called, each chain of calls once. */
  readonly calls: readonly Chain[];
  /** What stands under a name that others may import; `=` is `module.exports` as a whole. */
  readonly exports: ReadonlyMap<string, Expr>;
  /** What callbacks of `list.forEach` go through, by the function. */
  readonly loops: ReadonlyMap<number, Expr>;
  /** What it asks for by `import`, `require` and `import()`, wherever that stands, with the line. */
  readonly required: ReadonlyMap<string, number>;
  /** Types that are declared at the top, by name. */
  readonly types: ReadonlyMap<string, TypeUse>;
};

export type Scope = {
  /** -1: none. */
  readonly parent: number;
  /** Everything that a name stands for here: more than one where it is assigned again. */
  readonly names: ReadonlyMap<string, readonly Expr[]>;
  /** What is written behind a name: `app: Express`. */
  readonly types: ReadonlyMap<string, TypeUse>;
  readonly ofFunction: number | null;
  readonly ofClass: number | null;
  /** What `for (… of list)` goes through. */
  readonly list: Expr | null;
};

export type FunctionFacts = {
  readonly id: number;
  readonly scope: number;
  readonly parameters: readonly Parameter[];
  readonly returns: readonly Expr[];
  readonly returnType: TypeUse | null;
  /** Of the variable that it is the value of: `const list: RequestHandler<…> = …`. */
  readonly type: TypeUse | null;
};

export type Parameter = {
  /** Null where it is taken apart. */
  readonly name: string | null;
  readonly type: TypeUse | null;
  readonly fallback: Expr | null;
  readonly decorators: readonly Decorator[];
};

export type ClassFacts = {
  readonly id: number;
  readonly name: string | null;
  readonly line: number;
  readonly base: Expr | null;
  /** What it tells the class that it extends: `User` of `extends Crud<User>`. */
  readonly baseTypes: readonly TypeUse[];
  /** `T` of `class Crud<T>`. */
  readonly typeParameters: readonly string[];
  readonly decorators: readonly Decorator[];
  readonly methods: ReadonlyMap<string, Method>;
  readonly fields: ReadonlyMap<string, readonly Expr[]>;
};

export type Method = {
  readonly fn: number;
  readonly decorators: readonly Decorator[];
  readonly isGetter: boolean;
};

export type Decorator = { readonly of: Expr; readonly line: number };

export type Expr =
  | { readonly kind: "text"; readonly text: string }
  /** A template, or texts with `+` between them. */
  | { readonly kind: "joined"; readonly of: readonly Expr[] }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "false" }
  | { readonly kind: "list"; readonly of: readonly Expr[] }
  /** `...of`, in a list or among arguments. */
  | { readonly kind: "spread"; readonly of: Expr }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Expr>; readonly hasMore: boolean }
  | { readonly kind: "name"; readonly name: string; readonly scope: number }
  | { readonly kind: "this"; readonly scope: number }
  | { readonly kind: "super"; readonly scope: number }
  | { readonly kind: "parameter"; readonly fn: number; readonly index: number; readonly path: Path }
  /** The turn of a loop: `of` is its scope. */
  | { readonly kind: "turn"; readonly of: number; readonly path: Path }
  /** What a name is taken out of: `const { a } = b`. */
  | { readonly kind: "part"; readonly of: Expr; readonly path: Path }
  | { readonly kind: "function"; readonly id: number }
  | { readonly kind: "class"; readonly id: number }
  /** One of these, which is decided when it runs. */
  | { readonly kind: "choice"; readonly of: readonly Expr[] }
  /** `value as Type`, `value satisfies Type`. */
  | { readonly kind: "typed"; readonly of: Expr; readonly type: TypeUse }
  /** Null: which one is computed. */
  | { readonly kind: "module"; readonly from: string | null }
  | { readonly kind: "pattern" }
  | Chain
  | { readonly kind: "unknown" };

export type ExprKind<K extends Expr["kind"]> = Extract<Expr, { readonly kind: K }>;

/** Which part of a value: names of fields, places in lists. */
export type Path = readonly (string | number)[];

/** `base.name(…)[index]…`: as long as people like, so it is no tree. */
export type Chain = {
  readonly kind: "chain";
  readonly base: Expr;
  readonly steps: readonly Step[];
  readonly scope: number;
};

export type Step =
  | { readonly kind: "member"; readonly name: string; readonly line: number }
  | { readonly kind: "index"; readonly of: Expr; readonly line: number }
  | Call;

export type Call = {
  readonly kind: "call";
  /** Where it ends in the text, which no other does. */
  readonly id: number;
  readonly isNew: boolean;
  readonly arguments: readonly Expr[];
  readonly types: readonly TypeUse[];
  readonly line: number;
  readonly scope: number;
};

export type TypeUse =
  | { readonly kind: "name"; readonly name: string; readonly arguments: readonly TypeUse[] }
  | { readonly kind: "list"; readonly of: TypeUse }
  | { readonly kind: "union"; readonly of: readonly TypeUse[] }
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, TypeUse>; readonly text: string }
  | { readonly kind: "typeof"; readonly name: string }
  /** As another file writes it. */
  | { readonly kind: "elsewhere"; readonly file: string; readonly of: TypeUse }
  | { readonly kind: "other"; readonly text: string };

export const UNKNOWN: Expr = { kind: "unknown" };
