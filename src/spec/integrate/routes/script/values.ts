import type { Call, Expr } from "./facts.ts";

/** What an expression stands for, as far as it can be seen without running it. */
export type Value =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "false" }
  /** A regular expression. */
  | { readonly kind: "pattern" }
  /** A list or an object, as it is written. */
  | { readonly kind: "literal"; readonly of: Literal; readonly at: Place }
  /** A list that is made of something: `Object.entries(…)`. */
  | { readonly kind: "values"; readonly of: readonly Value[] }
  /** `through`: a method that a class has from another one, from the nearest on. */
  | {
      readonly kind: "function";
      readonly file: string;
      readonly id: number;
      readonly through?: readonly Extending[];
    }
  | { readonly kind: "class"; readonly file: string; readonly id: number }
  | { readonly kind: "instance"; readonly file: string; readonly id: number }
  /** All that a file exports. */
  | { readonly kind: "module"; readonly file: string }
  /** What a package gives: `names` lead to it, `()` is what a call returns. Without a package: a name that everybody has. */
  | {
      readonly kind: "foreign";
      readonly from: string;
      readonly names: readonly string[];
      /** Of the last `()`. */
      readonly made: { readonly call: Call; readonly at: Place } | null;
    }
  /** What routes are added to: an app, a router, the instance that a plugin gets. */
  | { readonly kind: "router"; readonly id: string }
  /** `app.route("/x")` of Express: a path of a router. */
  | { readonly kind: "spot"; readonly router: string; readonly path: Expr; readonly at: Place }
  /** A method of a router, of a list: what it does is known when it is called. */
  | { readonly kind: "method"; readonly of: Value; readonly name: string }
  | { readonly kind: "unknown" };

export type OfClass = { readonly file: string; readonly id: number };

export type Extending = { readonly own: OfClass; readonly base: OfClass };

export type Literal = Extract<Expr, { kind: "list" | "object" }>;

/** Where an expression is looked at: in which file, and in which turn of the loops around it. */
export type Place = { readonly file: string; readonly turns: Turns; readonly depth: number };

export type Turns = ReadonlyMap<string, Value>;

export const NO_TURNS: Turns = new Map();

export const NOTHING: Value = { kind: "unknown" };

/** The one text that it is; null where it is anything else, or one of several. */
export function onlyText(values: readonly Value[]): string | null {
  const [first, ...rest] = values;
  if (first?.kind !== "text") return null;
  return rest.every((one) => one.kind === "text" && one.text === first.text) ? first.text : null;
}

/** A package's export, whatever way it was imported: `import x`, `import * as x`, `require`. */
export function foreignName({ names }: Extract<Value, { kind: "foreign" }>): string {
  const rest = [...names];
  while (rest[0] === "default" || rest[0] === "*") rest.shift();
  return rest.join(".");
}

const numbers = new WeakMap<object, number>();
let last = 0;

function numberOf(thing: object): number {
  const known = numbers.get(thing) ?? ++last;
  numbers.set(thing, known);
  return known;
}

/** Two values with the same key are the same. */
export function keyOf(value: Value): string {
  switch (value.kind) {
    case "text":
      return `text ${value.text}`;
    case "number":
      return `number ${value.value}`;
    case "literal":
      return `literal ${numberOf(value.of)} ${[...value.at.turns].map(([k, v]) => `${k}=${keyOf(v)}`)}`;
    case "values":
      return `values ${value.of.map(keyOf)}`;
    case "function":
    case "class":
    case "instance":
      return `${value.kind} ${value.file} ${value.id}`;
    case "module":
      return `module ${value.file}`;
    case "foreign":
      return `foreign ${value.from} ${value.names.join(".")} ${value.made === null ? "" : numberOf(value.made.call)}`;
    case "router":
      return `router ${value.id}`;
    case "spot":
      return `spot ${value.router} ${numberOf(value.path)}`;
    case "method":
      return `method ${value.name} ${keyOf(value.of)}`;
    default:
      return value.kind;
  }
}
