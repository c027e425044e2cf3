import { reasons } from "../../reasons.ts";
import type { ValueType } from "../../types/shape.ts";
import type { ModelUse, ParameterPlace, RouteSurface } from "../route.ts";
import {
  addAnyMethod,
  addComputed,
  addMount,
  addRoutes,
  addUnclear,
  addUnseen,
  METHODS,
  methodOf,
  prefixesOf,
  textsOf,
} from "./adding.ts";
import type { Expr } from "./facts.ts";
import { honoModels, honoSurface } from "./hono-models.ts";
import { COMPUTED, type ObjectValue, objectIn, single } from "./member.ts";
import { agreed, NONE, UNDECLARED } from "./models.ts";
import { schemaModel, schemaType } from "./schema-type.ts";
import {
  addRouter,
  type Framework,
  foreignName,
  type MethodCall,
  NOTHING,
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
  else add(world, call, { methods: [methodOf(call.name)], path, handlers });
}

/** `app.on(["GET", "POST"], "/x", handler)`. */
function onMethods(world: World, call: MethodCall): void {
  const [method, path, ...handlers] = call.call.arguments;
  if (method === undefined || path === undefined || handlers.length === 0) return;
  const methods = textsOf(world, method, call.at);
  if ("why" in methods) addAnyMethod(world, call, path);
  else add(world, call, { methods: methods.texts.map((one) => one.toUpperCase()), path, handlers });
}

type Added = { readonly methods: readonly string[]; readonly path: Expr; readonly handlers: readonly Expr[] };

function add(world: World, call: MethodCall, { methods, path, handlers }: Added): void {
  const surface = () => honoSurface(world, handlers, call.at);
  addRoutes(world, call, { methods, path, at: call.at, ...honoModels(world, handlers, call.at), surface });
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
  const values = route === undefined ? [] : world.evaluate(route, call.at);
  const options = optionsOf(world, single(values));
  const method = options?.fields.get("method");
  const path = options?.fields.get("path");
  if (options === null || method === undefined || path === undefined) {
    addUnclear(world, call, reasons.unknownCreateRoute);
    return;
  }
  const methods = textsOf(world, method, options.at);
  if ("why" in methods) {
    addAnyMethod(world, call, path);
    return;
  }
  const all = methods.texts.map((one) => one.toUpperCase());
  const request = contentIn(world, under(world, options, ["request", "body"]));
  const surface = () => openApiSurface(world, options);
  const models = { request, response: responseIn(world, options), surface };
  addRoutes(world, call, { methods: all, path, at: options.at, ...models });
}

const PLACES: { readonly [key: string]: ParameterPlace } = {
  ...{ query: "query", params: "path", headers: "header", cookies: "cookie" },
};

/** All that it takes and answers is described; only headers and cookies may be read by others before. */
function openApiSurface(world: World, options: ObjectValue): RouteSurface {
  const request = under(world, options, ["request"]);
  const isSeen = !options.hasMore && (request !== null || !options.fields.has("request"));
  const spread = [...(request?.fields ?? [])].flatMap(([key, one]) => {
    const place = PLACES[key];
    return place === undefined || request === null
      ? []
      : [{ in: place, type: schemaType(world, one, request.at) }];
  });
  const places: ParameterPlace[] = ["query", ...spread.map((one) => one.in)];
  const body = mediaType(world, under(world, request, ["body"]));
  const responses = under(world, options, ["responses"]);
  const byStatus = [...(responses?.fields.keys() ?? [])].map((status): [string, ValueType | null] => [
    status.toUpperCase().replace("DEFAULT", "default"),
    mediaType(world, under(world, responses, [status])),
  ]);
  return {
    language: "script",
    areParametersText: true,
    parameters: isSeen && request?.hasMore !== true ? { list: [], spread, places, more: null } : null,
    request: body === null ? null : { type: body, isRequired: null },
    responses:
      responses === null || responses.hasMore ? null : { byStatus: new Map(byStatus), isWhole: true },
  };
}

function mediaType(world: World, body: ObjectValue | null): ValueType | null {
  const media = under(world, body, ["content", "application/json"]);
  return media === null ? null : schemaType(world, media.fields.get("schema"), media.at);
}

function optionsOf(world: World, value: Value): ObjectValue | null {
  if (value.kind !== "foreign" || value.made === null || foreignName(value) !== "createRoute.()") return null;
  const [options] = value.made.call.arguments;
  return options === undefined ? null : objectIn(world.evaluate(options, value.made.at));
}

/** What stands under these names, one in the other. */
function under(world: World, object: ObjectValue | null, names: readonly string[]): ObjectValue | null {
  return names.reduce<ObjectValue | null>((at, name) => {
    const field = at?.fields.get(name);
    return at === null || field === undefined ? null : objectIn(world.evaluate(field, at.at));
  }, object);
}

function responseIn(world: World, options: ObjectValue): ModelUse {
  const responses = under(world, options, ["responses"]);
  const good = [...(responses?.fields.keys() ?? [])].filter((status) => /^2(?:\d\d|XX)$/.test(status));
  return agreed(
    good.map((status) => (status === "204" ? NONE : contentIn(world, under(world, responses, [status])))),
  );
}

/** What is described as JSON. */
function contentIn(world: World, body: ObjectValue | null): ModelUse {
  const media = under(world, body, ["content", "application/json"]);
  return media === null ? UNDECLARED : schemaModel(world, media.fields.get("schema"), media.at);
}
