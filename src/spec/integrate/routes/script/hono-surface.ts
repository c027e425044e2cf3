import type { ValueType } from "../../types/shape.ts";
import type { ParameterPlace, RouteSurface } from "../surface.ts";
import type { Call, Chain, Expr } from "./facts.ts";
import { readValidator } from "./hono-models.ts";
import { handlerOf } from "./models.ts";
import { schemaType } from "./schema-type.ts";
import { valueType } from "./value-type.ts";
import type { Place } from "./values.ts";
import type { World } from "./world.ts";

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

function alternatives(expr: Expr): readonly Expr[] {
  return expr.kind === "choice" ? expr.of.flatMap(alternatives) : [expr];
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
