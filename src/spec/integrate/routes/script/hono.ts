import { reasons } from "../../reasons.ts";
import type { ValueType } from "../../types/shape.ts";
import {
  type Models,
  type ModelUse,
  type ParameterPlace,
  type RouteSurface,
  SCRIPT_SURFACE,
} from "../route.ts";
import {
  addComputed,
  addMount,
  addRoutes,
  addUnclear,
  addUnseen,
  addWithMethods,
  METHODS,
  methodOf,
  prefixesOf,
} from "./adding.ts";
import type { Chain, Expr } from "./facts.ts";
import { COMPUTED, type ObjectValue, objectAt, objectUnder, single } from "./member.ts";
import { agreed, type Handler, handlerOf, modelOf, NONE, UNDECLARED } from "./models.ts";
import { readResponses, readSpread, schemaModel, schemaType } from "./schema-type.ts";
import { valueType } from "./value-type.ts";
import {
  addRouter,
  type Framework,
  foreignName,
  type MethodCall,
  NOTHING,
  type Place,
  type Template,
  type Value,
  type World,
} from "./world.ts";

const HONO = /^(?:npm:|jsr:)?(?:@hono\/)?hono(?:@[^/]*)?(?:\/(?:tiny|quick|factory|preset\/\w+))?$/;
const OPENAPI = /^(?:npm:|jsr:)?@hono\/zod-openapi(?:@[^/]*)?$/;

export const hono: Framework = {
  name: "Hono",
  packages: new RegExp(`${HONO.source}|${OPENAPI.source}`),
  makes: (from, name) => {
    const isHono = HONO.test(from) && /^(?:Hono|createFactory\.\(\)\.createApp)$/.test(name);
    return isHono || (OPENAPI.test(from) && name === "OpenAPIHono") ? "app" : null;
  },
  isRouterType: (from, name) =>
    (HONO.test(from) && name === "Hono") || (OPENAPI.test(from) && name === "OpenAPIHono"),
  isPluginType: () => false,
  serves: /^(?:fetch|fire)$/,
  returns: (world, call) => {
    const { name, router } = call;
    if (name === "basePath") return [based(world, call)];
    return METHODS.test(name) || /^(?:all|on|use|route|openapi|mount|onError|notFound|doc\w*)$/.test(name)
      ? [{ kind: "router", id: router.id }]
      : [NOTHING];
  },
  perform: (world, call) => {
    const { name } = call;
    const given = call.call.arguments;
    if (name === "route") mount(world, call);
    else if (name === "on") onMethods(world, call);
    else if (name === "openapi") openApiRoute(world, call);
    else if (name === "mount") addUnseen(world, call, prefixesOf(world, given[0] ?? null, call.at));
    else if (METHODS.test(name) || name === "all") route(world, call);
    else if (name === COMPUTED) addComputed(world, call);
  },
};

/** The same app with something before every path from here on. */
function based(world: World, { router, call, at }: MethodCall): Value {
  const [path] = call.arguments;
  const [prefix]: readonly (Template | undefined)[] = prefixesOf(world, path ?? null, at);
  const base = { router: router.id, prefix: prefix ?? { path: "" } };
  const made = { file: at.file, scope: call.scope };
  return addRouter(world, { ...router, id: `${at.file} ${call.id}`, base, made, copyOf: null });
}

/** `app.get("/x", handler)`; `.post(handler)` behind it is at the same path. */
function route(world: World, call: MethodCall): void {
  const [first, ...rest] = call.call.arguments;
  if (first === undefined) return;
  const isHandler = world.evaluate(first, call.at).some(({ kind }) => kind === "function");
  const path = isHandler ? call.lastPath : first;
  const handlers = isHandler ? call.call.arguments : rest;
  if (handlers.length === 0) return;
  if (path === null) addUnclear(world, call, reasons.sharedPath);
  else addRoutes(world, call, { methods: [methodOf(call.name)], path, ...declaredBy(world, call, handlers) });
}

/** `app.on(["GET", "POST"], "/x", handler)`. */
function onMethods(world: World, call: MethodCall): void {
  const [method, path, ...handlers] = call.call.arguments;
  if (method === undefined || path === undefined || handlers.length === 0) return;
  addWithMethods(world, call, method, { path, ...declaredBy(world, call, handlers) });
}

function mount(world: World, call: MethodCall): void {
  const [path, child] = call.call.arguments;
  if (path === undefined || child === undefined) return;
  const values = world.evaluate(child, call.at);
  const prefixes = prefixesOf(world, path, call.at);
  for (const prefix of prefixes) for (const value of values) addMount(world, call, value, prefix);
  if (!values.some(({ kind }) => kind === "router")) addUnseen(world, call, prefixes);
}

/** `app.openapi(createRoute({ method, path, request, responses }), handler)`. */
function openApiRoute(world: World, call: MethodCall): void {
  const [route] = call.call.arguments;
  const value = route === undefined ? null : single(world.evaluate(route, call.at));
  const isMade = value?.kind === "foreign" && foreignName(value) === "createRoute.()";
  const made = isMade ? value.made : null;
  const options = made === null ? null : objectAt(world, made.call.arguments[0], made.at);
  const method = options?.fields.get("method");
  const path = options?.fields.get("path");
  if (options === null || method === undefined || path === undefined) {
    addUnclear(world, call, reasons.unknownCreateRoute);
    return;
  }
  const request = contentIn(world, objectUnder(world, options, "request", "body"), schemaModel);
  addWithMethods(world, call, method, {
    ...{ path, at: options.at, request: request ?? UNDECLARED, response: responseIn(world, options) },
    surface: () => openApiSurface(world, options),
  });
}

const PLACES: { readonly [key: string]: ParameterPlace } = {
  ...{ query: "query", params: "path", headers: "header", cookies: "cookie" },
};

/** All that it takes and answers is described; only headers and cookies may be read by others before. */
function openApiSurface(world: World, options: ObjectValue): RouteSurface {
  const request = objectUnder(world, options, "request");
  const isSeen = !options.hasMore && (request !== null || !options.fields.has("request"));
  const spread = readSpread(world, request, PLACES);
  const places: ParameterPlace[] = ["query", ...spread.map((one) => one.in)];
  const body = contentIn(world, objectUnder(world, request, "body"), schemaType);
  return {
    ...SCRIPT_SURFACE,
    parameters: isSeen && request?.hasMore !== true ? { list: [], spread, places, more: null } : null,
    request: body === null ? null : { type: body, isRequired: null },
    responses: readResponses(objectUnder(world, options, "responses"), (one, at) =>
      contentIn(world, objectAt(world, one, at), schemaType),
    ),
  };
}

function responseIn(world: World, options: ObjectValue): ModelUse {
  const responses = objectUnder(world, options, "responses");
  const good = [...(responses?.fields.keys() ?? [])].filter((status) => /^2(?:\d\d|XX)$/.test(status));
  const models = good.map((status) =>
    status === "204" ? NONE : contentIn(world, objectUnder(world, responses, status), schemaModel),
  );
  return agreed(models.map((model) => model ?? UNDECLARED));
}

/** What is described as JSON; null where nothing is. */
function contentIn<T>(
  world: World,
  body: ObjectValue | null,
  read: (world: World, schema: Expr | undefined, at: Place) => T,
): T | null {
  const media = objectUnder(world, body, "content", "application/json");
  return media === null ? null : read(world, media.fields.get("schema"), media.at);
}

function declaredBy(world: World, { at }: MethodCall, handlers: readonly Expr[]) {
  return { at, ...honoModels(world, handlers, at), surface: () => honoSurface(world, handlers, at) };
}

/** What a handler of Hono says about bodies: the validators before it, and the types of what it returns. */
function honoModels(world: World, handlers: readonly Expr[], at: Place): Models {
  const bodies = handlers.flatMap((one) => readValidator(world, one, at) ?? []).filter(isOfBody);
  const request = agreed(bodies.map((one) => schemaModel(world, one.schema, one.at)));
  const handler = handlerOf(world, handlers, at);
  return { request, response: handler === null ? UNDECLARED : responseOf(world, handler) };
}

type Validator = {
  /** `json`, `query`, `param`, `header`, `cookie`, `form`. */
  readonly target: string;
  readonly schema: Expr | undefined;
  readonly at: Place;
};

/** `zValidator("json", schema)`; null where it is none. */
function readValidator(world: World, expr: Expr, at: Place): Validator | null {
  const [value] = world.evaluate(expr, at);
  if (value?.kind !== "foreign" || value.made === null) return null;
  if (!/^(?:zValidator|sValidator|vValidator|tbValidator|validator)\.\(\)$/.test(foreignName(value)))
    return null;
  const [target, schema] = value.made.call.arguments;
  return target?.kind === "text" ? { target: target.text, schema, at: value.made.at } : null;
}

function alternatives(expr: Expr): readonly Expr[] {
  return expr.kind === "choice" ? expr.of.flatMap(alternatives) : [expr];
}

const VALIDATED: { readonly [key: string]: ParameterPlace } = {
  ...{ query: "query", param: "path", header: "header", cookie: "cookie" },
};

/** What validators before a handler let through, and the statuses that it answers with. */
function honoSurface(world: World, handlers: readonly Expr[], at: Place): RouteSurface {
  const validators = handlers.flatMap((one) => readValidator(world, one, at) ?? []);
  const spread = validators.flatMap(({ target, schema, at: place }) => {
    const where = VALIDATED[target];
    return where === undefined ? [] : [{ in: where, type: schemaType(world, schema, place) }];
  });
  const [body, ...others] = validators.filter(isOfBody);
  const isOne = body !== undefined && others.length === 0;
  return {
    ...SCRIPT_SURFACE,
    parameters:
      spread.length === 0 ? null : { list: [], spread, places: spread.map((one) => one.in), more: null },
    request: isOne ? { type: schemaType(world, body.schema, body.at), isRequired: null } : null,
    responses: answersOf(world, handlers, at),
  };
}

/** Where every answer is one of the context, with a status that is written there. */
function answersOf(world: World, handlers: readonly Expr[], at: Place): RouteSurface["responses"] {
  const handler = handlerOf(world, handlers, at);
  if (handler === null || handler.fn.returns.length === 0) return null;
  const context = handler.fn.parameters[0]?.name ?? null;
  // `c.status(201)`, before an answer that does not name it.
  const setsStatus = ({ base, steps: [first] }: Chain) =>
    base.kind === "name" && base.name === context && first?.kind === "member" && first.name === "status";
  if (world.modules.get(handler.file)?.facts.calls.some(setsStatus) !== false) return null;
  const byStatus = new Map<string, ValueType | null>();
  for (const one of handler.fn.returns.flatMap(alternatives)) {
    const { name, status, type } = readAnswer(one, context) ?? {};
    if (name === "notFound") continue; // errors are thrown as well: those that are returned are not all
    if (name === undefined || !/^(?:json|text|html|body)$/.test(name)) return null;
    if (status !== undefined && status.kind !== "number") return null;
    const code = String(status?.value ?? 200);
    const isTyped = name === "json" && type !== undefined;
    if (code.startsWith("2") && !byStatus.has(code))
      byStatus.set(code, isTyped ? valueType(world, handler.file, type) : null);
  }
  return byStatus.size === 0 ? null : { byStatus, isWhole: true };
}

/** `c.json(order, 201)`; null where it is no answer of the context. */
function readAnswer(expr: Expr, context: string | null) {
  if (expr.kind !== "chain" || expr.base.kind !== "name" || expr.base.name !== context) return null;
  const [member, call, ...more] = expr.steps;
  if (member?.kind !== "member" || call?.kind !== "call" || more.length > 0) return null;
  const [body, status] = call.arguments;
  const type = call.types[0] ?? (body?.kind === "typed" ? body.type : undefined);
  return { name: member.name, status, type };
}

const isOfBody = ({ target }: Validator) => target === "json";

/** Every answer that is no error must say its type, and the same. */
function responseOf(world: World, { file, fn }: Handler): ModelUse {
  const context = fn.parameters[0]?.name ?? null;
  const uses = fn.returns.flatMap(alternatives).flatMap((one): ModelUse[] => {
    const answer = readAnswer(one, context);
    if (answer === null) return [UNDECLARED];
    const { name, status, type } = answer;
    const code = status?.kind === "number" ? status.value : 200;
    if (name === "notFound" || code >= 400) return []; // an error, which the contract has apart
    if (name === "body" && code === 204) return [NONE];
    return [name === "json" ? modelOf(world, file, type) : UNDECLARED];
  });
  return uses.some(({ kind }) => kind === "undeclared") ? UNDECLARED : agreed(uses);
}
