import { reasons } from "../../reasons.ts";
import type { Models } from "../route.ts";
import type { Expr } from "./facts.ts";
import { itemsOf } from "./member.ts";
import { UNDECLARED } from "./models.ts";
import { colonPath, headOf, isCatchAll } from "./paths.ts";
import {
  type FoundRoute,
  type MethodCall,
  onlyText,
  type Place,
  type Template,
  type Value,
  type World,
} from "./world.ts";

export const METHODS = /^(?:get|put|post|delete|options|head|patch|trace)$/;

export const methodOf = (name: string) => (name === "all" ? "*" : name.toUpperCase());

type Texts = { readonly texts: readonly string[] } | { readonly why: string };

/** All texts that a value stands for: one, or a list of them. Otherwise why there is none. */
export function textsOf(world: World, expr: Expr, at: Place): Texts {
  const values = world.evaluate(expr, at);
  const text = onlyText(values);
  if (text !== null) return { texts: [text] };
  const items = values.length === 1 && values[0] !== undefined ? itemsOf(world, values[0]) : null;
  const all = items ?? values;
  if (all.some(({ kind }) => kind === "pattern")) return { why: reasons.regularExpression };
  const texts = (items ?? []).flatMap((item) => (item.kind === "text" ? [item.text] : []));
  const isWhole = items !== null && items.length > 0 && texts.length === items.length;
  return isWhole ? { texts } : { why: reasons.computedPath };
}

type Added = Partial<Models> &
  Pick<FoundRoute, "surface"> & {
    readonly methods: readonly string[];
    readonly path: Expr;
    /** Where the path is looked at. */
    readonly at: Place;
  };

/** Routes of a call: one for each method and path. */
export function addRoutes(world: World, call: MethodCall, added: Added): void {
  const { methods, request = UNDECLARED, response = UNDECLARED, surface } = added;
  const paths = textsOf(world, added.path, added.at);
  if ("why" in paths) {
    addUnclear(world, call, paths.why, startOf(world, added.path, added.at));
    return;
  }
  for (const text of paths.texts) {
    const template = colonPath(text);
    if (isCatchAll(text)) continue;
    if ("why" in template) {
      addUnclear(world, call, template.why, headOf(text));
      continue;
    }
    for (const method of methods) {
      const place = { file: call.at.file, line: call.line, router: call.router.id };
      const more = surface === undefined ? {} : { surface };
      world.found.routes.push({ ...place, method, path: template.path, request, response, ...more });
    }
  }
}

/** The same where the methods are a value, too: `app.on(["GET", "POST"], "/x", handler)`. */
export function addWithMethods(
  world: World,
  call: MethodCall,
  method: Expr,
  added: Omit<Added, "methods">,
): void {
  const methods = textsOf(world, method, added.at);
  if ("why" in methods) addAnyMethod(world, call, added.path);
  else addRoutes(world, call, { ...added, methods: methods.texts.map((text) => text.toUpperCase()) });
}

/** Something has a route of this path, for a method that cannot be seen. */
function addAnyMethod(world: World, call: MethodCall, path: Expr): void {
  addUnclear(world, call, reasons.computedMethod, startOf(world, path, call.at));
}

/** `app[method]("/x", handler)`. */
export function addComputed(world: World, call: MethodCall): void {
  const [path, handler] = call.call.arguments;
  if (path !== undefined && handler !== undefined) addAnyMethod(world, call, path);
}

/** How a path begins for sure, in whole steps: `/users` of `/users/${id}`. */
function startOf(world: World, path: Expr, at: Place): string {
  const text = onlyText(world.evaluate(path, at));
  if (text !== null) return headOf(`${text}/`);
  let start = "";
  for (const part of path.kind === "joined" ? path.of : []) {
    const next = onlyText(world.evaluate(part, at));
    if (next === null) break;
    start += next;
  }
  return headOf(start);
}

export function addUnclear(world: World, { at, line, router }: MethodCall, why: string, head = ""): void {
  world.found.unclear.push({ file: at.file, line, router: router.id, why, head });
}

/** Something stands below these prefixes that cannot be followed; where it is faint, it only may. */
export function addUnseen(
  world: World,
  { at, line, router }: MethodCall,
  prefixes: readonly Template[],
  isFaint = false,
): void {
  const place = { file: at.file, line, router: router.id, why: reasons.unknownMount };
  for (const prefix of prefixes)
    if ("path" in prefix || !isFaint)
      world.found.unclear.push({ ...place, head: "path" in prefix ? prefix.path : "", isFaint });
}

export function addMount(world: World, { router }: MethodCall, child: Value, prefix: Template): void {
  if (child.kind === "router") world.found.mounts.push({ parent: router.id, child: child.id, prefix });
}

/** Every prefix that an expression stands for; without one, none. */
export function prefixesOf(world: World, expr: Expr | null, at: Place): readonly Template[] {
  if (expr === null) return [{ path: "" }];
  const paths = textsOf(world, expr, at);
  if ("why" in paths) return [{ why: reasons.computedPrefix }];
  return paths.texts.map((text) => colonPath(text, "prefix"));
}

/** What is called like a router, and cannot be followed: it is worth a word. What is not may be anything. */
export function looksLikeRouter(expr: Expr): boolean {
  if (expr.kind === "name") return ROUTER_LIKE.test(expr.name);
  if (expr.kind === "module") return expr.from === null;
  if (expr.kind !== "chain") return false;
  const names = expr.steps.map((step) => (step.kind === "member" ? step.name : ""));
  const inside = expr.steps.flatMap((step) => (step.kind === "call" ? step.arguments : []));
  return (
    names.some((name) => ROUTER_LIKE.test(name)) || looksLikeRouter(expr.base) || inside.some(isRouterName)
  );
}

/** What is called like something that lets others answer. */
export function looksLikeMiddleware(expr: Expr): boolean {
  if (expr.kind === "name") return MIDDLEWARE_LIKE.test(expr.name);
  if (expr.kind !== "chain") return true;
  const names = expr.steps.map((step) => (step.kind === "member" ? step.name : ""));
  return names.some((name) => MIDDLEWARE_LIKE.test(name)) || looksLikeMiddleware(expr.base);
}

const MIDDLEWARE_LIKE =
  /limit|cors|guard|middleware|logg|valid|pars|helmet|static|compress|session|csrf|swagger|protect|require|verif|check|authenticat|authoriz|error|upload|proxy/i;
const ROUTER_LIKE = /rout(?:ers?|es?)(?![a-z])/i;
const isRouterName = (expr: Expr) => expr.kind === "name" && ROUTER_LIKE.test(expr.name);
