import type { Models } from "../route.ts";

import {
  addComputed,
  addMount,
  addRoutes,
  addUnseen,
  looksLikeMiddleware,
  looksLikeRouter,
  METHODS,
  methodOf,
  prefixesOf,
} from "./adding.ts";
import type { Expr, TypeUse } from "./facts.ts";
import { COMPUTED, itemsOf } from "./member.ts";
import { agreed, type Handler, handlerOf, modelOf } from "./models.ts";
import { typeNamed } from "./types.ts";
import { type Framework, foreignName, type MethodCall, NOTHING, type Value, type World } from "./world.ts";

const PACKAGE = /^express(?:-serve-static-core|-promise-router)?$/;

export const express: Framework = {
  name: "Express",
  packages: /^express$/,
  makes: (from, name) => {
    if (from === "express" && name === "") return "app";
    const isRouter = from === "express-promise-router" ? name === "" : name === "Router";
    return PACKAGE.test(from) && isRouter ? "router" : null;
  },
  isRouterType: (from, name) =>
    PACKAGE.test(from) && /^(?:Express|Application|I?Router|core\.Express)$/.test(name),
  isPluginType: () => false,
  serves: /^(?:listen|handle)$/,
  returns: (_, { router, name, call, at }) => {
    const [path] = call.arguments;
    if (name === "route" && path !== undefined) return [{ kind: "spot", router: router.id, path, at }];
    return METHODS.test(name) || /^(?:all|use|set|param|enable|disable)$/.test(name)
      ? [{ kind: "router", id: router.id }]
      : [NOTHING];
  },
  perform: (world, call) => {
    if (call.name === "use") mount(world, call);
    else if (METHODS.test(call.name) || call.name === "all") route(world, call);
    else if (call.name === COMPUTED) addComputed(world, call);
  },
};

/** `app.get("port")` asks for a setting: a route has a handler. */
function route(world: World, call: MethodCall): void {
  const { spot, at } = call;
  const [path, ...rest] = spot === null ? call.call.arguments : [spot.path, ...call.call.arguments];
  if (path === undefined || rest.length === 0) return;
  const handler = handlerOf(world, rest, at);
  // It has a `next`: somebody else answers.
  const isMiddleware = handler === null ? spot !== null : handler.fn.parameters.length > 2;
  if (call.name === "all" && isMiddleware) return;
  const models = modelsOf(world, call, handler);
  addRoutes(world, call, { methods: [methodOf(call.name)], path, at: spot?.at ?? at, ...models });
}

/** `app.use("/x", auth, router)`. */
function mount(world: World, call: MethodCall): void {
  const { at } = call;
  const [first, ...others] = call.call.arguments;
  const isPath = first !== undefined && others.length > 0 && !isHandler(world, call, first);
  const prefixes = prefixesOf(world, isPath ? first : null, at);
  const rest = isPath ? others : call.call.arguments;
  for (const expr of rest) {
    const values = world.evaluate(expr, at).flatMap((one) => itemsOf(world, one) ?? [one]);
    for (const value of values) for (const prefix of prefixes) addMount(world, call, value, prefix);
    const isSeen = values.some(({ kind }) => kind === "router" || kind === "function");
    if (!isPath || isSeen) continue;
    if (looksLikeRouter(expr)) addUnseen(world, call, prefixes);
    else if (expr === rest.at(-1) && values.every(isForeign) && !looksLikeMiddleware(expr))
      addUnseen(world, call, prefixes, true);
  }
  const handler = isPath ? handlerOf(world, rest.slice(-1), at) : null;
  const isAnswer = handler !== null && rest.at(-1)?.kind !== "chain" && handler.fn.parameters.length === 2;
  if (isAnswer && first !== undefined) addRoutes(world, call, { methods: ["*"], path: first, at });
}

function isForeign(value: Value): boolean {
  return value.kind === "unknown" || (value.kind === "foreign" && value.from !== "express");
}

/** Rather than a path: `app.use(auth, router)`. What a package reads from somewhere, such as `config.get("x")`, may be one. */
function isHandler(world: World, { at }: MethodCall, expr: Expr): boolean {
  const isOne = (value: Value) => {
    if (value.kind !== "foreign") return /^(?:router|function|instance)$/.test(value.kind);
    return value.from === "express" || (/^[\w$]*(?:\.?\(\))*$/.test(foreignName(value)) && value.from !== "");
  };
  return world.evaluate(expr, at).some((one) => isOne(one) || (itemsOf(world, one) ?? []).some(isOne));
}

/** `Request<Params, ResBody, ReqBody>`, `Response<ResBody>`, `RequestHandler<Params, ResBody, ReqBody>`. */
function modelsOf(world: World, { call, at }: MethodCall, handler: Handler | null): Models {
  const written = handler === null ? [] : [handler.fn.type, ...handler.fn.parameters.map(({ type }) => type)];
  const file = handler?.file ?? at.file;
  const uses = written.map((type) => bodiesOf(world, file, type));
  const [, response, request] = call.types;
  const own = { request, response };
  const modelIn = (side: "request" | "response") =>
    agreed([modelOf(world, at.file, own[side]), ...uses.map((use) => modelOf(world, file, use[side]))]);
  return { request: modelIn("request"), response: modelIn("response") };
}

type Bodies = { readonly request?: TypeUse | undefined; readonly response?: TypeUse | undefined };

function bodiesOf(world: World, file: string, type: TypeUse | null): Bodies {
  if (type?.kind !== "name") return {};
  const meant = typeNamed(world, file, type.name);
  if (meant.kind !== "foreign" || !PACKAGE.test(meant.from)) return {};
  const all = type.arguments;
  if (meant.name === "Response") return { response: all[0] };
  return /^Request(?:Handler)?$/.test(meant.name) ? { response: all[1], request: all[2] } : {};
}
