import type { Import } from "../../../../syntax/imports.ts";
import type { Resolve } from "../../modules.ts";
import type { Models, RouteSurface } from "../route.ts";
import type { Call, Expr, ExprKind, ScriptRouteFacts } from "./facts.ts";

export type ScriptModule = { readonly facts: ScriptRouteFacts; readonly imports: readonly Import[] };

/** All files at once, and what is known of them so far. */
export type World = {
  readonly modules: ReadonlyMap<string, ScriptModule>;
  readonly resolve: Resolve;
  readonly frameworks: readonly Framework[];
  /** Functions that are told something which may be part of a route, by file. */
  readonly routing: ReadonlyMap<string, ReadonlySet<number>>;
  /** What functions are called with, by parameter. It grows from round to round, until nothing is new. */
  readonly given: Map<string, Value[]>;
  readonly routers: Map<string, Router>;
  /** Of this round. */
  readonly known: WeakMap<Turns, Map<Expr, Values>>;
  readonly found: Found;
  /** All that an expression may stand for; what cannot be seen is one value, too. */
  readonly evaluate: (expr: Expr, at: Place) => Values;
};

/** What routes are added to. */
export type Router = {
  readonly id: string;
  readonly framework: Framework;
  /** An `app` may be what is served. What is `given` comes from where it cannot be seen. */
  readonly role: Role;
  /** Hono: the same app under a prefix. */
  readonly base: { readonly router: string; readonly prefix: Template } | null;
  /** Where the call stands that makes it; null: it is handed in. */
  readonly made: { readonly file: string; readonly scope: number } | null;
  /** What a function makes anew each time has all that the function adds to it. */
  readonly copyOf: string | null;
};

export type Role = "app" | "router" | "given";

/** What calls do, as they are met. */
export type Found = {
  readonly routes: FoundRoute[];
  readonly unclear: FoundUnclear[];
  readonly mounts: Mount[];
  /** Routers that are started, or handed to something that starts them. */
  readonly served: Set<string>;
};

export type FoundRoute = Models & {
  readonly router: string;
  readonly method: string;
  /** Below that of its router. */
  readonly path: string;
  readonly file: string;
  readonly line: number;
  /** Asked once, when all rounds are over. */
  readonly surface?: () => RouteSurface;
};

export type FoundUnclear = {
  readonly router: string;
  readonly file: string;
  readonly line: number;
  readonly why: string;
  /** How its path begins, below that of its router. */
  readonly head: string;
  /** It may as well be nothing that answers: only where no route is seen there, it is worth a word. */
  readonly isFaint?: boolean;
};

export type Mount = { readonly parent: string; readonly child: string; readonly prefix: Template };

/** A method of a router that is called. */
export type MethodCall = {
  readonly router: Router;
  readonly name: string;
  readonly call: Call;
  readonly at: Place;
  readonly line: number;
  /** The path that was named before in the same chain, where a framework takes it from there. */
  readonly lastPath: Expr | null;
  /** Express: `app.route(path)` comes before. */
  readonly spot: { readonly path: Expr; readonly at: Place } | null;
};

/** A path with `{name}` for its parameters, or why it is none. */
export type Template = { readonly path: string } | { readonly why: string };

export type Framework = {
  readonly name: string;
  /** Packages that say that it is used. */
  readonly packages: RegExp;
  /** What a call of something from a package makes: `express`, `Router`. */
  readonly makes: (from: string, name: string) => Role | null;
  /** A type of a router: `Express`, `FastifyInstance`. */
  readonly isRouterType: (from: string, name: string) => boolean;
  /** A type of functions that get a router first: `FastifyPluginAsync`. */
  readonly isPluginType: (from: string, name: string) => boolean;
  /** Methods that mean that an app is served. */
  readonly serves: RegExp;
  /** What a method returns. It must not change anything but by making routers. */
  readonly returns: (world: World, call: MethodCall) => Values;
  /** What a method does: routes, mounts. */
  readonly perform: (world: World, call: MethodCall) => void;
};

export function addRouter(world: World, router: Router): Value {
  world.routers.set(router.id, router);
  return { kind: "router", id: router.id };
}

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
  | { readonly kind: "values"; readonly of: Values }
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

export type Values = readonly Value[];
export type ValueKind<K extends Value["kind"]> = Extract<Value, { readonly kind: K }>;

export type OfClass = { readonly file: string; readonly id: number };

export type Extending = { readonly own: OfClass; readonly base: OfClass };

type Literal = ExprKind<"list" | "object">;

/** Where an expression is looked at: in which file, and in which turn of the loops around it. */
export type Place = { readonly file: string; readonly turns: Turns; readonly depth: number };

export type Turns = ReadonlyMap<string, Value>;

export const NO_TURNS: Turns = new Map();

/** A whole file, in no turn of any loop. */
export const placeIn = (file: string, depth = 0): Place => ({ file, turns: NO_TURNS, depth });

export const NOTHING: Value = { kind: "unknown" };

/** The one text that it is; null where it is anything else, or one of several. */
export function onlyText(values: Values): string | null {
  const [first, ...rest] = values;
  if (first?.kind !== "text") return null;
  return rest.every((one) => one.kind === "text" && one.text === first.text) ? first.text : null;
}

/** A package's export, whatever way it was imported: `import x`, `import * as x`, `require`. */
export function foreignName({ names }: ValueKind<"foreign">): string {
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
