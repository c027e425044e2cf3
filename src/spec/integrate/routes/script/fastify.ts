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
  looksLikeRouter,
  METHODS,
  methodOf,
  prefixesOf,
  textsOf,
} from "./adding.ts";
import type { Expr, TypeUse } from "./facts.ts";
import { giveOne } from "./give.ts";
import { COMPUTED, exported, type ObjectValue, objectIn } from "./member.ts";
import { agreed, handlerOf, modelOf, NONE, UNDECLARED } from "./models.ts";
import { schemaModel, schemaType } from "./schema-type.ts";
import { typeAt, typeNamed } from "./types.ts";
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

const RETURNS_ITSELF =
  /^(?:all|route|register|after|ready|decorate\w*|addHook|addSchema|addContentTypeParser|set\w+|withTypeProvider)$/;

export const fastify: Framework = {
  name: "Fastify",
  packages: /^(?:fastify|fastify-plugin|@fastify\/autoload)$/,
  makes: (from, name) => (from === "fastify" && /^(?:fastify)?$/i.test(name) ? "app" : null),
  isRouterType: (from, name) => from === "fastify" && name === "FastifyInstance",
  isPluginType: (from, name) =>
    /^(?:fastify|@fastify\/type-provider-[\w-]+|fastify-type-provider-zod)$/.test(from) &&
    /^FastifyPlugin(?:Async|Callback)?(?:Typebox|JsonSchemaToTs|Zod)?$/.test(name),
  serves: /^(?:listen|ready|inject|server|routing)$/,
  returns: (_, { router, name }) =>
    METHODS.test(name) || RETURNS_ITSELF.test(name) ? [{ kind: "router", id: router.id }] : [NOTHING],
  perform: (world, call) => {
    const { name } = call;
    if (name === "register") register(world, call);
    else if (name === "route") fullRoute(world, call);
    else if (METHODS.test(name) || name === "all") shortRoute(world, call);
    else if (name === COMPUTED) addComputed(world, call);
  },
};

/** `app.get("/x", options, handler)`: the handler may be one of the options. */
function shortRoute(world: World, call: MethodCall): void {
  const [path, ...rest] = call.call.arguments;
  if (path === undefined || rest.length === 0) return;
  const options = rest.length > 1 || rest[0]?.kind === "object" ? rest[0] : undefined;
  const inside = options === undefined ? undefined : field(world, call, options, "handler");
  const models = modelsOf(world, call, inside === undefined ? rest : [inside], options);
  addRoutes(world, call, { methods: [methodOf(call.name)], path, at: call.at, ...models });
}

/** `app.route({ method, url, handler })`. */
function fullRoute(world: World, call: MethodCall): void {
  const [options] = call.call.arguments;
  if (options === undefined) return;
  const path = field(world, call, options, "url") ?? field(world, call, options, "path");
  const method = field(world, call, options, "method");
  if (path === undefined || method === undefined) {
    addUnclear(world, call, reasons.unknownOptions);
    return;
  }
  const methods = textsOf(world, method, call.at);
  if ("why" in methods) {
    addAnyMethod(world, call, path);
    return;
  }
  const handler = field(world, call, options, "handler");
  const models = modelsOf(world, call, handler === undefined ? [] : [handler], options);
  const all = methods.texts.map((text) => text.toUpperCase());
  addRoutes(world, call, { methods: all, path, at: call.at, ...models });
}

/** A field of options that are written out, here or under a name. */
function field(world: World, { at }: MethodCall, options: Expr, name: string): Expr | undefined {
  return objectIn(world.evaluate(options, at))?.fields.get(name);
}

/** A plugin gets an instance of its own below this one; with `fp` around it, this one. */
function register(world: World, call: MethodCall): void {
  const [plugin, options] = call.call.arguments;
  if (plugin === undefined) return;
  const values = world.evaluate(plugin, call.at).flatMap((one) => asPlugin(world, one, call));
  for (const { value, isOpen } of values) {
    if (value.kind !== "function") continue;
    if (isOpen) giveOne(world, { ...value, index: 0 }, [{ kind: "router", id: call.router.id }]);
    else giveInstance(world, call, value, options ?? null);
  }
  const isSeen = values.some(({ value }) => value.kind === "function" || value.kind === "foreign");
  if (!isSeen || looksLikeForeignRoutes(values, plugin))
    addUnseen(world, call, [options === undefined ? { path: "" } : prefixIn(world, call, options)]);
}

type Plugin = { readonly value: Value; readonly isOpen: boolean };

function looksLikeForeignRoutes(plugins: readonly Plugin[], plugin: Expr): boolean {
  return plugins.some(({ value }) => value.kind === "foreign") && looksLikeRouter(plugin);
}

function asPlugin(world: World, value: Value, { at }: MethodCall): readonly Plugin[] {
  if (value.kind === "module")
    return exported(world, value.file, "default", at.depth).map((one) => ({ value: one, isOpen: false }));
  const inner = value.kind === "foreign" && /^fastify-plugin$/.test(value.from) ? value.made : null;
  const first = inner?.call.arguments[0];
  if (value.kind !== "foreign" || inner == null || first === undefined || !/\(\)$/.test(foreignName(value)))
    return [{ value, isOpen: false }];
  return world.evaluate(first, inner.at).map((one) => ({ value: one, isOpen: true }));
}

function giveInstance(
  world: World,
  call: MethodCall,
  { file, id }: Extract<Value, { kind: "function" }>,
  options: Expr | null,
): void {
  const { router, at } = call;
  const prefix = options === null ? { path: "" } : prefixIn(world, call, options);
  const child = addRouter(world, {
    id: `${at.file} ${call.call.id} ${file} ${id}`,
    framework: router.framework,
    role: "router",
    ...{ base: null, made: null, copyOf: null },
  });
  addMount(world, call, child, prefix);
  giveOne(world, { file, id, index: 0 }, [child]);
}

function prefixIn(world: World, call: MethodCall, options: Expr): Template {
  const written = objectIn(world.evaluate(options, call.at));
  const prefix = written?.fields.get("prefix");
  if (written === null || (prefix === undefined && written.hasMore))
    return { why: reasons.unknownRegisterOptions };
  const [first, ...rest] = prefixesOf(world, prefix ?? null, written.at);
  return first === undefined || rest.length > 0 ? { why: reasons.computedPrefix } : first;
}

/** What the options describe; else `app.get<{ Body: X; Reply: Y }>`, or the same behind `FastifyRequest` at the handler. */
function modelsOf(
  world: World,
  { call, at }: MethodCall,
  handlers: readonly Expr[],
  options: Expr | undefined,
): { readonly request: ModelUse; readonly response: ModelUse; readonly surface?: () => RouteSurface } {
  const described = options === undefined ? null : fastifySchema(world, options, at);
  const handler = handlerOf(world, handlers, at);
  const written = handler?.fn.parameters[0]?.type ?? null;
  const file = handler?.file ?? at.file;
  const inRequest =
    written?.kind === "name" && isRequest(world, file, written.name) ? written.arguments[0] : null;
  const request = agreed([bodyIn(world, at.file, call.types[0]), bodyIn(world, file, inRequest)]);
  return {
    request: described?.request ?? request,
    response: described?.response ?? replyIn(world, at.file, call.types[0]),
    ...(options === undefined ? {} : { surface: () => fastifySurface(world, options, at) }),
  };
}

function isRequest(world: World, file: string, name: string): boolean {
  const meant = typeNamed(world, file, name);
  return meant.kind === "foreign" && meant.from === "fastify" && meant.name === "FastifyRequest";
}

/** Where the type is declared under a name, its parts have the names of that file. */
function bodyIn(world: World, file: string, type: TypeUse | null | undefined): ModelUse {
  if (type == null) return UNDECLARED;
  return modelOf(world, fileOf(world, file, type), typeAt(world, file, type, ["Body"]));
}

function replyIn(world: World, file: string, type: TypeUse | null | undefined): ModelUse {
  if (type == null) return UNDECLARED;
  const reply = typeAt(world, file, type, ["Reply"]);
  const where = fileOf(world, file, type);
  if (reply?.kind !== "object") return modelOf(world, where, reply);
  const good = [...reply.members].filter(([status]) => /^2(?:\d\d|xx)$/i.test(status));
  const isByStatus =
    reply.members.size > 0 && [...reply.members.keys()].every((one) => /^\dxx$|^\d{3}$/i.test(one));
  return isByStatus
    ? agreed(good.map(([, one]) => modelOf(world, where, one)))
    : modelOf(world, where, reply);
}

function fileOf(world: World, file: string, type: TypeUse): string {
  const meant = type.kind === "name" ? typeNamed(world, file, type.name) : null;
  return meant?.kind === "own" ? meant.file : file;
}

/** Null: nothing that has a name. */
type Described = { readonly request: ModelUse | null; readonly response: ModelUse | null };

/** `{ schema: { body: NewOrder, response: { 201: Order } } }`: what is checked when it runs. */
function fastifySchema(world: World, options: Expr, at: Place): Described {
  const schema = inside(world, objectIn(world.evaluate(options, at)), "schema");
  const responses = inside(world, schema, "response");
  const good = [...(responses?.fields ?? [])].filter(([status]) => /^2(?:\d\d|xx)$/i.test(status));
  const answers = good.map(([status, one]) =>
    status === "204" || responses === null ? NONE : schemaModel(world, one, responses.at),
  );
  const body = schema?.fields.get("body");
  return {
    request: said(schema === null ? [] : [schemaModel(world, body, schema.at)]),
    response: said(answers),
  };
}

const PLACES: { readonly [key: string]: ParameterPlace } = {
  ...{ querystring: "query", query: "query", params: "path", headers: "header" },
};

/** The same, field by field. What has no schema is not declared. */
function fastifySurface(world: World, options: Expr, at: Place): RouteSurface {
  const schema = inside(world, objectIn(world.evaluate(options, at)), "schema");
  const body = schema?.fields.get("body");
  const spread = [...(schema?.fields ?? [])].flatMap(([key, one]) => {
    const place = PLACES[key];
    return place === undefined || schema === null
      ? []
      : [{ in: place, type: schemaType(world, one, schema.at) }];
  });
  const places = spread.map((one) => one.in);
  return {
    language: "script",
    areParametersText: true,
    parameters: places.length === 0 ? null : { list: [], spread, places, more: null },
    request:
      body === undefined || schema === null
        ? null
        : { type: schemaType(world, body, schema.at), isRequired: null },
    responses: responsesIn(world, inside(world, schema, "response")),
  };
}

function responsesIn(world: World, responses: ObjectValue | null): RouteSurface["responses"] {
  if (responses === null || responses.hasMore) return null;
  const byStatus = [...responses.fields].map(([status, one]): [string, ValueType] => [
    status.toUpperCase().replace("DEFAULT", "default"),
    schemaType(world, one, responses.at),
  ]);
  return { byStatus: new Map(byStatus), isWhole: true };
}

function said(uses: readonly ModelUse[]): ModelUse | null {
  const use = agreed(uses);
  return use.kind === "undeclared" ? null : use;
}

function inside(world: World, object: ObjectValue | null, name: string): ObjectValue | null {
  const field = object?.fields.get(name);
  return object === null || field === undefined ? null : objectIn(world.evaluate(field, object.at));
}
