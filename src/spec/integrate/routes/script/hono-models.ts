import type { ModelUse } from "../route.ts";
import type { Call, Expr } from "./facts.ts";
import { agreed, type Handler, handlerOf, modelOf, NONE, UNDECLARED } from "./models.ts";
import { schemaModel } from "./schemas.ts";
import { foreignName, type Place } from "./values.ts";
import type { World } from "./world.ts";

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
