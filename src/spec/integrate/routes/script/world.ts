import type { Import } from "../../../../syntax/imports.ts";
import type { Resolve } from "../../modules.ts";
import type { ModelUse } from "../route.ts";
import type { RouteSurface } from "../surface.ts";
import type { Call, Expr, ScriptRouteFacts } from "./facts.ts";
import type { Place, Turns, Value } from "./values.ts";

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
  readonly known: WeakMap<Turns, Map<Expr, readonly Value[]>>;
  readonly found: Found;
  /** All that an expression may stand for; what cannot be seen is one value, too. */
  readonly evaluate: (expr: Expr, at: Place) => readonly Value[];
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

export type FoundRoute = {
  readonly router: string;
  readonly method: string;
  /** Below that of its router. */
  readonly path: string;
  readonly file: string;
  readonly line: number;
  readonly request: ModelUse;
  readonly response: ModelUse;
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

/** What plait knows of a framework. */
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
  readonly returns: (world: World, call: MethodCall) => readonly Value[];
  /** What a method does: routes, mounts. */
  readonly perform: (world: World, call: MethodCall) => void;
};

export function addRouter(world: World, router: Router): Value {
  world.routers.set(router.id, router);
  return { kind: "router", id: router.id };
}
