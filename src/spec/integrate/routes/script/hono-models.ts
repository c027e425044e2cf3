import type { ValueType } from "../../types/shape.ts";
import type { ModelUse, ParameterPlace, RouteSurface } from "../route.ts";
import type { Call, Chain, Expr } from "./facts.ts";
import { agreed, type Handler, handlerOf, modelOf, NONE, UNDECLARED } from "./models.ts";
import { schemaModel, schemaType } from "./schema-type.ts";
import { valueType } from "./value-type.ts";
import type { World } from "./world.ts";
import { foreignName, type Place } from "./world.ts";

/** What a handler of Hono says about bodies: the validators before it, and the types of what it returns. */
export function honoModels(
  world: World,
  handlers: readonly Expr[],
  at: Place,
): { readonly request: ModelUse; readonly response: ModelUse } {
  const handler = handlerOf(world, handlers, at);
  const validated = handlers.map((one) => validatedModel(world, one, at));
  return { request: agreed(validated), response: handler === null ? UNDECLARED : answerOf(world, handler) };
}

function validatedModel(world: World, expr: Expr, at: Place): ModelUse {
  const validated = readValidator(world, expr, at);
  return validated?.target === "json" ? schemaModel(world, validated.schema, validated.at) : UNDECLARED;
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

/** Every answer that is no error must say its type, and the same. */
function answerOf(world: World, { file, fn }: Handler): ModelUse {
  const context = fn.parameters[0]?.name ?? null;
  const uses = fn.returns.flatMap(alternatives).map((one) => answer(world, file, one, context));
  const said = uses.filter((use) => use !== null);
  if (said.length === 0 || said.some(({ kind }) => kind === "undeclared")) return UNDECLARED;
  return agreed(said);
}

function alternatives(expr: Expr): readonly Expr[] {
  return expr.kind === "choice" ? expr.of.flatMap(alternatives) : [expr];
}

/** Null: an error, which the contract has apart. */
function answer(world: World, file: string, expr: Expr, context: string | null): ModelUse | null {
  if (expr.kind !== "chain" || expr.base.kind !== "name" || expr.base.name !== context) return UNDECLARED;
  const [member, call] = expr.steps;
  if (expr.steps.length !== 2 || member?.kind !== "member" || call?.kind !== "call") return UNDECLARED;
  const [body, status] = call.arguments;
  if (member.name === "notFound") return null;
  if (status?.kind === "number" && status.value >= 400) return null;
  if (member.name === "body" && status?.kind === "number" && status.value === 204) return NONE;
  return member.name === "json" ? jsonModel(world, file, call, body) : UNDECLARED;
}

function jsonModel(world: World, file: string, { types }: Call, body: Expr | undefined): ModelUse {
  const type = types[0] ?? (body?.kind === "typed" ? body.type : undefined);
  return modelOf(world, file, type);
}

const PLACES: { readonly [target: string]: ParameterPlace } = {
  ...{ query: "query", param: "path", header: "header", cookie: "cookie" },
};

/** What validators before a handler let through, and the statuses that it answers with. */
export function honoSurface(world: World, handlers: readonly Expr[], at: Place): RouteSurface {
  const validators = handlers.flatMap((one) => readValidator(world, one, at) ?? []);
  const spread = validators.flatMap(({ target, schema, at: place }) => {
    const where = PLACES[target];
    return where === undefined ? [] : [{ in: where, type: schemaType(world, schema, place) }];
  });
  const bodies = validators.filter(({ target }) => target === "json");
  const [body] = bodies;
  const isOne = body !== undefined && bodies.length === 1;
  return {
    language: "script",
    areParametersText: true,
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
  if (world.modules.get(handler.file)?.facts.calls.some((one) => setsStatus(one, context)) !== false)
    return null;
  const byStatus = new Map<string, ValueType | null>();
  for (const one of handler.fn.returns.flatMap(alternatives)) {
    const answer = readAnswer(one, context);
    if (answer === null) return null;
    const type = answer.type === null ? null : valueType(world, handler.file, answer.type);
    // Errors are thrown as well: those that are returned are not all.
    if (answer.status.startsWith("2") && !byStatus.has(answer.status)) byStatus.set(answer.status, type);
  }
  return byStatus.size === 0 ? null : { byStatus, isWhole: true };
}

/** `c.status(201)`, before an answer that does not name it. */
function setsStatus({ base, steps: [first] }: Chain, context: string | null): boolean {
  return base.kind === "name" && base.name === context && first?.kind === "member" && first.name === "status";
}

type Answer = { readonly status: string; readonly type: Call["types"][number] | null };

/** `c.json(order, 201)`. */
function readAnswer(expr: Expr, context: string | null): Answer | null {
  if (expr.kind !== "chain" || expr.base.kind !== "name" || expr.base.name !== context) return null;
  const [member, call, ...more] = expr.steps;
  if (member?.kind !== "member" || call?.kind !== "call" || more.length > 0) return null;
  if (member.name === "notFound") return { status: "404", type: null };
  if (!/^(?:json|text|html|body)$/.test(member.name)) return null;
  const [body, status] = call.arguments;
  if (status !== undefined && status.kind !== "number") return null;
  const type = call.types[0] ?? (body?.kind === "typed" ? body.type : undefined) ?? null;
  return { status: String(status?.value ?? 200), type: member.name === "json" ? type : null };
}
