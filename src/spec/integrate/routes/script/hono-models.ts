import type { ValueType } from "../../types/shape.ts";
import type { Models } from "../route.ts";
import { type ModelUse, type ParameterPlace, type RouteSurface, SCRIPT_SURFACE } from "../route.ts";
import type { Chain, Expr, TypeUse } from "./facts.ts";
import { agreed, type Handler, handlerOf, modelOf, NONE, UNDECLARED } from "./models.ts";
import { schemaModel, schemaType } from "./schema-type.ts";
import { valueType } from "./value-type.ts";
import { foreignName, type Place, type World } from "./world.ts";

/** What a handler of Hono says about bodies: the validators before it, and the types of what it returns. */
export function honoModels(world: World, handlers: readonly Expr[], at: Place): Models {
  const bodies = handlers.flatMap((one) => readValidator(world, one, at) ?? []).filter(isOfBody);
  const request = agreed(bodies.map((one) => schemaModel(world, one.schema, one.at)));
  const handler = handlerOf(world, handlers, at);
  return { request, response: handler === null ? UNDECLARED : responseOf(world, handler) };
}

export type Validator = {
  /** `json`, `query`, `param`, `header`, `cookie`, `form`. */
  readonly target: string;
  readonly schema: Expr | undefined;
  readonly at: Place;
};

/** `zValidator("json", schema)`; null where it is none. */
export function readValidator(world: World, expr: Expr, at: Place): Validator | null {
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

const PLACES: { readonly [key: string]: ParameterPlace } = {
  ...{ query: "query", param: "path", header: "header", cookie: "cookie" },
};

/** What validators before a handler let through, and the statuses that it answers with. */
export function honoSurface(world: World, handlers: readonly Expr[], at: Place): RouteSurface {
  const validators = handlers.flatMap((one) => readValidator(world, one, at) ?? []);
  const spread = validators.flatMap(({ target, schema, at: place }) => {
    const where = PLACES[target];
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
function readAnswer(expr: Expr, context: string | null): Answer | null {
  if (expr.kind !== "chain" || expr.base.kind !== "name" || expr.base.name !== context) return null;
  const [member, call, ...more] = expr.steps;
  if (member?.kind !== "member" || call?.kind !== "call" || more.length > 0) return null;
  const [body, status] = call.arguments;
  return {
    name: member.name,
    status,
    type: call.types[0] ?? (body?.kind === "typed" ? body.type : undefined),
  };
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

type Answer = {
  readonly name: string;
  readonly status: Expr | undefined;
  readonly type: TypeUse | undefined;
};
