import { reasons } from "../../reasons.ts";
import { type ModelUse, type ParameterPlace, type RouteSurface, SCRIPT_SURFACE } from "../route.ts";
import {
  addComputed,
  addMount,
  addRoutes,
  addUnclear,
  addUnseen,
  addWithMethods,
  looksLikeRouter,
  METHODS,
  methodOf,
  prefixesOf,
} from "./adding.ts";
import type { Expr, TypeUse } from "./facts.ts";
import { giveOne } from "./give.ts";
import { COMPUTED, exported, type ObjectValue, objectAt, objectUnder } from "./member.ts";
import { agreed, handlerOf, modelOf, NONE, UNDECLARED } from "./models.ts";
import { readResponses, readSpread, schemaModel, schemaType } from "./schema-type.ts";
import { typeAt, typeNamed } from "./types.ts";
import {
  addRouter,
  type FoundRoute,
  type Framework,
  foreignName,
  type MethodCall,
  NOTHING,
  type Template,
  type Value,
  type ValueKind,
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
  const inside = objectAt(world, options, call.at)?.fields.get("handler");
  const models = modelsOf(world, call, inside === undefined ? rest : [inside], options);
  addRoutes(world, call, { methods: [methodOf(call.name)], path, at: call.at, ...models });
}

/** `app.route({ method, url, handler })`. */
function fullRoute(world: World, call: MethodCall): void {
  const [options] = call.call.arguments;
  if (options === undefined) return;
  const fields = objectAt(world, options, call.at)?.fields;
  const path = fields?.get("url") ?? fields?.get("path");
  const method = fields?.get("method");
  if (path === undefined || method === undefined) {
    addUnclear(world, call, reasons.unknownOptions);
    return;
  }
  const handler = fields?.get("handler");
  const models = modelsOf(world, call, handler === undefined ? [] : [handler], options);
  addWithMethods(world, call, method, { path, at: call.at, ...models });
}

/** A plugin gets an instance of its own below this one; with `fp` around it, this one. */
function register(world: World, call: MethodCall): void {
  const [plugin, options] = call.call.arguments;
  if (plugin === undefined) return;
  const prefix = options === undefined ? { path: "" } : prefixIn(world, call, options);
  const values = world.evaluate(plugin, call.at).flatMap((one) => asPlugin(world, one, call));
  for (const { value, isOpen } of values) {
    if (value.kind !== "function") continue;
    if (isOpen) giveOne(world, { ...value, index: 0 }, [{ kind: "router", id: call.router.id }]);
    else giveInstance(world, call, value, prefix);
  }
  const isForeign = values.some(({ value }) => value.kind === "foreign");
  const isSeen = isForeign || values.some(({ value }) => value.kind === "function");
  if (!isSeen || (isForeign && looksLikeRouter(plugin))) addUnseen(world, call, [prefix]);
}

type Plugin = { readonly value: Value; readonly isOpen: boolean };

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
  { file, id }: ValueKind<"function">,
  prefix: Template,
): void {
  const child = addRouter(world, {
    id: `${call.at.file} ${call.call.id} ${file} ${id}`,
    ...{ framework: call.router.framework, role: "router", base: null, made: null, copyOf: null },
  });
  addMount(world, call, child, prefix);
  giveOne(world, { file, id, index: 0 }, [child]);
}

function prefixIn(world: World, call: MethodCall, options: Expr): Template {
  const written = objectAt(world, options, call.at);
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
): Pick<FoundRoute, "request" | "response" | "surface"> {
  const schema = objectUnder(world, objectAt(world, options, at), "schema");
  const handler = handlerOf(world, handlers, at);
  const written = handler?.fn.parameters[0]?.type ?? null;
  const file = handler?.file ?? at.file;
  const inRequest =
    written?.kind === "name" && isRequest(world, file, written.name) ? written.arguments[0] : null;
  const [types] = call.types;
  const request = [bodyIn(world, at.file, types, "Body"), bodyIn(world, file, inRequest, "Body")];
  const described = describedModels(world, schema);
  return {
    request: orElse(described.request, agreed(request)),
    response: orElse(described.response, bodyIn(world, at.file, types, "Reply")),
    ...(options === undefined ? {} : { surface: () => schemaSurface(world, schema) }),
  };
}

function isRequest(world: World, file: string, name: string): boolean {
  const meant = typeNamed(world, file, name);
  return meant.kind === "foreign" && meant.from === "fastify" && meant.name === "FastifyRequest";
}

/** Where the type is declared under a name, its parts have the names of that file. A reply may be told by status. */
function bodyIn(
  world: World,
  file: string,
  type: TypeUse | null | undefined,
  part: "Body" | "Reply",
): ModelUse {
  if (type == null) return UNDECLARED;
  const body = typeAt(world, file, type, [part]);
  const meant = type.kind === "name" ? typeNamed(world, file, type.name) : null;
  const where = meant?.kind === "own" ? meant.file : file;
  const statuses = part === "Reply" && body?.kind === "object" ? [...body.members] : [];
  if (statuses.length === 0 || !statuses.every(([one]) => /^\dxx$|^\d{3}$/i.test(one)))
    return modelOf(world, where, body);
  const good = statuses.filter(([status]) => SUCCESS.test(status));
  return agreed(good.map(([, one]) => modelOf(world, where, one)));
}

const PLACES: { readonly [key: string]: ParameterPlace } = {
  ...{ querystring: "query", query: "query", params: "path", headers: "header" },
};

const orElse = (use: ModelUse, other: ModelUse): ModelUse => (use.kind === "undeclared" ? other : use);

const SUCCESS = /^2(?:\d\d|xx)$/i;

/** `{ body: NewOrder, response: { 201: Order } }`: what is checked when it runs. */
function describedModels(world: World, schema: ObjectValue | null) {
  const responses = objectUnder(world, schema, "response");
  const answers = [...(responses?.fields ?? [])].flatMap(([status, one]) => {
    if (!SUCCESS.test(status) || responses === null) return [];
    return [status === "204" ? NONE : schemaModel(world, one, responses.at)];
  });
  const request = schema === null ? UNDECLARED : schemaModel(world, schema.fields.get("body"), schema.at);
  return { request, response: agreed(answers) };
}

/** The same, field by field. What has no schema is not declared. */
function schemaSurface(world: World, schema: ObjectValue | null): RouteSurface {
  const body = schema?.fields.get("body");
  const spread = readSpread(world, schema, PLACES);
  const places = spread.map((one) => one.in);
  return {
    ...SCRIPT_SURFACE,
    parameters: places.length === 0 ? null : { list: [], spread, places, more: null },
    request:
      body === undefined || schema === null
        ? null
        : { type: schemaType(world, body, schema.at), isRequired: null },
    responses: readResponses(objectUnder(world, schema, "response"), (one, at) => schemaType(world, one, at)),
  };
}
