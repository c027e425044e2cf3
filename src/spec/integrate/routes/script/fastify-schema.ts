import type { ModelUse } from "../route.ts";
import type { Expr } from "./facts.ts";
import { type ObjectValue, objectIn } from "./member.ts";
import { agreed, NONE } from "./models.ts";
import { schemaModel } from "./schemas.ts";
import type { Place } from "./values.ts";
import type { World } from "./world.ts";

/** Null: nothing that has a name. */
type Described = { readonly request: ModelUse | null; readonly response: ModelUse | null };

/** `{ schema: { body: NewOrder, response: { 201: Order } } }`: what is checked when it runs. */
export function fastifySchema(world: World, options: Expr, at: Place): Described {
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

function said(uses: readonly ModelUse[]): ModelUse | null {
  const use = agreed(uses);
  return use.kind === "undeclared" ? null : use;
}

function inside(world: World, object: ObjectValue | null, name: string): ObjectValue | null {
  const field = object?.fields.get(name);
  return object === null || field === undefined ? null : objectIn(world.evaluate(field, object.at));
}
