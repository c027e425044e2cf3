import { reasons } from "../../reasons.ts";
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
import { honoModels } from "./hono-models.ts";
import { openApiRoute } from "./hono-openapi.ts";
import { honoSurface } from "./hono-surface.ts";
import { COMPUTED } from "./member.ts";
import { NOTHING, type Value } from "./values.ts";
import { addRouter, type Framework, type MethodCall, type Template, type World } from "./world.ts";

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
